/** The style sheet and the script that all pages of the explorer share. */
import { hash } from "node:crypto";
import { explorerPath } from "../../contract/paths.ts";
import type { PageAsset } from "../../contract/site-values.ts";
import { chartStyle } from "../charts/chart-style.ts";
import { frameStyle, readBeside, textStyle, themeStyles } from "../pages/style.ts";

const besideText = (name: string): string => readBeside(new URL(name, import.meta.url));

/** A file whose address names its content; a few kilobytes. */
function assetOf(name: string, type: string, text: string) {
  const path = `${explorerPath}/${name}`;
  return { path, type: `${type}; charset=utf-8`, text, address: `${path}?${hash("sha256", text, "hex").slice(0, 12)}` };
}

const style = frameStyle + textStyle + chartStyle + besideText("explore.css");

/** Their addresses are for the heads of pages. */
export const assets = {
  style: assetOf("style.css", "text/css", style),
  // For a frame, whose page says which of them it has.
  light: assetOf("light.css", "text/css", themeStyles.light),
  dark: assetOf("dark.css", "text/css", themeStyles.dark),
  script: assetOf("explorer.js", "text/javascript", besideText("explorer.js")),
} as const satisfies Readonly<Record<string, PageAsset>>;
