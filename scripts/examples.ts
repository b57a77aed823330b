/** Writes the example answers of the documents, made from the bundled data. */
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { createProgram, runProgram } from "../src/cli/command.ts";
import { printReport } from "../src/cli/output.ts";
import { openCurrentSnapshot } from "../src/engine/compiled/open-snapshot.ts";
import type { SnapshotId } from "../src/engine/snapshots/snapshot-layout.ts";
import { makeDownloads } from "../src/publishing/publish/make-downloads.ts";
import { endpoints } from "../src/service/http/endpoint-table.ts";
import { DownloadFiles } from "../src/service/serve/download-files.ts";
import { makeExamples } from "./make-examples.ts";

const root = resolve(import.meta.dirname, "..");
const file = "src/site/docs/examples.json";

const program = createProgram(
  "npm run examples --",
  "Makes the example answers of /docs and /openapi.json from the bundled data.",
  ["npm run examples"],
).action(async () => {
  const { store } = await openCurrentSnapshot(join(root, "data"), {
    onFallback({ error }) {
      throw error;
    },
  });
  // Downloads are made beside the snapshot, so in a copy of it, without those that older code has made.
  const copy = await mkdtemp(join(tmpdir(), "examples-"));
  await cp(join(root, "data"), copy, { recursive: true, filter: (path) => basename(path) !== "downloads" });
  await makeDownloads(copy, store.snapshot.id as SnapshotId);
  const examples = await makeExamples(endpoints, store, new DownloadFiles(copy));
  await rm(copy, { recursive: true });
  await writeFile(join(root, file), `${JSON.stringify(examples, null, 2)}\n`);
  printReport(`${file} has the answers of ${store.snapshot.id} to ${Object.keys(examples).length} requests\n`);
});

await runProgram(program);
