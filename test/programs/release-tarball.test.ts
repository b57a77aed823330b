/**
 * What `npm run release -- --dry-run` makes of this tree: installed with npm into an empty folder whose path has a
 * space, started with the oldest Node that it takes and with this one, until each entry file of a thread or process has
 * run. And the client's tarball in a project of TypeScript.
 */
import { execFile, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { globSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { cp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { writeXlsx } from "hucre/xlsx";
import t, { type Test } from "tap";
import { parse as parseYaml } from "yaml";
import { git } from "../../scripts/release/check-release.ts";
import { startFolderOrigin } from "../support/folder-origin.ts";
import { olderNode } from "../support/older-node.ts";
import {
  holdsWithin,
  type RunningService,
  ServiceProcess,
  serviceEnvironment,
  untilListening,
  type Variables,
} from "../support/start-process.ts";
import { projectFolder } from "../support/test-files.ts";

const run = promisify(execFile);

const place = mkdtempSync(join(tmpdir(), "a release "));
t.teardown(() => rmSync(place, { recursive: true, force: true }));
const clone = join(place, "clone");
const installed = join(place, "an empty folder");
const home = join(place, "home");
const command = join(installed, "node_modules/.bin/kenya-farm-prices");

const version = (JSON.parse(readFileSync(join(projectFolder, "package.json"), "utf8")) as { version: string }).version;
const tarball = `kenya-farm-prices-${version}.tgz`;
const clientTarball = `kenya-farm-prices-client-${version}.tgz`;

const npm = (args: readonly string[], cwd: string) => run("npm", [...args, "--no-audit", "--no-fund"], { cwd });

/** Why npm cannot install from the registry, or false. */
const lacksRegistry = await npm(["view", "koa", "version", "--fetch-retries=0"], tmpdir()).then(
  () => false as const,
  (error: Error) => `the registry of npm does not answer: ${error.message.split("\n")[0]}`,
);

/** A repository with one commit, of all files of this tree that git does not ignore. */
async function commitThisTree(): Promise<void> {
  const listed = git(projectFolder, "ls-files", "--cached", "--others", "--exclude-standard").split("\n");
  const files = listed.filter((path) => lstatSync(join(projectFolder, path), { throwIfNoEntry: false }) !== undefined);
  await Promise.all(files.map((path) => cp(join(projectFolder, path), join(clone, path))));
  git(clone, "init", "--quiet");
  writeFileSync(join(clone, ".git/info/exclude"), "node_modules\n");
  symlinkSync(join(projectFolder, "node_modules"), join(clone, "node_modules"));
  git(clone, "add", ".");
  git(clone, "-c", "user.name=A", "-c", "user.email=a@example.org", "commit", "--quiet", "--message", "One");
}

const release = (...args: readonly string[]) =>
  run(process.execPath, [join(clone, "scripts/run.js"), "scripts/release.ts", ...args], { cwd: clone });

t.test("a release is made of a commit alone, and is a version only with its tag and date", async (t) => {
  await commitThisTree();
  writeFileSync(join(clone, "left.txt"), "");
  await t.rejects(release("--dry-run"), {
    code: 1,
    stderr: /1 files that are not committed, expected none:\n\?\? left/,
  });
  rmSync(join(clone, "left.txt"));
  await t.rejects(release(), { code: 1, stderr: /no tag v\d/ });
  await release("--dry-run");
});

t.test("it has both packages, the citation, the notes and the checksums", async (t) => {
  const folder = join(clone, "release");
  const names = globSync("*", { cwd: folder }).sort();
  t.same(names, ["CITATION.cff", "NOTES.md", "SHA256SUMS", tarball, clientTarball].sort());
  const sums = readFileSync(join(folder, "SHA256SUMS"), "utf8").trimEnd().split("\n");
  t.equal(sums.length, names.length - 1);
  for (const line of sums) {
    const [sum, name = ""] = line.split("  ");
    t.equal(
      createHash("sha256")
        .update(readFileSync(join(folder, name)))
        .digest("hex"),
      sum,
      name,
    );
  }
  const citation = parseYaml(readFileSync(join(folder, "CITATION.cff"), "utf8")) as Record<string, unknown>;
  t.match(citation, {
    "cff-version": "1.2.0",
    title: "kenya-farm-prices",
    version,
    commit: git(clone, "rev-parse", "HEAD"),
  });
  t.match(readFileSync(join(folder, "NOTES.md"), "utf8"), "**Clients**");
});

t.test("the package is what it says, and no more", async (t) => {
  const { stdout } = await run("tar", ["-tzf", join(clone, "release", tarball)]);
  const files = stdout.trimEnd().split("\n");
  t.same(
    files.filter((file) => /\.ts$|\/test\/|\/bench\/|\/src\/client\/(?!README)/.test(file)),
    [],
  );
  for (const file of [
    "LICENSE",
    "NOTICE",
    "npm-shrinkwrap.json",
    "src/main.js",
    "scripts/command.js",
    "data/CURRENT",
  ]) {
    t.ok(files.includes(`package/${file}`), file);
  }
  const text = await run("tar", ["-xzOf", join(clone, "release", tarball), "package/package.json"]);
  const manifest = JSON.parse(text.stdout) as Record<string, unknown>;
  t.same(Object.keys(manifest).sort(), [
    ...["bin", "dependencies", "description", "engines", "files", "gitHead", "license", "name", "type", "version"],
  ]);
  t.same(manifest["engines"], { node: ">=24.11" });
  for (const [name, exact] of Object.entries(manifest["dependencies"] as object))
    t.match(exact, /^\d+\.\d+\.\d+$/, name);
});

t.test("npm installs it into an empty folder", { skip: lacksRegistry }, async () => {
  mkdirSync(installed);
  await cp(join(clone, "release", tarball), join(installed, tarball));
  // Otherwise npm takes the folder above that has packages already.
  await npm(["install", "--prefix", installed, `./${tarball}`], installed);
});

/** Files of a folder with their sizes and times. */
function listing(folder: string): string[] {
  return globSync("**/*", { cwd: folder })
    .map((name) => ({ name, stats: lstatSync(join(folder, name)) }))
    .map(({ name, stats }) => `${name} ${stats.isDirectory() ? "folder" : stats.size} ${stats.mtimeMs}`)
    .sort();
}

/** The commands of the package in a folder of their own, by one version of Node. */
class Machine {
  readonly folder: string;
  readonly #node: string;

  constructor(folder: string, node: string) {
    mkdirSync(folder, { recursive: true });
    this.folder = folder;
    this.#node = node;
  }

  /** The variables of a user whose Node is this one. */
  variables(overrides: Variables = {}): Variables {
    const {
      NODE_COMPILE_CACHE: _cache,
      DATA_DIR: _data,
      XDG_CACHE_HOME: _cacheHome,
      ...rest
    } = serviceEnvironment("", {});
    const path = [dirname(this.#node), rest["PATH"]].join(delimiter);
    return { ...rest, PATH: path, HOME: home, THREADS: "2", ...overrides };
  }

  async run(args: readonly string[], overrides: Variables = {}): Promise<string> {
    const options = { cwd: this.folder, env: this.variables(overrides), maxBuffer: 2 ** 24 };
    return (await run(command, args, options)).stdout;
  }

  spawn(t: Test, args: readonly string[], overrides: Variables = {}, file: string = command): ServiceProcess {
    const child = spawn(file, args, {
      cwd: this.folder,
      env: this.variables(overrides),
      stdio: ["ignore", "pipe", "pipe"],
    });
    const service = new ServiceProcess(child);
    t.teardown(async () => {
      child.kill("SIGKILL");
      await service.ended;
    });
    return service;
  }
}

/** More than what one thread reads and indexes, see `threadedRowsMin` in engine/store/build-store.ts. */
const manyPrices = 220_000;

const older = olderNode("24.11.0");
const nodes = [older, { version: process.versions.node, path: process.execPath, skip: false as const }];

for (const node of nodes) {
  const title = `with Node ${node.version} each entry file runs, and nothing below node_modules is written`;
  t.test(title, { skip: lacksRegistry || node.skip, timeout: 400_000 }, async (t) => {
    const before = listing(join(installed, "node_modules"));
    t.ok(before.length > 1000);
    const machine = new Machine(join(place, `work ${node.version}`), node.path);
    const at = (name: string): string => join(machine.folder, name);
    t.equal(await machine.run(["--version"]), `${version} (${git(clone, "rev-parse", "HEAD").slice(0, 12)})\n`);
    t.match(await machine.run(["keys", "--help"]), "Usage: kenya-farm-prices keys");

    await t.test("start, in a folder without data", async (t) => {
      const service = await untilListening(machine.spawn(t, ["start"], { PUBLIC_URL: "https://prices.example.org" }));
      t.match(service.process.stdout, /^data: found no such folder and no DATA_DIR; made it in .* bundled snapshot 2/m);
      t.match(service.process.stdout, "kenya-farm-prices keys issue --kind public");
      const issue = async (kind: string): Promise<string> => {
        const json = await machine.run(["keys", "issue", "--kind", kind, "--label", kind, "--json"]);
        return (JSON.parse(json) as { key: string }).key;
      };
      const [publicKey, secretKey] = [await issue("public"), await issue("secret")];
      const get = (path: string) => fetch(service.baseUrl + path, { headers: { "X-API-Key": publicKey } });
      t.ok(await holdsWithin(2000, async () => (await get("/api/v1/counties")).status === 200), "server threads");
      const commit = git(clone, "rev-parse", "HEAD");
      const metrics = await (await fetch(`${service.adminUrl}/metrics`)).text();
      t.ok(metrics.includes(`version="${version}"`) && metrics.includes(`commit="${commit}"`));
      for (const path of ["/docs", "/docs/changelog", "/docs/client", "/explore", "/openapi.json"]) {
        t.equal((await fetch(service.baseUrl + path)).status, 200, path);
      }
      t.match(await (await fetch(`${service.baseUrl}/docs`)).text(), "npx kenya-farm-prices keys issue");
      const cards = (): string[] => globSync("data/cards/*/*.png", { cwd: machine.folder });
      t.ok(await holdsWithin(60_000, () => cards().length > 0), "the cards thread");

      const headersOf = async (path: string): Promise<[string, string][]> => {
        const lines = (await machine.run(["sign", "GET", path], { SIGNING_KEY: secretKey })).trimEnd().split("\n");
        return lines.map((line) => line.split(": ") as [string, string]);
      };
      const downloads = async (): Promise<string> => {
        const path = "/api/v1/downloads";
        return await (await fetch(service.baseUrl + path, { headers: await headersOf(path) })).text();
      };
      t.ok(await holdsWithin(20_000, async () => (await downloads()).includes('"made"')), "the downloads thread");

      await importWorkbook(t, machine, at, service);
      service.process.child.kill("SIGTERM");
      t.same((await service.process.ended).code, 0);
    });

    await t.test("preview", async (t) => {
      const preview = machine.spawn(t, ["snapshot", "preview"]);
      t.ok(await holdsWithin(10_000, () => preview.stdout.includes("Ctrl-C")));
      const [url = "none"] = /http:\S+/.exec(preview.stdout) ?? [];
      t.equal((await fetch(url)).status, 200);
      preview.child.kill("SIGINT");
      t.equal((await preview.ended).code, 0);
    });

    await t.test("a large snapshot, read and indexed by threads; a replica, which lists changes", async (t) => {
      const generate = ["scripts/run.js", "scripts/generate.ts", "--prices", String(manyPrices), "--out", at("many")];
      await run(process.execPath, generate, { cwd: projectFolder });
      const variables = { DATA_DIR: at("large") };
      mkdirSync(at("large"));
      await machine.run(["snapshot", "publish", "many", "--no-downloads"], variables);
      const { url: origin } = await startFolderOrigin(t, at("large"));
      const service = await untilListening(machine.spawn(t, ["start"], variables));
      t.match(service.process.logged("snapshot loaded")[0], { prices: manyPrices });
      const replica = { ORIGIN: origin, DATA_DIR: at("replica"), ORIGIN_POLL_SECONDS: "1", KEYS_FILE: at("keys.json") };
      const follower = machine.spawn(t, ["start"], replica);
      const hasChanges = (): boolean => globSync("snapshots/*/changes.csv.gz", { cwd: at("replica") }).length > 0;
      t.ok(await holdsWithin(30_000, () => follower.logged("snapshot loaded").length > 0), follower.stderr);
      t.ok(await holdsWithin(10_000, hasChanges), "the thread that lists changes");
      t.same(
        follower.log.filter(({ level }) => Number(level) >= 50),
        [],
      );
    });

    t.same(listing(join(installed, "node_modules")), before);
    t.ok(globSync(".cache/kenya-farm-prices/node-compile-cache/*", { cwd: home }).length > 0, "what Node compiles");
  });
}

/** Imports a workbook, publishes it, and waits until the service has loaded it. */
async function importWorkbook(
  t: Test,
  machine: Machine,
  at: (name: string) => string,
  service: RunningService,
): Promise<void> {
  const rows = [
    ["Date", "Market", "Type", "Commodity", "Unit", "Price (KSh)"],
    ["02/05/2026", "Kitui", "Retail", "Ndengu", "kg", 145.5],
  ];
  writeFileSync(at("prices.xlsx"), await writeXlsx({ sheets: [{ name: "May", rows }] }));
  const mapping = ["--mapping", "mapping.json"];
  await machine.run(["import", "csv", "prices.xlsx", "--init", ...mapping, "--source", "Kitui County"]);
  const report = await machine.run(["import", "csv", "prices.xlsx", ...mapping, "--out", "records"]);
  t.match(report, "for kenya-farm-prices snapshot append", "the reader process and its guard");
  await machine.run(["snapshot", "append", "records", "--note", "Kitui"]);
  const loads = (): number => service.process.logged("snapshot").filter(({ prices }) => prices === 26_715).length;
  t.ok(await holdsWithin(5000, () => loads() > 0), "the loader thread");
}

t.test("npx starts it, and it ends with npx", { skip: lacksRegistry }, async (t) => {
  const machine = new Machine(installed, process.execPath);
  const npx = machine.spawn(t, ["kenya-farm-prices", "start"], {}, "npx");
  const { baseUrl } = await untilListening(npx);
  t.match(npx.stdout, "npx kenya-farm-prices keys issue");
  npx.child.kill("SIGTERM");
  t.ok(
    await holdsWithin(5000, () =>
      fetch(baseUrl).then(
        () => false,
        () => true,
      ),
    ),
  );
});

t.test("a command that is none, and a Node that is too old, get a line", { skip: lacksRegistry }, async (t) => {
  const machine = new Machine(join(place, "other"), process.execPath);
  await t.rejects(machine.run(["import", "xml"]), { code: 2, stderr: /^found "import xml", expected one of these:\n/ });
  await t.rejects(machine.run([]), { code: 2, stderr: /^found no command/ });
  const node = olderNode("20.20.2");
  if (node.skip !== false) return;
  const old = new Machine(join(place, "old"), node.path);
  await t.rejects(old.run(["start"]), {
    code: 1,
    stderr: /^Node 20\.20\.2 runs this, expected Node 24\.11\.0 or newer: /,
  });
});

t.test("the command starts programs with the flags of their npm scripts", async (t) => {
  const { scripts } = JSON.parse(readFileSync(join(projectFolder, "package.json"), "utf8")) as {
    scripts: Record<string, string>;
  };
  const text = readFileSync(join(projectFolder, "scripts/command.js"), "utf8");
  const programs = [...text.matchAll(/^ {2}"?([a-z ]+)"?: \[(.*)\],$/gm)].map(([, words = "", list = ""]) => ({
    script: words.replace(" ", ":"),
    line: (JSON.parse(`[${list}]`) as string[]).join(" ").replace(/js$/, "ts"),
  }));
  t.equal(programs.length, 7);
  for (const { script, line } of programs)
    t.match(scripts[script], new RegExp(`node scripts/run\\.js ${line}$`), script);
});

t.test("the Containerfile's steps make an image that runs", { skip: lacksRegistry, timeout: 400_000 }, async (t) => {
  const { stdout, stderr } = await run("bash", ["scripts/deploy/try-container.sh"], { cwd: clone }).catch(
    (error: { stdout: string; stderr: string }) => error,
  );
  const [, reason] = /^skipped: (.*)$/m.exec(stdout) ?? [];
  if (reason !== undefined) t.pass("the container", { skip: reason });
  else
    t.match(stdout, /^health check: exit status 0\n.*\n.*: 200 Nairobi\n(?:.*\n)*container: all as expected$/m, stderr);
});

t.test("the client's tarball is a dependency of a project in TypeScript", { skip: lacksRegistry }, async (t) => {
  const project = join(place, "a project");
  mkdirSync(project);
  await cp(join(clone, "release", clientTarball), join(project, clientTarball));
  writeFileSync(join(project, "package.json"), JSON.stringify({ name: "project", version: "1.0.0", private: true }));
  await npm(["install", "--offline", "--prefix", project, `./${clientTarball}`], project);
  writeFileSync(
    join(project, "program.mts"),
    `import { createPublicClient } from "kenya-farm-prices-client";
     const client = createPublicClient({ baseUrl: "https://prices.example.org", apiKey: "svc_pub_" });
     export const names: string[] = (await client.listMarkets()).data.map(({ name }) => name);
     // @ts-expect-error
     client.listMarkets({ county: 47 });`,
  );
  const compilerOptions = { module: "nodenext", target: "es2022", lib: ["es2022", "dom"], strict: true, types: [] };
  writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["program.mts"] }));
  const compiler = join(projectFolder, "node_modules/typescript/bin/tsc");
  const compiled = await run(process.execPath, [compiler, "-p", project]).catch((error: { stdout: string }) => error);
  t.equal(compiled.stdout, "");
  t.ok(readFileSync(join(project, "program.mjs"), "utf8").includes("listMarkets"));
});
