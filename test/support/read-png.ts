/** Pixels of a PNG of 8 bits a sample with transparency, without interlacing: https://www.w3.org/TR/png-3/. */
import { inflateSync } from "node:zlib";

export interface Picture {
  readonly width: number;
  readonly height: number;
  /** Red, green, blue and opacity of a pixel, 0 to 255. */
  readonly pixelAt: (x: number, y: number) => readonly number[];
}

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const pixelBytes = 4;

/** @throws {Error} for what is no such PNG. */
export function readPng(png: Buffer): Picture {
  if (!png.subarray(0, 8).equals(signature)) throw new Error(`no PNG begins with ${png.toString("latin1", 0, 8)}`);
  const chunks = chunksOf(png);
  const header = chunks.find(({ name }) => name === "IHDR")?.data ?? Buffer.alloc(0);
  if (header.toString("hex", 8) !== "0806000000") throw new Error(`the PNG has the form ${header.toString("hex", 8)}`);
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const packed = Buffer.concat(chunks.filter(({ name }) => name === "IDAT").map(({ data }) => data));
  const pixels = unfiltered(inflateSync(packed), width * pixelBytes, height);
  return {
    width,
    height,
    pixelAt: (x, y) => [...pixels.subarray((y * width + x) * pixelBytes).subarray(0, pixelBytes)],
  };
}

function chunksOf(png: Buffer): { readonly name: string; readonly data: Buffer }[] {
  const chunks = [];
  for (let at = signature.length; at < png.length; ) {
    const length = png.readUInt32BE(at);
    chunks.push({ name: png.toString("latin1", at + 4, at + 8), data: png.subarray(at + 8, at + 8 + length) });
    at += length + 12;
  }
  return chunks;
}

/** Undoes the filter of each line (section 9). */
function unfiltered(filtered: Buffer, lineBytes: number, height: number): Buffer {
  const pixels = Buffer.alloc(lineBytes * height);
  for (let y = 0; y < height; y++) {
    const filter = filtered[y * (lineBytes + 1)] as number;
    for (let x = 0; x < lineBytes; x++) {
      const at = y * lineBytes + x;
      const left = x < pixelBytes ? 0 : (pixels[at - pixelBytes] as number);
      const above = y === 0 ? 0 : (pixels[at - lineBytes] as number);
      const corner = x < pixelBytes || y === 0 ? 0 : (pixels[at - lineBytes - pixelBytes] as number);
      const predictions = [0, left, above, (left + above) >> 1, nearest(left, above, corner)];
      pixels[at] = (filtered[y * (lineBytes + 1) + 1 + x] as number) + (predictions[filter] as number);
    }
  }
  return pixels;
}

/** The neighbour that is nearest to left + above - corner (section 9.4). */
function nearest(left: number, above: number, corner: number): number {
  const estimate = left + above - corner;
  const [fromLeft, fromAbove, fromCorner] = [left, above, corner].map((one) => Math.abs(estimate - one)) as [
    number,
    number,
    number,
  ];
  if (fromLeft <= fromAbove && fromLeft <= fromCorner) return left;
  return fromAbove <= fromCorner ? above : corner;
}

/** How many pixels of a part are darker than half of white. */
export function darkPixels({ pixelAt }: Picture, left: number, top: number, width: number, height: number): number {
  let count = 0;
  for (let y = top; y < top + height; y++) {
    for (let x = left; x < left + width; x++) {
      const [red = 255, green = 255, blue = 255] = pixelAt(x, y);
      if (red + green + blue < 384) count++;
    }
  }
  return count;
}
