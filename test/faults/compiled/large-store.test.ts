import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import t from "tap";
import { compareStores } from "../../../src/engine/compiled/compare-stores.ts";
import { blockBytes } from "../../../src/engine/compiled/file-layout.ts";
import { buildStore } from "../../../src/engine/store/build-store.ts";
import { columnsOf, flipBit } from "../../engine/compiled/damage.ts";
import { readAs, sourceOf, writeToTestFile } from "../../engine/compiled/round-trip.ts";
import { largeDataset } from "../../support/large-dataset.ts";

const store = buildStore(largeDataset(100_000));

t.test("a store of several blocks is read as it was written, and each block is checked", async (t) => {
  const path = await writeToTestFile(t, store);
  const file = readFileSync(path);
  const columnBytes = columnsOf(file).length;
  t.ok(columnBytes > 2 * blockBytes && columnBytes % blockBytes !== 0, `${columnBytes} bytes`);
  t.same(compareStores(await readAs(path, store), store), []);
  for (const at of [0, blockBytes - 1, blockBytes, 2 * blockBytes - 1, 2 * blockBytes, columnBytes - 1]) {
    writeFileSync(path, flipBit(file, 64 + at, 1));
    const first = 64 + at - (at % blockBytes);
    const message = new RegExp(`found flipped bits in bytes ${first} to `);
    await t.rejects(readAs(path, store), { code: "damaged", message }, `byte ${at} of the columns`);
  }
});

t.test("stores that no one holds any more give their memory back", async (t) => {
  const path = await writeToTestFile(t, store);
  const loads = 50;
  const script = `
    import { readCompiledStore } from ${JSON.stringify(new URL("../../../src/engine/compiled/compiled-file.ts", import.meta.url))};
    import { setTimeout as delay } from "node:timers/promises";
    const load = async () => void (await readCompiledStore(...${JSON.stringify([path, sourceOf(store), store.snapshot])}));
    await load();
    const before = process.memoryUsage.rss();
    for (let count = 0; count < ${loads}; count++) {
      await load();
      if (count % 10 !== 9) continue;
      gc();
      await delay(10); // the memory is given back by a thread beside
    }
    console.log(process.memoryUsage.rss() - before);`;
  const options = ["--expose-gc", "--input-type=module", "--eval", script];
  const grown = Number(execFileSync(process.execPath, options, { encoding: "utf8" }));
  const loaded = loads * readFileSync(path).length;
  t.ok(grown < loaded / 3, `${grown} bytes more after loading ${loaded}`);
});
