/** The store of a snapshot that is staged cannot be built: no copy of the data stays behind. */
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import t from "tap";
import { sampleDefaults } from "../../bench/sample/sample-options.ts";
import { writeSampleFolder } from "../../bench/sample/write-sample-folder.ts";
import { runScript } from "../cli/run-script.ts";
import { checkLoadsWhole } from "../support/after-fault.ts";
import { testUuid } from "../support/snapshot-files.ts";

/** Enough for the store to be built on threads. */
const prices = 200_000;

const skip = availableParallelism() === 1 && "stores are built without threads here";

t.test("publish and append, their threads failing", { skip, timeout: 300_000 }, async (t) => {
  const root = t.testdir({});
  const [candidate, data] = [join(root, "candidate"), join(root, "data")];
  await writeSampleFolder({ ...sampleDefaults, prices, seed: 1, outputPath: candidate });
  const plain = await readFile(join(candidate, "prices.ndjson"));
  await rm(join(candidate, "prices.ndjson"));
  // Compressed it is small enough to be read without threads, so that nothing fails before the folder is staged.
  const packed = join(candidate, "prices.ndjson.gz");
  await writeFile(packed, gzipSync(plain, { level: 1 }));
  // Loaded into every thread of the process: the code of the threads that build is not to be had.
  const failing = join(root, "failing.mjs");
  const refuse = 'if (url.endsWith("/part-worker.ts")) throw new Error("no such code"); return next(url, context);';
  await writeFile(
    failing,
    `import { registerHooks } from "node:module";\nregisterHooks({ load(url, context, next) { ${refuse} } });\n`,
  );
  const NODE_OPTIONS = `--import=${pathToFileURL(failing)}`;
  const snapshot = async (args: readonly string[], env: Record<string, string>) =>
    await runScript("snapshot", [...args, "--data-dir", data], root, env);

  const fails = async (name: string, args: readonly string[]): Promise<void> => {
    const before = await readdir(join(data, "snapshots")).catch(() => []);
    const { code, stderr } = await snapshot(args, { NODE_OPTIONS });
    t.equal(code, 1, name);
    t.match(stderr, "no such code", name);
    t.same(await readdir(join(data, "snapshots")), before, `${name} leaves nothing`);
  };
  await fails("publish", ["publish", candidate]);

  t.match(await snapshot(["publish", candidate], {}), { code: 0, stdout: "published" });
  await checkLoadsWhole(t, data, "without the fault");
  const day = join(root, "day.ndjson");
  const first = plain.subarray(0, plain.indexOf("\n") + 1).toString();
  await writeFile(day, first.replace(/"uuid":"[^"]*"/, `"uuid":"${testUuid(2)}"`));
  await fails("append", ["append", day]);
  t.match(await snapshot(["append", day], {}), { code: 0, stdout: "1 price added" });
  await checkLoadsWhole(t, data, "without the fault");
});
