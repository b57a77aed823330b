import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import t from "tap";
import { buildStore } from "../../../src/engine/store/build-store.ts";
import { sourceOf, writeToTestFile } from "../../engine/compiled/round-trip.ts";
import { largeDataset } from "../../support/large-dataset.ts";

const store = buildStore(largeDataset(100_000));

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
