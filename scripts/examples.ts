/** Writes the example answers of the documents, made from the bundled data. */
import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { createProgram, runProgram } from "../src/cli/command.ts";
import { printReport } from "../src/cli/output.ts";
import { openCurrentSnapshot } from "../src/compiled/open-snapshot.ts";
import { makeExamples } from "../src/http/documents/make-examples.ts";
import { endpoints } from "../src/http/endpoints.ts";

const root = resolve(import.meta.dirname, "..");
const file = "src/http/documents/examples.json";

const program = createProgram(
  "examples",
  "Makes the example answers of /docs and /openapi.json from the bundled data.",
  ["npm run examples"],
).action(async () => {
  const { store } = await openCurrentSnapshot(join(root, "data"), {
    onFallback({ error }) {
      throw error;
    },
  });
  const examples = await makeExamples(endpoints, store);
  await writeFile(join(root, file), `${JSON.stringify(examples, null, 2)}\n`);
  printReport(`${file} has the answers of ${store.snapshot.id} to ${Object.keys(examples).length} requests\n`);
});

await runProgram(program);
