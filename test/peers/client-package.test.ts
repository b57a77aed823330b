/**
 * The client as a package: generated from the document, built, installed, and used from Node.js and from a page in
 * Chromium.
 */
import { execFile } from "node:child_process";
import { copyFileSync, existsSync, globSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { rollup } from "@rollup/wasm-node";
import t, { type Test } from "tap";
import { makeDownloads } from "../../src/publishing/publish/make-downloads.ts";
import { DownloadFiles } from "../../src/service/serve/download-files.ts";
import { publishedData } from "../support/published-data.ts";
import { publicKey, secretKey } from "../support/signed-request.ts";
import { startApp, startMilliseconds } from "../support/start-app.ts";
import { projectFolder } from "../support/test-files.ts";
import { tinyDataset, uuidOf } from "../support/tiny-dataset.ts";
import { skipWithoutChromium, startChromium } from "./chromium.ts";

const run = promisify(execFile);
const clientFolder = join(projectFolder, "src/client");
const name = "kenya-farm-prices-client";
const manifest = JSON.parse(readFileSync(join(clientFolder, "package.json"), "utf8")) as {
  readonly name: string;
  readonly dependencies?: object;
  readonly exports: Readonly<Record<string, Readonly<Record<string, string | null>>>>;
};

const markets = Array.from({ length: 150 }, (_, at) => ({ name: `Market ${at}` }));
const dataset = tinyDataset({ markets, prices: markets.map((_, market) => ({ market, price: market + 1 })) });

/** Where the package is installed: a folder with nothing but the built package in its node_modules. */
const folder = t.testdir({});
const packageFolder = join(folder, "node_modules", name);

t.test("the generated types and operations are those of the document", async (t) => {
  const { stdout } = await run(process.execPath, ["scripts/generate-client.ts", "--print"], {
    cwd: projectFolder,
    maxBuffer: 2 ** 24,
  });
  const written = readFileSync(join(clientFolder, "generated-api.ts"), "utf8");
  t.ok(stdout === written, "run `npm run generate:client` where this fails");
});

t.test("the package builds to JavaScript and declarations, and holds what it exports", async (t) => {
  mkdirSync(packageFolder, { recursive: true });
  const compiler = join(projectFolder, "node_modules/typescript/bin/tsc");
  await run(process.execPath, [compiler, "-p", clientFolder, "--outDir", join(packageFolder, "dist")]);
  copyFileSync(join(clientFolder, "package.json"), join(packageFolder, "package.json"));
  t.equal(manifest.name, name);
  t.equal(manifest.dependencies, undefined);
  const targets = Object.values(manifest.exports).flatMap((conditions) => Object.values(conditions));
  t.equal(targets.length, 8);
  for (const target of targets) if (target !== null) t.ok(existsSync(join(packageFolder, target)), target);
});

t.test("what is packed has the licence, and names no address that is not there", async (t) => {
  const { stdout } = await run("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], { cwd: clientFolder });
  const [packed] = Object.values(JSON.parse(stdout) as readonly { readonly files: readonly { path: string }[] }[]);
  const files = (packed?.files ?? []).map(({ path }) => path);
  for (const file of ["LICENSE", "README.md", "package.json"]) t.ok(files.includes(file), file);
  t.notMatch(JSON.stringify(manifest), /\bexample\b/);
});

t.test("no file of the entry for public keys imports anything but its neighbours", async (t) => {
  const imports = globSync("*.ts", { cwd: clientFolder }).flatMap((file) =>
    [...readFileSync(join(clientFolder, file), "utf8").matchAll(/\bfrom "([^"]+)"/g)].map(([, from = ""]) => [
      file,
      from,
    ]),
  );
  t.ok(imports.length > 10);
  t.strictSame(
    imports.filter(([, from = ""]) => !from.startsWith("./")),
    [
      ["node.ts", "node:crypto"],
      ["node.ts", "node:fs/promises"],
      ["signed.ts", "node:crypto"],
    ],
  );
  t.notOk(
    imports.some(([, from]) => from === "./signed.ts" || from === "./node.ts"),
    "so that no bundler reaches them from there",
  );
});

t.test("programs are checked against the declarations, with the types of browsers or of Node.js", async (t) => {
  const program = [
    `import { ApiError, createPublicClient, type MarketType, type Series } from "${name}";`,
    `const client = createPublicClient({ baseUrl: "https://prices.example.org", apiKey: "svc_pub_" });`,
    `const type: MarketType = "Wholesale";`,
    "const { data, meta, snapshot } = await client.listSeries({ county_id: 47, market_type: type });",
    "export const series: Series | undefined = data[0];",
    "export const total: number = meta.total;",
    `export const market: string = (await client.getMarket({ uuid: "a" }, { snapshot })).data.county.name;`,
    `for await (const page of client.readPages("listSeries")) page.data[0]?.latest_price.toFixed(2);`,
    `for await (const row of client.readExport("markets")) row.latitude?.toFixed(2);`,
    `for await (const row of client.readExport("counties")) row.pcode?.startsWith("KE");`,
    "const { data: downloads } = await client.listDownloads();",
    `const given = { snapshot: downloads[0]?.snapshot ?? "", file: downloads[0]?.files[0]?.name ?? "" };`,
    "export const { sha256, body }: { sha256: string; body: ReadableStream<Uint8Array> } = await " +
      "client.downloadFile(given);",
    `export const isChange = (error: unknown) => error instanceof ApiError && error.code === "SNAPSHOT_CHANGED";`,
    ...[
      "client.searchPrices({});",
      "client.getMarket();",
      "client.listSeries({ county: 47 });",
      `client.listSeries({ market_type: "wholesale" });`,
      `client.readPages("getMarket", { uuid: "a" });`,
      `client.readPages("searchPrices");`,
      `client.readExport("crops");`,
      `client.downloadFile({ snapshot: "a" });`,
    ].flatMap((line) => ["// @ts-expect-error", line]),
  ];
  const signed = [
    `import { saveDownload } from "${name}/node";`,
    `import { createSignedClient } from "${name}/signed";`,
    `const client = createSignedClient({ baseUrl: "https://prices.example.org", apiKey: "svc_sec_", now: Date.now });`,
    `const days = { start_date: "2020-01-01", end_date: "2020-12-31" };`,
    `const { data } = await client.getPriceStatistics({ product_uuid: "a", ...days, group_by: "month" });`,
    `for await (const row of client.readExport("prices", { product_uuid: "a" })) row.price.toFixed(2);`,
    `const panel = { ...days, group_by: "month,county" as const, county_ids: [1, 47] };`,
    `for await (const row of client.readExport("statistics", panel)) row.county_pcode?.startsWith("KE");`,
    "export const median: number | undefined = data.statistics[0]?.median_price;",
    "// @ts-expect-error",
    "client.getPriceStatistics(days);",
    `export const saved: number = (await saveDownload(client, { snapshot: "a", file: "b" }, "path")).bytes;`,
  ];
  const [publicExample = "", signedExample = ""] = examplesOfManual();
  const common = { module: "nodenext", target: "es2022", strict: true, noEmit: true };
  const check = async (folderName: string, programs: readonly string[], options: object): Promise<void> => {
    const place = join(folder, folderName);
    mkdirSync(place);
    const files = programs.map((text, at) => ({ name: `program-${at}.mts`, text }));
    for (const file of files) writeFileSync(join(place, file.name), file.text);
    writeFileSync(
      join(place, "tsconfig.json"),
      JSON.stringify({ compilerOptions: { ...common, ...options }, files: files.map((file) => file.name) }),
    );
    const compiler = join(projectFolder, "node_modules/.bin/tsc");
    const result = await run(compiler, ["-p", place]).catch((error: { readonly stdout: string }) => error);
    t.equal(result.stdout, "", folderName);
  };
  await check("browser", [program.join("\n"), publicExample], { lib: ["es2022", "dom"], types: [] });
  const typeRoots = [join(projectFolder, "node_modules/@types")];
  await check("node", [signed.join("\n"), signedExample], { lib: ["es2022"], types: ["node"], typeRoots });
});

t.test("a program in Node.js uses all entries of the package", async (t) => {
  const { data, id } = await downloadsOf(t);
  const app = await startApp(t, dataset, { deps: { downloads: new DownloadFiles(data) } });
  const baseUrl = `http://127.0.0.1:${app.port}`;
  const program = `
    import { ApiError, createPublicClient } from "${name}";
    import { saveDownload } from "${name}/node";
    import { createSignedClient } from "${name}/signed";
    const [baseUrl, publicKey, secretKey, now, product_uuid, downloads] = process.argv.slice(2);
    const client = createPublicClient({ baseUrl, apiKey: publicKey });
    const signed = createSignedClient({ baseUrl, apiKey: secretKey, now: () => Number(now) });
    const names = [];
    for await (const { data } of client.readPages("listMarkets")) names.push(...data.map(({ name }) => name));
    const error = await client.getMarket({ uuid: product_uuid }).catch((error) => error);
    const days = { start_date: "2026-01-01", end_date: "2026-12-31" };
    const { data, snapshot } = await signed.getPriceStatistics({ product_uuid, ...days });
    const { bytes } = await saveDownload(signed, { snapshot: downloads, file: "prices.parquet" }, "prices.parquet");
    const answers = { names, code: error instanceof ApiError && error.code, overall: data.overall, snapshot };
    console.log(JSON.stringify({ ...answers, bytes }));
  `;
  writeFileSync(join(folder, "program.mjs"), program);
  const args = [baseUrl, publicKey, secretKey, String(startMilliseconds), uuidOf("product", 1), id];
  const { stdout } = await run(process.execPath, [join(folder, "program.mjs"), ...args], { cwd: folder });
  const parquet = readFileSync(join(data, "downloads", id, "prices.parquet"));
  t.ok(readFileSync(join(folder, "prices.parquet")).equals(parquet));
  t.strictSame(JSON.parse(stdout), {
    names: markets.map(({ name }) => name).toSorted(),
    code: "NOT_FOUND",
    overall: { average_price: 75.5, min_price: 1, max_price: 150, total_samples: 150 },
    snapshot: dataset.snapshot.id,
    bytes: parquet.length,
  });
});

t.test("what npm packs is a dependency of ES modules, of CommonJS and of a bundle for browsers", async (t) => {
  const app = await startApp(t, dataset);
  const project = join(folder, "with spaces");
  mkdirSync(project);
  writeFileSync(join(project, "package.json"), JSON.stringify({ name: "project", version: "1.0.0", private: true }));
  const npm = (args: readonly string[], cwd: string) => run("npm", [...args, "--no-audit", "--no-fund"], { cwd });
  await npm(["pack", "--pack-destination", project], clientFolder);
  await npm(["install", "--offline", ...globSync("*.tgz", { cwd: project }).map((file) => `./${file}`)], project);
  const work = (loaded: string): string => `
    (async () => {
      const { createPublicClient } = ${loaded};
      const [baseUrl, apiKey] = process.argv.slice(2);
      const { meta } = await createPublicClient({ baseUrl, apiKey }).listMarkets();
      console.log(meta.total);
    })();
  `;
  writeFileSync(join(project, "module.mjs"), work(`await import("${name}")`));
  writeFileSync(join(project, "common.cjs"), work(`require("${name}")`));
  writeFileSync(join(project, "entry.mjs"), `export * from "${name}";`);
  const bundle = await rollup({
    input: join(project, "entry.mjs"),
    plugins: [{ name: "packages", resolveId: (id) => (id === name ? join(packed(project), "dist/index.js") : null) }],
    onwarn: (warning) => t.fail(warning.message),
  });
  const { output } = await bundle.write({ file: join(project, "bundle.mjs"), format: "es" });
  t.strictSame(output[0].imports, [], "nothing of Node.js, and no other package");
  writeFileSync(join(project, "bundled.mjs"), work(`await import("./bundle.mjs")`));
  for (const program of ["module.mjs", "common.cjs", "bundled.mjs"]) {
    const args = [join(project, program), `http://127.0.0.1:${app.port}`, publicKey];
    t.equal((await run(process.execPath, args, { cwd: project })).stdout.trim(), "150", program);
  }
});

/** The folder of the package as the project of a user has it. */
function packed(project: string): string {
  return join(project, "node_modules", name);
}

t.test("a bundler for browsers finds no entry for secret keys, nor for files", async (t) => {
  const program = join(folder, "bundled.mjs");
  writeFileSync(program, `await import(process.argv[2]).catch(({ code }) => console.log(code));`);
  const outcome = async (entry: string): Promise<string> => {
    const { stdout } = await run(process.execPath, ["--conditions=browser", program, entry]);
    return stdout.trim();
  };
  t.equal(await outcome(`${name}/signed`), "ERR_PACKAGE_PATH_NOT_EXPORTED");
  t.equal(await outcome(`${name}/node`), "ERR_PACKAGE_PATH_NOT_EXPORTED");
  t.equal(await outcome(name), "");
});

t.test("a page of another origin uses the package in Chromium", { skip: skipWithoutChromium }, async (t) => {
  const { data, id } = await downloadsOf(t);
  const deps = { downloads: new DownloadFiles(data), exportAccess: "public" } as const;
  const app = await startApp(t, dataset, { deps });
  const page = await (await startChromium(t)).newPage();
  await page.goto(await servePackage(t));
  const result = await page.evaluate(usePackage, `http://127.0.0.1:${app.port}`, publicKey, uuidOf("product", 1));
  t.strictSame(result, {
    counts: [100, 50],
    rows: 150,
    again: [3, 3],
    error: { status: 404, code: "NOT_FOUND", hasRequestId: true },
    snapshot: dataset.snapshot.id,
    refusal: "apiKey does not begin with svc_pub_, expected a public key; createSignedClient takes secret ones.",
    // The list of changes is in the folder of the snapshot.
    files: [[id, readdirSync(join(data, "downloads", id)).length + 1]],
    series: readFileSync(join(data, "downloads", id, "series.csv"), "utf8"),
  });
  const statuses = app.logLines.map((line) => (JSON.parse(line) as { readonly status?: number }).status);
  t.ok(statuses.includes(304), "the second request for the counties was answered by the tag of the first");
});

/** The programs of the manual. */
function examplesOfManual(): string[] {
  const manual = readFileSync(join(clientFolder, "README.md"), "utf8");
  const examples = [...manual.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, text = ""]) => text);
  if (examples.length !== 2) throw new Error(`the manual has ${examples.length} programs, expected 2`);
  return examples;
}

/** Runs in the page. */
async function usePackage(baseUrl: string, apiKey: string, uuid: string): Promise<object> {
  const entry = "/dist/index.js";
  const { createPublicClient } = (await import(entry)) as typeof import("../../src/client/index.ts");
  const client = createPublicClient({ baseUrl, apiKey });
  const counts: number[] = [];
  let snapshot = "";
  for await (const page of client.readPages("listMarkets")) {
    counts.push(page.data.length);
    snapshot = page.snapshot;
  }
  const again = [await client.listCounties(), await client.listCounties()].map(({ data }) => data.length);
  const thrown = (await client.getMarket({ uuid }).catch((error: unknown) => error)) as {
    readonly status: number;
    readonly code: string;
    readonly requestId: string | undefined;
  };
  const error = { status: thrown.status, code: thrown.code, hasRequestId: thrown.requestId !== undefined };
  let refusal = "";
  try {
    createPublicClient({ baseUrl, apiKey: "svc_sec_" });
  } catch (problem) {
    refusal = (problem as Error).message;
  }
  let rows = 0;
  for await (const { name } of client.readExport("markets")) rows += name === "" ? 0 : 1;
  const { data: downloads } = await client.listDownloads();
  const files = downloads.map((one) => [one.snapshot, one.files.length]);
  const file = await client.downloadFile({ snapshot: downloads[0]?.snapshot ?? "", file: "series.csv" });
  const series = new TextDecoder().decode(await file.read());
  return { counts, rows, again, error, snapshot, refusal, files, series };
}

/** A dataset directory with a snapshot that has its downloads. */
async function downloadsOf(t: Test): Promise<{ readonly data: string; readonly id: string }> {
  const { data, ids } = await publishedData(t.testdir({}), 1);
  const [id] = ids as [(typeof ids)[0]];
  await makeDownloads(data, id);
  return { data, id };
}

/** Serves the files of the package and an empty page. @returns Its origin. */
async function servePackage(t: Test): Promise<string> {
  const server = createServer(({ url = "" }, outgoing) => {
    const isScript = /^\/dist\/[\w-]+\.js$/.test(url);
    outgoing.writeHead(200, { "Content-Type": isScript ? "text/javascript" : "text/html" });
    outgoing.end(isScript ? readFileSync(join(packageFolder, url)) : "<!doctype html><title>Client</title>");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
