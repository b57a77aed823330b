import { crc32 } from "node:zlib";
import t from "tap";
import { layoutVersion } from "../../../src/engine/compiled/layout-version.ts";
import { serializeStore } from "../../../src/engine/compiled/serialize-store.ts";
import { buildStore } from "../../../src/engine/store/build-store.ts";
import { largeDataset } from "../../support/large-dataset.ts";
import { tinyDataset } from "../../support/tiny-dataset.ts";

/**
 * A file of an older version of the code must not be read by a newer one to which its bytes mean something else. When
 * this fails, what a store consists of has changed: raise `layoutVersion` in src/engine/compiled/layout-version.ts by one,
 * unless it has been raised since the last release, and write the new pair here.
 */
const known = { layoutVersion: 17, checksum: 3323555870 };

t.test("a store whose bytes change comes with another layout version", async (t) => {
  const notes = tinyDataset({
    prices: [
      { notes: "first", qualityGrade: "A" },
      { market: 1, unit: "90 kg bag" },
    ],
  });
  let checksum = 0;
  for (const dataset of [notes, largeDataset(2000)]) {
    const { columns, rest } = serializeStore(buildStore(dataset));
    checksum = crc32(JSON.stringify(rest), checksum);
    for (const { path, column } of columns) {
      checksum = crc32(path, checksum);
      checksum = crc32(new Uint8Array(column.buffer, column.byteOffset, column.byteLength), checksum);
    }
  }
  t.same({ layoutVersion, checksum }, known);
});
