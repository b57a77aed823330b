/**
 * A process that draws SVG as PNG, one picture after the other, for `service/serve/picture-maker.ts`. Its text is in
 * one font, whatever the SVG asks for.
 */
import { readFileSync } from "node:fs";
import { constants, setPriority } from "node:os";
import { initWasm, Resvg } from "@resvg/resvg-wasm";
import type { PictureAnswer, PictureRequest } from "./service/serve/picture-maker.ts";

// As in loader-thread.ts: requests come first.
if (process.platform === "linux") setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
await initWasm(readFileSync(new URL(import.meta.resolve("@resvg/resvg-wasm/index_bg.wasm"))));
// Condensed, it is about as wide as the charts expect.
const family = "DejaVu Sans";
const fontFile = import.meta.resolve("dejavu-fonts-ttf/ttf/DejaVuSansCondensed.ttf");
const font = {
  fontBuffers: [readFileSync(new URL(fontFile))],
  defaultFontFamily: family,
  sansSerifFamily: family,
};

/** @throws {Error} for a text that is no SVG. */
function draw(svg: string): Uint8Array {
  using parts = new DisposableStack();
  const drawing = parts.adopt(new Resvg(svg, { font }), (one) => one.free());
  const picture = parts.adopt(drawing.render(), (one) => one.free());
  return picture.asPng();
}

process.on("message", ({ svg }: PictureRequest) => {
  process.send?.(answerTo(svg));
});

function answerTo(svg: string): PictureAnswer {
  try {
    return { png: draw(svg) };
  } catch (error) {
    return { problem: String(error) };
  }
}

// The service has ended.
process.on("disconnect", () => process.exit());
