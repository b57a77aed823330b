import { execFile, fork } from "node:child_process";
import { once } from "node:events";
import { cpSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { basename, join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import t from "tap";
import type * as Reader from "../../../../src/publishing/importers/sheet/read-sheet-tables.ts";
import { readerOptions } from "../../../../src/publishing/importers/sheet/read-sheet-tables.ts";
import { readerLimits } from "../../../../src/publishing/importers/sheet/reader-limits.ts";
import { projectFolder } from "../../../support/test-files.ts";

const text = "Market,Price\nNakuru,60\n";

t.test("whatever runs in a reader process can do nothing but read its file and its program", async (t) => {
  const folder = t.testdir({ "prices.csv": text, "secret.csv": text });
  const path = join(folder, "prices.csv");
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  t.teardown(() => server.close());
  const { port } = server.address() as { port: number };
  const attempts = {
    "read its file": `fs.readFileSync(${JSON.stringify(path)})`,
    "read its program": `fs.readFileSync(${JSON.stringify(join(projectFolder, "src/main.ts"))})`,
    "read a file beside it": `fs.readFileSync(${JSON.stringify(join(folder, "secret.csv"))})`,
    "list its folder": `fs.readdirSync(${JSON.stringify(folder)})`,
    "read another file of the project": `fs.readFileSync(${JSON.stringify(join(projectFolder, "package.json"))})`,
    "read the environment of others": `fs.readFileSync("/proc/" + process.ppid + "/environ")`,
    "write its file": `fs.writeFileSync(${JSON.stringify(path)}, "")`,
    "write beside it": `fs.writeFileSync(${JSON.stringify(join(folder, "new"))}, "")`,
    "remove its file": `fs.rmSync(${JSON.stringify(path)})`,
    "link its file": `fs.symlinkSync(${JSON.stringify(path)}, ${JSON.stringify(join(folder, "link"))})`,
    "start a program": `child.spawnSync(process.execPath, ["--version"])`,
    "open a connection": `await new Promise((done, fail) => net.connect(${port}, "127.0.0.1", done).on("error", fail))`,
    "ask for an address": `await dns.lookup("localhost")`,
  };
  const lines = Object.entries(attempts).map(
    ([name, code]) => `try { ${code}; found[${JSON.stringify(name)}] = "done"; }
      catch (error) { found[${JSON.stringify(name)}] = error.code; }`,
  );
  const script = `import fs from "node:fs"; import child from "node:child_process"; import net from "node:net";
    import dns from "node:dns/promises"; const found = {}; ${lines.join("\n")}
    console.log(JSON.stringify({ found, environment: Object.keys(process.env) })); process.exit();`;
  const { execArgv, env } = readerOptions(path, readerLimits);
  const { stdout } = await promisify(execFile)(process.execPath, [...execArgv, "--input-type=module", "-e", script], {
    env,
  });
  const allowed = ["read its file", "read its program"];
  t.strictSame(JSON.parse(stdout), {
    found: Object.fromEntries(
      Object.keys(attempts).map((name) => [name, allowed.includes(name) ? "done" : "ERR_ACCESS_DENIED"]),
    ),
    environment: [],
  });
  t.strictSame(readdirSync(folder).sort(), ["prices.csv", "secret.csv"]);
});

t.test("once it has begun to read, it starts no thread, which could have all permissions", async (t) => {
  const path = join(t.testdir({ "prices.csv": text }), "prices.csv");
  const code = `import { Worker } from "node:worker_threads";
    process.on("exit", () => {
      try { new Worker("", { eval: true, execArgv: [] }); process.exitCode = 1; }
      catch (error) { process.exitCode = error.code === "ERR_ACCESS_DENIED" ? 42 : 2; }
    });`;
  const { execArgv, ...options } = readerOptions(path, readerLimits);
  const script = new URL("../../../../src/publishing/importers/sheet/reader-process.ts", import.meta.url);
  const child = fork(script, [path, JSON.stringify({ choice: {}, limits: readerLimits })], {
    ...options,
    execArgv: [...execArgv, `--import=data:text/javascript,${encodeURIComponent(code)}`],
  });
  t.strictSame(await once(child, "exit"), [42, null]);
});

t.test("a file is read in a clone whose path has blanks and signs, and whose packages lie elsewhere", async (t) => {
  const folder = join(t.testdir({}), "a clone, 100% *mine*");
  for (const wing of ["engine", "publishing"]) {
    cpSync(join(projectFolder, "src", wing), join(folder, "src", wing), { recursive: true });
  }
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  symlinkSync(join(projectFolder, "node_modules"), join(folder, "node_modules"), "junction");
  symlinkSync(folder, join(folder, "link"), "junction");
  const file = join(folder, "the prices, a=b #1 é *.csv");
  writeFileSync(file, text);
  const module = "src/publishing/importers/sheet/read-sheet-tables.ts";
  const paths = [
    [folder, file],
    [join(folder, "link"), relative(process.cwd(), join(folder, "link", basename(file)))],
  ] as const;
  for (const [clone, path] of paths) {
    const { readTable } = (await import(pathToFileURL(join(clone, module)).href)) as typeof Reader;
    const { rows } = await readTable(path, {});
    t.equal([...rows].length, 2, path);
  }
});
