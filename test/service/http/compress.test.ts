import { once } from "node:events";
import type { Transform } from "node:stream";
import {
  brotliDecompressSync,
  createBrotliDecompress,
  createGunzip,
  createZstdDecompress,
  gunzipSync,
  zstdDecompressSync,
} from "node:zlib";
import fc from "fast-check";
import t from "tap";
import { acceptEncodingCharactersMax } from "../../../src/contract/limits.ts";
import { acceptedCodings, BodyCompressor, compressWhole } from "../../../src/service/http/answer/representation.ts";
import { anyCharacter } from "../../support/any-character.ts";
import "../../support/fixed-seed.ts";

const codings = ["gzip", "br", "zstd"] as const;
const decompressed = { gzip: gunzipSync, br: brotliDecompressSync, zstd: zstdDecompressSync };
const decompressors: Readonly<Record<(typeof codings)[number], () => Transform>> = {
  gzip: createGunzip,
  br: createBrotliDecompress,
  zstd: createZstdDecompress,
};

t.test("what a client accepts, best first, whatever the header", async (t) => {
  const all = ["zstd", "br", "gzip", "identity"];
  const expected: readonly (readonly [header: string | undefined, codings: readonly string[]])[] = [
    [undefined, ["identity"]],
    ["", ["identity"]],
    ["gzip, deflate, br, zstd", all],
    ["*", ["gzip", "identity"]],
    ["*;q=0.1", ["gzip", "identity"]],
    ["gzip, *", ["gzip", "identity"]],
    ["deflate, *", ["gzip", "identity"]],
    ["deflate;q=0.5, *;q=0.1", ["gzip", "identity"]],
    ["identity, *", ["gzip", "identity"]],
    ["identity, *;q=0.5", ["identity", "gzip"]],
    ["gzip;q=0, *", ["identity"]],
    ["br, *", ["br", "gzip", "identity"]],
    ["*, br", ["br", "gzip", "identity"]],
    ["compress;q=0.5, *;q=1.0", ["gzip", "identity"]],
    ["ZSTD ; q=0.5, *", ["gzip", "identity", "zstd"]],
    ["*;q=0", ["identity"]],
    ["gzip;q=0", ["identity"]],
    ["identity;q=0", ["identity"]],
    ["identity;q=0, *;q=0", ["identity"]],
    ["identity;q=0, gzip", ["gzip", "identity"]],
    ["GZIP", ["gzip", "identity"]],
    ["gzip;q=0.5, br;q=0.9, zstd;q=0.1", ["br", "gzip", "zstd", "identity"]],
    ["br;q=0.9,gzip", ["gzip", "br", "identity"]],
    ["gzip;q=0.5, identity", ["identity", "gzip"]],
    ["zstd;q=0, *", ["gzip", "identity"]],
    ["gzip;q=nonsense", ["identity"]],
    ["gzip ; q = 0.5", ["gzip", "identity"]],
    ['gzip;x="a,b", deflate', ["gzip", "identity"]],
    ["deflate, x-gzip, compress", ["identity"]],
    [",,,", ["identity"]],
    [";;=", ["identity"]],
    ['"', ["identity"]],
  ];
  for (const [header, wanted] of expected) t.strictSame(acceptedCodings(header), wanted, String(header));
});

t.test("a header that is too long is not read, and any text gives codings", async (t) => {
  const atMost = "gzip".padEnd(acceptEncodingCharactersMax, " ");
  t.strictSame(acceptedCodings(atMost), ["gzip", "identity"]);
  t.strictSame(acceptedCodings(`${atMost} `), ["identity"], "a longer one is not read");
  fc.assert(
    fc.property(fc.string({ maxLength: 300 }), (header) => {
      const accepted = acceptedCodings(header);
      return accepted.includes("identity") && new Set(accepted).size === accepted.length;
    }),
  );
});

t.test("a body in a coding is the body, whole or chunk by chunk", async () => {
  const bodies = fc.array(fc.string({ unit: anyCharacter, maxLength: 3000 }), { minLength: 1, maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(bodies, fc.constantFrom(...codings), async (texts, coding) => {
      const chunks = texts.map((text) => Buffer.from(text));
      const body = Buffer.concat(chunks);
      const compressor = new BodyCompressor(coding);
      const parts: Buffer[] = [];
      for (const [at, chunk] of chunks.entries())
        parts.push(await compressor.compress(chunk, at === chunks.length - 1));
      compressor.close();
      return (
        body.equals(decompressed[coding](Buffer.concat(parts))) &&
        body.equals(decompressed[coding](compressWhole(body, coding)))
      );
    }),
  );
});

t.test("each chunk can be read when it arrives", async (t) => {
  for (const coding of codings) {
    const compressor = new BodyCompressor(coding);
    const reader = decompressors[coding]();
    for (const text of ["[1,2,3", ",4,5,6", ",7]"]) {
      reader.write(await compressor.compress(Buffer.from(text), false));
      const [read] = (await once(reader, "data")) as [Buffer];
      t.equal(read.toString(), text, coding);
    }
    reader.destroy();
    compressor.close();
  }
});
