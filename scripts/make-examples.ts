/**
 * The answers that the documents show: those of the example requests of the endpoints, as this code gives them from a
 * store. scripts/examples.ts writes them to examples.json, so that the documents are the same whatever snapshot is
 * served, and show nothing of another one to a reader without a key.
 */

import { type ByteText, bytesOf } from "../src/contract/byte-text.ts";
import type { Downloads } from "../src/contract/downloads.ts";
import type { Endpoint } from "../src/contract/endpoint.ts";
import { endpointName, exampleParams, exampleQuery } from "../src/contract/endpoint.ts";
import { FileAnswer } from "../src/contract/reply-body.ts";
import { finish } from "../src/engine/store/steps.ts";
import type { Store } from "../src/engine/store/store.ts";
import { createInputReader } from "../src/service/http/request/read-request.ts";

/** Entries that are shown of each list of an example. */
const exampleItems = 3;

/** The example answers by endpoint name, their lists cut. */
export async function makeExamples(
  endpoints: readonly Endpoint[],
  store: Store,
  downloads: Downloads,
): Promise<Record<string, unknown>> {
  const examples: Record<string, unknown> = {};
  for (const endpoint of endpoints) {
    const { body } = endpoint.example;
    const input = createInputReader(endpoint)({
      params: exampleParams(endpoint, store.snapshot.id),
      queryText: exampleQuery(endpoint),
      body: {
        bytes: Buffer.from(body === undefined ? "" : JSON.stringify(body)),
        contentType: "application/json",
        contentEncoding: undefined,
      },
    });
    const answer = await endpoint.handle({ store, downloads, ...input }, finish);
    const name = endpointName(endpoint);
    if (answer instanceof FileAnswer) {
      examples[name] = cutLines(await readFile(answer));
      continue;
    }
    const text = bytesOf([...answer].join("") as ByteText).toString();
    examples[name] = endpoint.form.kind === "table" ? cutLines(text) : cutLists(JSON.parse(text));
  }
  return examples;
}

/** @returns Its first bytes, more than an example shows. */
async function readFile({ file }: FileAnswer): Promise<string> {
  try {
    return (await file.read(0, Math.min(file.bytes, 4096))).toString();
  } finally {
    await file.close();
  }
}

/** The first lines of a file: the names of the columns, where they are there, and the first rows. */
export function cutLines(text: string): string {
  return text
    .split(/(?<=\n)/)
    .slice(0, exampleItems)
    .join("");
}

/** A JSON value with each list cut to its first entries. */
export function cutLists(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, exampleItems).map(cutLists);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, cutLists(field)]));
}
