/**
 * A collection for Postman, made from the OpenAPI document by openapi-to-postmanv2 as Postman's import makes it. The
 * converter is no package of this project: it brings 35 MB of made-up texts. HTTP_CLIENTS names a folder where
 * `npm install openapi-to-postmanv2` has been run.
 */
import { spawnSync } from "node:child_process";
import t from "tap";
import { endpoints } from "../../src/service/http/endpoint-table.ts";
import { renderApiDescription } from "../../src/site/docs/openapi.ts";
import { bundledStore } from "../support/bundled-data.ts";
import { startApp } from "../support/start-app.ts";
import { projectFolder } from "../support/test-files.ts";

interface Pair {
  readonly key: string;
  readonly value: string;
}

interface CollectionItem {
  readonly item?: readonly CollectionItem[];
  readonly request: {
    readonly method: string;
    readonly header: readonly Pair[];
    readonly url: {
      readonly path: readonly string[];
      readonly query: readonly Pair[];
      readonly variable: readonly Pair[];
    };
    readonly body?: { readonly raw?: string };
  };
}

const cwd = process.env["HTTP_CLIENTS"] ?? projectFolder;
const load = 'const { convertV2 } = require("openapi-to-postmanv2");';
const isHere = spawnSync(process.execPath, ["-e", load], { cwd }).status === 0;
const convert = `${load}
const data = require("node:fs").readFileSync(0, "utf8");
convertV2({ type: "string", data }, { parametersResolution: "Example" }, (error, { output, reason }) => {
  if (error || !output) throw error ?? new Error(reason);
  process.stdout.write(JSON.stringify(output[0].data));
});`;

/** Fields that a request may not have both of, as their descriptions say: lists, the place of a seasonality, and
 * what a level of anomalies has. */
const alternatives: readonly (readonly [left: string, kept: string, path?: string])[] = [
  ["product_uuid", "product_uuids"],
  ["market_uuid", "market_uuids"],
  ["county_id", "county_ids"],
  ["county_id", "market_uuid", "seasonality"],
  ["markets_min", "market_uuid"],
];

function requestsOf({ item, request }: CollectionItem): CollectionItem["request"][] {
  return item === undefined ? [request] : item.flatMap(requestsOf);
}

function targetOf({ path, query, variable }: CollectionItem["request"]["url"]): string {
  const names = new Set(query.map(({ key }) => key));
  const values = new Map(variable.map(({ key, value }) => [`:${key}`, value]));
  const fields = query
    .filter(
      ({ key }) =>
        !alternatives.some(
          ([left, kept, of]) => left === key && names.has(kept) && (of === undefined || path.includes(of)),
        ),
    )
    .map(({ key, value }) => `${key}=${encodeURIComponent(value)}`);
  const plain = `/${path.map((part) => values.get(part) ?? part).join("/")}`;
  return fields.length === 0 ? plain : `${plain}?${fields.join("&")}`;
}

t.test(
  "every request of a generated collection is answered",
  { skip: isHere ? false : "openapi-to-postmanv2 is not there" },
  async (t) => {
    const store = await bundledStore();
    const app = await startApp(t, undefined, { deps: { currentStore: () => store } });
    const input = renderApiDescription(endpoints, []);
    const { stdout, stderr } = spawnSync(process.execPath, ["-e", convert], {
      ...{ cwd, input, encoding: "utf8" },
      maxBuffer: 2 ** 26,
    });
    t.match(stdout, "{", stderr);
    const requests = requestsOf(JSON.parse(stdout) as CollectionItem);
    t.equal(requests.length, endpoints.length);
    for (const { method, url, header, body } of requests) {
      const target = targetOf(url);
      const sent = Object.fromEntries(
        header.filter(({ key }) => !key.startsWith("X-Signature")).map(({ key, value }) => [key, value]),
      );
      t.notOk("X-Snapshot-Id" in sent || "If-None-Match" in sent || "Range" in sent, `${target}: no header is made up`);
      const answer = await (method === "GET"
        ? app.signedGet(target, sent)
        : app.signedPost(target, JSON.parse(body?.raw ?? "{}"), sent));
      // Nothing has made downloads here.
      const expected = url.path.includes("downloads") ? [200, 404, 503] : [200];
      t.ok(expected.includes(answer.status), `${method} ${target}: ${answer.status} ${answer.text.slice(0, 300)}`);
    }
  },
);
