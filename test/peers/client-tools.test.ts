/**
 * Tools that clients make their requests with, against the running service: Postman's converter, Prism, four
 * generators, curl.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import t, { type Test } from "tap";
import { freePort } from "../../scripts/deploy/trial.ts";
import { cutLists } from "../../scripts/make-examples.ts";
import { bundledStore } from "../support/bundled-data.ts";
import { type Description, type ExampleRequest, exampleRequestsIn } from "../support/example-requests.ts";
import { publicKey, secretKey, signedHeaders } from "../support/signed-request.ts";
import { startApp, startSeconds } from "../support/start-app.ts";
import { projectFolder } from "../support/test-files.ts";

const packages = join(projectFolder, "test/peers/node_modules");
const lacksCurl = spawnSync("curl", ["--version"]).status === 0 ? false : "curl is not there";

const store = await bundledStore();
const app = await startApp(t, undefined, { deps: { currentStore: () => store } });
const baseUrl = `http://127.0.0.1:${app.port}`;
const text = (await app.send({ method: "GET", path: "/openapi.json" })).text;
const description = JSON.parse(text) as Description;
// Nothing makes downloads here.
const requests = exampleRequestsIn(description).filter(({ target }) => !target.includes("/downloads"));

/** Headers of a request with the key that it needs. */
function headersOf({ method, target, body, isPublic }: ExampleRequest): Record<string, string> {
  const type: Record<string, string> = body === undefined ? {} : { "Content-Type": "application/json" };
  if (isPublic) return { "X-API-Key": publicKey, ...type };
  const sent = body === undefined ? "" : JSON.stringify(body);
  const signed = signedHeaders({ method, path: target, body: sent, key: secretKey, timestampSeconds: startSeconds });
  return { ...signed, ...type };
}

/** Runs a program of the packages in a folder. */
function run(cwd: string, ...[program = "", ...args]: string[]): void {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(packages, program), ...args], {
    ...{ cwd, encoding: "utf8" },
    env: { ...process.env, NODE_OPTIONS: "", DO_NOT_TRACK: "1" },
  });
  if (status !== 0) throw new Error(`${program}: ${status} ${stdout} ${stderr}`);
}

interface Pair {
  readonly key: string;
  readonly value: string;
  readonly disabled?: boolean;
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

function collectedIn({ item, request }: CollectionItem): CollectionItem["request"][] {
  return item === undefined ? [request] : item.flatMap(collectedIn);
}

const convert = `const { convertV2 } = require("openapi-to-postmanv2");
const data = require("node:fs").readFileSync(0, "utf8");
const options = { parametersResolution: "Example", enableOptionalParameters: false };
convertV2({ type: "string", data }, options, (error, { output, reason }) => {
  if (error || !output) throw error ?? new Error(reason);
  process.stdout.write(JSON.stringify(output[0].data));
});`;

t.test("a collection of Postman is answered, with what is required and with all examples", async (t) => {
  const { stdout, stderr } = spawnSync(process.execPath, ["-e", convert], {
    ...{ cwd: join(packages, ".."), input: text, encoding: "utf8" },
    maxBuffer: 2 ** 26,
  });
  t.match(stdout, "{", stderr);
  const collected = collectedIn(JSON.parse(stdout) as CollectionItem);
  t.equal(collected.length, exampleRequestsIn(description).length);
  for (const [at, { method, url, header, body }] of collected.entries()) {
    const values = new Map(url.variable.map(({ key, value }) => [`:${key}`, value]));
    const path = `/${url.path.map((part) => values.get(part) ?? part).join("/")}`;
    const known = exampleRequestsIn(description).find(
      (one) => one.method === method && one.target.split("?")[0] === path,
    );
    if (known === undefined || path.includes("/downloads")) continue;
    const made = header.filter(({ key, disabled }) => disabled !== true && !key.startsWith("X-Signature"));
    const sent = Object.fromEntries(made.map(({ key, value }) => [key, value]));
    for (const isTicked of [
      ({ disabled }: Pair) => disabled !== true,
      // The converter makes up what has no example; nobody ticks that.
      ({ key, disabled }: Pair) => disabled !== true || key in known.query,
    ]) {
      const fields = url.query.filter(isTicked).map(({ key, value }) => `${key}=${encodeURIComponent(value)}`);
      const target = fields.length === 0 ? path : `${path}?${fields.join("&")}`;
      // One of two fields is required, which a description cannot say.
      if (path.endsWith("/seasonality") && fields.length === 1) continue;
      if (path.endsWith("/prices/now") && fields.length === 0) continue;
      const answer = await (method === "GET"
        ? app.signedGet(target, sent)
        : app.signedPost(target, JSON.parse(body?.raw ?? "{}"), sent));
      t.equal(answer.status, 200, `${at}: ${method} ${target}: ${answer.text.slice(0, 300)}`);
    }
  }
});

/** Runs Prism in front of the service; it refuses what the description does not allow, in requests and in answers. */
async function startPrism(t: Test): Promise<string> {
  const file = join(t.testdir(), "openapi.json");
  writeFileSync(file, text);
  const port = await freePort();
  const args = ["@stoplight/prism-cli/dist/index.js", "proxy", file, baseUrl, "--errors", "-p", String(port)];
  const child: ChildProcess = spawn(process.execPath, [join(packages, args[0] as string), ...args.slice(1)], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, NODE_OPTIONS: "" },
  });
  t.teardown(() => child.kill());
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let said = "";
  child.stdout?.on("data", (piece: Buffer) => {
    said += piece.toString();
    if (said.includes("Prism is listening")) resolve();
  });
  child.on("close", () => reject(new Error(`Prism ended: ${said}`)));
  await promise;
  return `http://127.0.0.1:${port}`;
}

t.test("Prism finds nothing wrong with any example and its answer", async (t) => {
  const prism = await startPrism(t);
  for (const request of requests) {
    const { method, target, body } = request;
    const response = await fetch(prism + target, {
      ...{ method, headers: headersOf(request) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const received = await response.text();
    t.equal(response.status, 200, `${method} ${target}: ${received.slice(0, 500)}`);
    t.equal(response.headers.get("sl-violations"), null, target);
  }
  const wrong = await fetch(`${prism}/api/v1/counties/99`, { headers: { "X-API-Key": publicKey } });
  t.equal(wrong.status, 422, "it would find something");
});

/** A module of generated TypeScript. @param head Code before all else. */
async function bundle<Module>(folder: string, entry: string, head = ""): Promise<Module> {
  const outfile = join(folder, `${entry.replaceAll(/\W/g, "-")}.mjs`);
  const { build } = (await import(pathToFileURL(join(packages, "esbuild/lib/main.js")).href)) as {
    build: (options: object) => Promise<unknown>;
  };
  await build({ entryPoints: [join(folder, entry)], outfile, bundle: true, format: "esm", banner: { js: head } });
  return (await import(pathToFileURL(outfile).href)) as Module;
}

/** Checks generated TypeScript; the compiler is that of the client. */
function requireTypes(folder: string, file: string): void {
  const compiler = join(packages, "typescript/bin/tsc");
  const options = ["--noEmit", "--strict", "--skipLibCheck", "--target", "es2022", "--module", "esnext"];
  const { status, stdout } = spawnSync(
    process.execPath,
    [compiler, ...options, "--moduleResolution", "bundler", "--lib", "es2022,dom,dom.iterable", join(folder, file)],
    { encoding: "utf8" },
  );
  if (status !== 0) throw new Error(`${file}: ${stdout}`);
}

/** A folder with the description. */
function generate(t: Test, ...program: string[]): string {
  const folder = t.testdir();
  writeFileSync(join(folder, "openapi.json"), text);
  run(folder, ...program);
  return folder;
}

const requestOf = (id: string): ExampleRequest => requests.find((one) => one.id === id) as ExampleRequest;

/** What a client of a generator has to answer: lists, a list in the query, a body, and an answer that it has. */
const called = ["listCrops", "getLatestPrices", "getCounty", "listMarkets", "queryLatestPrices", "searchProducts"];

function requireShown(t: Test, id: string, answer: unknown): void {
  t.strictSame(cutLists(answer), requestOf(id).shownIn("application/json"), id);
}

t.test("the client of openapi-typescript has the types of rows and headers", async (t) => {
  const folder = t.testdir();
  writeFileSync(join(folder, "openapi.json"), text);
  const program = join(packages, "openapi-typescript/bin/cli.js");
  const { status, stderr } = spawnSync(process.execPath, [program, "openapi.json", "-o", "api.ts"], { cwd: folder });
  t.equal(status, 0, String(stderr));
  writeFileSync(
    join(folder, "use.ts"),
    `import type { components, operations } from "./api";
type Rows = Exclude<operations["exportPricesNdjson"]["responses"][200]["content"]["application/x-ndjson"], string>;
const price: Rows["price"] = 5;
const row: Rows = {} as components["schemas"]["ExportedPrice"];
const headers: operations["listCrops"]["parameters"]["header"] = { "If-None-Match": "a", "X-Snapshot-Id": "b" };
const range: operations["downloadFile"]["parameters"]["header"] = { Range: "bytes=0-1", "X-Signature": "", "X-Signature-Timestamp": "" };
export { headers, price, range, row };`,
  );
  t.doesNotThrow(() => requireTypes(folder, "use.ts"));
});

t.test("the client of orval asks and is answered", async (t) => {
  const folder = generate(
    t,
    "orval/dist/bin/orval.js",
    "--input",
    "openapi.json",
    "--output",
    "api.ts",
    "--client",
    "fetch",
  );
  requireTypes(folder, "api.ts");
  const head = `const fetch = (path, init) => globalThis.fetch(${JSON.stringify(baseUrl)} + path, init);`;
  type Call = (
    ...args: unknown[]
  ) => Promise<{ readonly status: number; readonly data: unknown; readonly headers: Headers }>;
  const api = await bundle<Readonly<Record<string, Call>>>(folder, "api.ts", head);
  const init = { headers: { "X-API-Key": publicKey, "Content-Type": "application/json" } };
  for (const id of called) {
    const { path, query, body } = requestOf(id);
    const args = [...Object.values(path), ...(body === undefined ? [] : [body])];
    const hasQuery = Object.keys(query).length > 0 || (args.length === 1 && id === "getCounty");
    const { status, data } = await (api[id] as Call)(...args, ...(hasQuery ? [query] : []), init);
    t.equal(status, 200, id);
    requireShown(t, id, data);
  }
});

t.test("the client of hey-api asks and is answered", async (t) => {
  const folder = generate(
    ...[t, "@hey-api/openapi-ts/bin/run.js", "-i", "openapi.json", "-o", "api", "-c", "@hey-api/client-fetch"],
  );
  requireTypes(folder, "api/index.ts");
  type Call = (options: object) => Promise<{ readonly data: unknown; readonly response: Response }>;
  const api = await bundle<Readonly<Record<string, Call>>>(folder, "api/index.ts");
  const options = { baseUrl, auth: publicKey };
  for (const id of called) {
    const { path, query, body } = requestOf(id);
    const { data, response } = await (api[id] as Call)({ ...options, path, query, body });
    t.equal(response.status, 200, id);
    requireShown(t, id, data);
    const etag = response.headers.get("etag");
    if (etag === null) continue;
    const again = await (api[id] as Call)({ ...options, path, query, headers: { "If-None-Match": etag } });
    t.equal(again.response.status, 304, id);
  }
});

t.test("the client of swagger-typescript-api asks and is answered", async (t) => {
  const folder = generate(
    ...[t, "swagger-typescript-api/dist/cli.mjs", "generate", "-p", "openapi.json", "-o", ".", "-n", "api.ts"],
  );
  requireTypes(folder, "api.ts");
  type Call = (...args: unknown[]) => Promise<{ readonly status: number; readonly data: unknown }>;
  type Client = new (config: object) => { readonly api: Readonly<Record<string, Call>> };
  const { Api } = await bundle<{ readonly Api: Client }>(folder, "api.ts");
  const { api } = new Api({ baseUrl, baseApiParams: { headers: { "X-API-Key": publicKey }, format: "json" } });
  for (const id of called) {
    const { path, query, body } = requestOf(id);
    const hasQuery = Object.keys(query).length > 0;
    const args = [...Object.values(path), ...(hasQuery ? [query] : []), ...(body === undefined ? [] : [body])];
    const { status, data } = await (api[id] as Call)(...args);
    t.equal(status, 200, id);
    requireShown(t, id, data);
  }
});

t.test("curl gets what is shown, and 304 by the tag that it saved", { skip: lacksCurl }, async (t) => {
  const folder = t.testdir();
  for (const request of requests) {
    const { id, method, target, body } = request;
    const curl = (...args: string[]) => {
      const headers = Object.entries(headersOf(request)).flatMap(([name, value]) => ["-H", `${name}: ${value}`]);
      const data = body === undefined ? [] : ["--data-binary", JSON.stringify(body)];
      const options = ["-sS", "--compressed", "-X", method, "-w", "%{http_code}", ...headers, ...data, ...args];
      return runCurl([...options, baseUrl + target]);
    };
    const [file, tag] = [join(folder, `${id}.body`), join(folder, `${id}.tag`)];
    t.equal(await curl("-o", file, "--etag-save", tag), "200", target);
    const shown = request.shownIn("application/json");
    if (shown !== undefined) t.strictSame(cutLists(JSON.parse(readFileSync(file, "utf8"))), shown, target);
    if (method === "POST" || readFileSync(tag, "utf8").trim() === "") continue;
    t.equal(await curl("-o", `${file}.again`, "--etag-compare", tag), "304", target);
  }
});

/** Curl in a process beside this one, in which the service is. */
async function runCurl(args: readonly string[]): Promise<string> {
  const child = spawn("curl", args, { stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  child.stdout.on("data", (piece: Buffer) => (output += piece.toString()));
  await once(child, "close");
  return output;
}
