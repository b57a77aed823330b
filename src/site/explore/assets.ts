/**
 * The style sheet and the script of the pages. Their addresses name their content, so that caches keep them for ever.
 */
import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { chartStyle } from "../charts/chart-style.ts";
import { frameStyle, textStyle } from "../pages/style.ts";
import { explorerPath } from "./request.ts";

export interface Asset {
  readonly name: string;
  readonly type: string;
  readonly text: string;
}

/** Read once, a few kilobytes. */
export const assets: readonly Asset[] = [
  {
    name: "style.css",
    type: "text/css; charset=utf-8",
    text: frameStyle + textStyle + chartStyle + readAsset("style.css"),
  },
  { name: "explorer.js", type: "text/javascript; charset=utf-8", text: readAsset("explorer.js") },
];

function readAsset(name: string): string {
  return readFileSync(new URL(name, import.meta.url), "utf8");
}

const paths = new Map(
  assets.map(({ name, text }) => [name, `${explorerPath}/${name}?${hash("sha256", text, "hex").slice(0, 12)}`]),
);

/** The address of a file, for the head of a page. */
export function assetPath(name: "style.css" | "explorer.js"): string {
  return paths.get(name) as string;
}
