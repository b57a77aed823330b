/** Small datasets, and beside each what must be answered from it, byte for byte. README.md says how to add one. */
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import t from "tap";
import { apiPrefix } from "../../src/contract/paths.ts";
import { programVersion } from "../../src/engine/files/program-version.ts";
import { endpoints } from "../../src/service/http/endpoint-table.ts";
import { loadCurrentDataset } from "../support/open-snapshots.ts";
import { secretKey, signedHeaders } from "../support/signed-request.ts";
import { type ReceivedAnswer, type RunningApp, startApp, startSeconds } from "../support/start-app.ts";

interface GoldenRequest {
  readonly method: string;
  /** With query string, as it is sent. */
  readonly path: string;
  readonly body?: object;
}

/** The content of a file in `answers`. */
interface GoldenAnswer {
  readonly request: GoldenRequest;
  readonly status: number;
  readonly answer: unknown;
}

const folder = import.meta.dirname;
const datasetNames = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

t.test("there are datasets to answer from", async (t) => {
  t.strictSame(datasetNames.toSorted(), ["appended-prices", "no-prices", "three-counties"]);
});

for (const name of datasetNames) {
  t.test(`${name} is answered as written down`, async (t) => {
    const dataset = await loadCurrentDataset(join(folder, name, "data"), {
      onFallback: ({ error }) => t.fail(error.message),
    });
    const app = await startApp(t, dataset);
    const answers = readAnswers(join(folder, name, "answers"));
    for (const [file, { request, status, answer }] of answers) {
      const received = await send(app, request);
      t.equal(received.status, status, `${file}: status`);
      t.strictSame(received.body, answer, `${file}: values`);
      t.equal(received.text, JSON.stringify(answer), `${file}: bytes`);
    }
    const requests = [...answers.values()].map(({ request }) => request);
    t.strictSame(unaskedEndpoints(requests), [], "every endpoint is asked");
    const exports = readdirSync(join(folder, name, "exports")).sort();
    const exported = endpoints.filter(({ form }) => form.kind === "table").map(({ path }) => basename(path));
    t.strictSame(exports, exported.sort(), "there is a file for each export");
    for (const file of exports) {
      const days = file.startsWith("statistics.") ? "?start_date=2025-12-01&end_date=2026-03-31" : "";
      const received = await send(app, { method: "GET", path: `${apiPrefix}/exports/${file}${days}` });
      t.equal(received.status, 200, `${file}: status`);
      t.equal(received.text, readFileSync(join(folder, name, "exports", file), "utf8"), `${file}: bytes`);
    }
  });
}

function readAnswers(answersFolder: string): Map<string, GoldenAnswer> {
  const { version } = programVersion();
  return new Map(
    readdirSync(answersFolder).map((file) => {
      const text = readFileSync(join(answersFolder, file), "utf8");
      return [file, JSON.parse(text.replace('"program_version": "any"', `"program_version": "${version}"`))];
    }),
  );
}

function send(app: RunningApp, { method, path, body: fields }: GoldenRequest): Promise<ReceivedAnswer> {
  const body = fields === undefined ? "" : JSON.stringify(fields);
  const headers = {
    ...signedHeaders({ method, path, body, key: secretKey, timestampSeconds: startSeconds }),
    "Content-Type": "application/json",
    "X-Request-Id": "golden",
  };
  return app.send({ method, path, headers, body });
}

/**
 * Endpoints that none of the requests reaches; exports have files of their own, and downloads are no part of a dataset.
 * Fixed segments stand before `:uuid` in the table, so the first fits.
 */
function unaskedEndpoints(requests: readonly GoldenRequest[]): string[] {
  const answersJson = endpoints.filter(({ form }) => form.kind === "list" || form.kind === "record");
  const patterns = answersJson.map(({ method, path }) => ({
    name: `${method} ${path}`,
    expression: new RegExp(`^${method} ${apiPrefix}${path.replaceAll(/:\w+/g, "[^/]+")}$`),
  }));
  const reached = requests.map(({ method, path }) => {
    const target = `${method} ${path.split("?")[0]}`;
    return patterns.find(({ expression }) => expression.test(target))?.name;
  });
  return patterns.map(({ name }) => name).filter((name) => !reached.includes(name));
}
