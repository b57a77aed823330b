/** The style sheet and the script that all pages of the explorer share. */
import { hash } from "node:crypto";
import { explorerPath } from "../../contract/paths.ts";
import type { PageAsset } from "../../contract/site-values.ts";
import { chartStyle } from "../charts/chart-style.ts";
import { frameStyle, readBeside, textStyle } from "../pages/style.ts";

type AssetName = "style.css" | "explorer.js";

/** Read once, a few kilobytes. */
const files: readonly (Omit<PageAsset, "path"> & { readonly name: AssetName })[] = [
  {
    name: "style.css",
    type: "text/css; charset=utf-8",
    text: frameStyle + textStyle + chartStyle + readBeside(new URL("explore.css", import.meta.url)),
  },
  {
    name: "explorer.js",
    type: "text/javascript; charset=utf-8",
    text: readBeside(new URL("explorer.js", import.meta.url)),
  },
];

export const assets: readonly PageAsset[] = files.map(({ name, type, text }) => ({
  path: `${explorerPath}/${name}`,
  type,
  text,
}));

const addresses = new Map(
  files.map(({ name, text }) => [name, `${explorerPath}/${name}?${hash("sha256", text, "hex").slice(0, 12)}`]),
);

/** The address of a file, for the head of a page. */
export function assetPath(name: AssetName): string {
  return addresses.get(name) as string;
}
