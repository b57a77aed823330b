/** Draws SVG as PNG. Its text is in one font, whatever the SVG asks for. The renderer keeps memory. */
import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { initWasm, Resvg } from "@resvg/resvg-wasm";

const wasm = readFileSync(new URL(import.meta.resolve("@resvg/resvg-wasm/index_bg.wasm")));
// Condensed, it is about as wide as the charts expect.
const family = "DejaVu Sans";
const fontFiles = [
  import.meta.resolve("dejavu-fonts-ttf/ttf/DejaVuSansCondensed.ttf"),
  import.meta.resolve("dejavu-fonts-ttf/ttf/DejaVuSansCondensed-Bold.ttf"),
].map((address) => readFileSync(new URL(address)));
const font = { fontBuffers: fontFiles, defaultFontFamily: family, sansSerifFamily: family };

await initWasm(wasm);

/** A hash: an SVG that another renderer draws is another picture. */
export const renderer: string = hash("sha256", Buffer.concat([wasm, ...fontFiles]));

/** @throws {Error} for a text that is no SVG. */
export function drawPng(svg: string): Uint8Array {
  using parts = new DisposableStack();
  const drawing = parts.adopt(new Resvg(svg, { font }), (one) => one.free());
  const picture = parts.adopt(drawing.render(), (one) => one.free());
  return picture.asPng();
}
