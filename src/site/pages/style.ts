/** The style sheets that all pages share. Each use adds the rules of what only it has. */
import { readFileSync } from "node:fs";
import { Markup, markup } from "./markup.ts";

/** The text of a file beside the code. Cost: a file of a few kilobytes is read, so each is read once. */
export function readBeside(file: URL): string {
  return readFileSync(file, "utf8");
}

/** The colours of everything, light and dark. */
export const colourStyle: string = readBeside(new URL("colours.css", import.meta.url));

const [lightStyle = "", darkStyle = ""] = colourStyle.split("@media");

/** The colours of one theme, whatever the browser prefers: they follow those of everything. */
export const themeStyles = {
  light: themeOf("light", lightStyle),
  dark: themeOf("dark", darkStyle),
} as const;

function themeOf(name: string, style: string): string {
  const colours = style.match(/--[\w-]+: #\w{6};/g) ?? [];
  return `:root { color-scheme: ${name}; ${colours.join(" ")} }\n`;
}

/** The light colours by name, for what has no style sheet of a page, such as a file of a chart. */
export const lightColours: ReadonlyMap<string, string> = new Map(
  [...lightStyle.matchAll(/--([\w-]+): (#\w{6})/g)].map(([, name = "", colour = ""]) => [name, colour]),
);

/** Colours but those of charts, sizes, header, navigation, contents and footer; it changes nothing within the text. */
export const frameStyle: string =
  colourStyle.replaceAll(/^ *--chart-.*\n/gm, "") + readBeside(new URL("frame.css", import.meta.url));

/** The colours of charts, which a page without any does not need. */
export const chartColourStyle: string = colourStyle.replaceAll(/^ *--(?!chart-).*\n/gm, "");

/** Headings, tables, code and other elements of the text. */
export const textStyle: string = readBeside(new URL("text.css", import.meta.url));

/** Style sheets within a page, without comments and indents. */
export function renderStyle(...sheets: readonly string[]): Markup {
  return markup`<style>\n${sheets.map((sheet) => new Markup(sheet.replaceAll(/\/\*.*?\*\/\n?|^ +/gms, "")))}</style>`;
}
