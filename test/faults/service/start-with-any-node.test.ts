/** scripts/run.js under the Node and npm of a machine, where npm has made no link for the project's Node. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import t, { type Test } from "tap";
import { type OlderNode, olderNode } from "../../support/older-node.ts";
import {
  folderWithData,
  holdsWithin,
  lacksTerminal,
  ServiceProcess,
  serviceEnvironment,
  untilListening,
} from "../../support/start-process.ts";
import { filesMatching, projectFolder } from "../../support/test-files.ts";

const launcher = join(projectFolder, "scripts/run.js");

/** Everything here is quick, but on a busy machine. */
const waitMillisecondsMax = 60_000;

const lacksNpm = spawnSync("npm", ["--version"]).error !== undefined && "there is no npm";
/** It cannot replace itself by another program. */
const node20 = lacksNpm ? { version: "20.20.2", path: "", skip: lacksNpm } : olderNode("20.20.2");
/** It can, as all later ones. */
const node22 = lacksNpm ? { version: "22.23.3", path: "", skip: lacksNpm } : olderNode("22.23.3");

t.jobs = 3;
const together = { buffered: true, timeout: 240_000 };

function temporaryFolder(t: Test): string {
  // Outside the project, because npm adds the links of all folders above to PATH.
  const folder = mkdtempSync(join(tmpdir(), "any node "));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The project as npm before 11.6.2 leaves it: with packages and without links. */
function projectWithoutLinks(t: Test): string {
  const folder = temporaryFolder(t);
  for (const name of ["package.json", "scripts", "src", "test"])
    symlinkSync(join(projectFolder, name), join(folder, name));
  mkdirSync(join(folder, "node_modules/.bin"), { recursive: true });
  symlinkSync(join(projectFolder, "node_modules/tap"), join(folder, "node_modules/tap"));
  return folder;
}

/** The environment of a machine whose Node is the given one. */
function machineWith(node: OlderNode, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const path = [dirname(node.path), process.env["PATH"]].join(delimiter);
  return { ...env, PATH: path };
}

/** Starts a program by the launcher, and reads what it writes. */
function launch(node: string, args: readonly string[], env = serviceEnvironment(tmpdir())): ServiceProcess {
  return new ServiceProcess(spawn(node, [launcher, ...args], { env, stdio: ["pipe", "pipe", "pipe"] }));
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Ends the service of a test that has failed. */
function endAfter(t: Test, child: ChildProcess, service: ServiceProcess): void {
  t.teardown(async () => {
    child.kill("SIGKILL");
    const pid = Number(service.log[0]?.["pid"] ?? 0);
    if (pid > 0 && isAlive(pid)) process.kill(pid, "SIGKILL");
    await service.ended;
  });
}

async function startByNpm(t: Test, node: OlderNode) {
  const env = machineWith(node, serviceEnvironment(await folderWithData(t), { THREADS: "1" }));
  const npm = spawn("npm", ["start"], { cwd: projectWithoutLinks(t), env, stdio: ["ignore", "pipe", "pipe"] });
  const service = new ServiceProcess(npm);
  endAfter(t, npm, service);
  const { baseUrl } = await untilListening(service);
  return { npm, service, baseUrl, pid: Number(service.log[0]?.["pid"]) };
}

for (const node of [node20, node22]) {
  const options = { ...together, skip: node.skip };

  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    t.test(`npm start with Node ${node.version} serves, and ${signal} to npm ends it`, { ...options }, async (t) => {
      const { npm, service, baseUrl, pid } = await startByNpm(t, node);
      t.equal((await fetch(`${baseUrl}/openapi.json`)).status, 200);
      npm.kill(signal);
      t.strictSame(await service.ended, { code: 0, signal: null });
      t.notOk(isAlive(pid));
      t.equal(service.logged("stopped").length, 1);
    });
  }

  t.test(`npm start with Node ${node.version} stops where npm is killed`, { ...options }, async (t) => {
    const { npm, service, pid } = await startByNpm(t, node);
    npm.kill("SIGKILL");
    await service.ended;
    t.ok(await holdsWithin(waitMillisecondsMax, async () => !isAlive(pid)));
    t.match(service.logged("stopping"), [{ ended_parent: Number }]);
  });

  t.test(`npm run keys and npm test with Node ${node.version} run on the project's own`, { ...options }, async (t) => {
    const folder = projectWithoutLinks(t);
    const env = machineWith(node, serviceEnvironment(folder));
    for (const name of Object.keys(env)) if (/^_?TAP/.test(name)) delete env[name];
    const run = (...args: readonly string[]) => spawnSync("npm", args, { cwd: folder, env, encoding: "utf8" });

    const file = join(folder, "keys.json");
    const issued = run("run", "keys", "--", "issue", "--kind", "public", "--label", "first", "--file", file);
    t.match(issued, { status: 0, stdout: /svc_pub_/ });

    // Its own version, and that of a process that it starts.
    const asked = `import t from "tap";
      t.equal(process.version, ${JSON.stringify(process.version)});
      t.spawn(process.execPath, ["-p", "console.log('1..1'), 'ok 1 ' + process.version"]);`;
    writeFileSync(join(folder, "a.test.mjs"), asked);
    writeFileSync(join(folder, ".taprc"), "type-strip-only: true\ndisable-coverage: true\n");
    const tested = run("test", "--", "a.test.mjs");
    t.match(tested, { status: 0, stdout: new RegExp(`ok 1 ${process.version}$`, "m") });
  });

  t.test(`exit status, signals and streams pass through Node ${node.version}`, { ...options }, async (t) => {
    t.strictSame(await launch(node.path, ["--eval", "process.exit(7)"]).ended, { code: 7, signal: null });
    for (const signal of ["SIGKILL", "SIGTERM", "SIGABRT"] as const) {
      const killed = launch(node.path, ["--eval", `process.kill(process.pid, "${signal}"); setTimeout(() => {}, 1e5)`]);
      t.strictSame(await killed.ended, { code: null, signal });
    }
    for (const signal of ["SIGHUP", "SIGINT", "SIGQUIT", "SIGTERM", "SIGUSR2"] as const) {
      const code = `process.once("${signal}", () => process.exit(9)); setInterval(() => {}, 1e5); console.log("waits")`;
      const waiting = launch(node.path, ["--eval", code]);
      t.ok(await holdsWithin(waitMillisecondsMax, async () => waiting.stdout !== ""), signal);
      waiting.child.kill(signal);
      t.strictSame(await waiting.ended, { code: 9, signal: null }, signal);
    }
    const echo = launch(node.path, [
      "--eval",
      "process.stdin.pipe(process.stdout); console.error(process.argv[1])",
      "é ü",
    ]);
    echo.child.stdin?.end("what stdin has");
    t.strictSame(await echo.ended, { code: 0, signal: null });
    t.match(echo, { stdout: "what stdin has", stderr: "é ü\n" });
  });

  const skipTerminal = node.skip || (lacksTerminal && "the command script of util-linux is not there");
  t.test(`a terminal passes through Node ${node.version}`, { ...options, skip: skipTerminal }, async (t) => {
    const code =
      "process.stdin.setRawMode(true); console.log(process.stdout.isTTY, process.stdin.isRaw); process.exit(5)";
    // A path may have a space, and an apostrophe is none of it.
    const line = [node.path, launcher, "--eval", code].map((part) => `'${part}'`).join(" ");
    const child = spawn("script", ["--quiet", "--return", "--command", line, "/dev/null"], {
      stdio: ["pipe", "pipe", 2],
    });
    const terminal = new ServiceProcess(child, true);
    t.match(await terminal.ended, { code: 5 });
    t.match(terminal.stdout, "true true\n");
  });
}

t.test("with Node 22 a service is one process", { ...together, skip: node22.skip }, async (t) => {
  const service = launch(
    node22.path,
    ["src/main.ts"].map((file) => join(projectFolder, file)),
    {
      ...serviceEnvironment(await folderWithData(t), { THREADS: "1" }),
    },
  );
  endAfter(t, service.child, service);
  await untilListening(service);
  t.equal(service.log[0]?.["pid"], service.child.pid);
  service.child.kill("SIGTERM");
  t.strictSame(await service.ended, { code: 0, signal: null });
});

t.test("with Node 20 a service stops with the process before it", { ...together, skip: node20.skip }, async (t) => {
  const env = serviceEnvironment(await folderWithData(t), { THREADS: "1" });
  const service = launch(node20.path, [join(projectFolder, "src/main.ts")], env);
  endAfter(t, service.child, service);
  await untilListening(service);
  const pid = Number(service.log[0]?.["pid"]);
  t.not(pid, service.child.pid);
  service.child.kill("SIGKILL");
  await service.ended;
  t.ok(await holdsWithin(waitMillisecondsMax, async () => !isAlive(pid)));
  t.match(service.logged("stopping"), [{ ended_parent: service.child.pid }]);
});

/** A folder with the launcher alone; `program` is what stands in its package of Node. */
function launcherBeside(t: Test, program?: string): string {
  const folder = temporaryFolder(t);
  mkdirSync(join(folder, "scripts"));
  copyFileSync(launcher, join(folder, "scripts/run.js"));
  writeFileSync(join(folder, "package.json"), '{"type":"module"}');
  if (program !== undefined) writeNodePackage(folder, program);
  return folder;
}

function writeNodePackage(folder: string, program: string): void {
  const name = join(folder, "node_modules", `node-${process.platform}-${process.arch}`);
  mkdirSync(join(name, "bin"), { recursive: true });
  writeFileSync(join(name, "package.json"), '{"bin":{"node":"bin/node"}}');
  writeFileSync(join(name, "bin/node"), program);
  chmodSync(join(name, "bin/node"), 0o755);
}

/** What becomes of `process.version`, printed by the launcher of a folder. */
function printVersion(folder: string, node: string, ...flags: readonly string[]) {
  const args = [...flags, join(folder, "scripts/run.js"), "-p", "process.version"];
  const { status, stdout, stderr } = spawnSync(node, args, { env: serviceEnvironment(folder), encoding: "utf8" });
  return { status, stdout, stderr };
}

const ownVersion = { status: 0, stdout: `${process.version}\n`, stderr: "" };
/** Has the code before the launcher change what the launcher sees of the machine. */
const before = (code: string): string => `--import=data:text/javascript,${encodeURIComponent(code)}`;
const missingLibrary = (library: string): string =>
  `#!/bin/sh\necho "$0: error while loading shared libraries: ${library}: cannot open shared object file" >&2\nexit 127\n`;
const foreignLoader = "#!/no/such/loader\n";

for (const { what, program, flags = [], line } of [
  {
    what: "no package of Node is installed",
    line: /node-\S+ is not installed; run npm ci, without --omit=optional, or put/,
  },
  {
    what: "there is no package for the platform",
    flags: [before('Object.defineProperty(process, "arch", { value: "ppc64" })')],
    line: /there is no package of it for \w+-ppc64; install it and put Node 24\.11\.0 or newer in front in PATH/,
  },
  {
    what: "libatomic1 is missing",
    program: missingLibrary("libatomic.so.1"),
    line: /does not start without libatomic\.so\.1; apt-get install libatomic1/,
  },
  {
    what: "another library is missing",
    program: missingLibrary("libother.so.3"),
    line: /does not start without libother\.so\.3; install it/,
  },
  {
    what: "the system has musl",
    program: foreignLoader,
    flags: [before("process.report.getReport = () => ({ header: {} })")],
    line: /needs glibc, and this system has musl; install a Node made for musl and put Node 24\.11\.0/,
  },
  {
    what: "the package is damaged",
    program: "#!/bin/sh\necho broken >&2; exit 3\n",
    line: /does not start \(broken\); run npm ci again/,
  },
  { what: "the program cannot be executed", program: foreignLoader, line: /does not start \(spawnSync .* ENOENT\)/ },
] as readonly { what: string; program?: string; flags?: readonly string[]; line: RegExp }[]) {
  t.test(`where ${what}, Node 20 says in one line what to do`, { ...together, skip: node20.skip }, async (t) => {
    const folder = launcherBeside(t, program);
    const { status, stdout, stderr } = printVersion(folder, node20.path, ...flags);
    t.strictSame({ status, stdout }, { status: 1, stdout: "" });
    t.match(stderr, /^Node 20\.20\.2 runs this, expected Node 24\.11\.0 or newer: [^\n]+\n$/);
    t.match(stderr, line);
  });

  t.test(`where ${what}, a new Node runs the program itself`, { ...together }, async (t) => {
    t.strictSame(printVersion(launcherBeside(t, program), process.execPath, ...flags), ownVersion);
  });
}

t.test("a Node that is new enough runs the program, although there is a package", { ...together }, async (t) => {
  const folder = launcherBeside(t, "#!/bin/sh\necho packaged\n");
  t.strictSame(printVersion(folder, process.execPath), ownVersion);
  for (const [version, isPackaged] of [
    ["24.10.9", true],
    ["22.99.0", true],
    ["24.11.0", false],
    ["25.0.0", false],
    ["100.0.0", false],
  ] as const) {
    const flag = before(`Object.defineProperty(process.versions, "node", { value: "${version}" })`);
    const { stdout } = printVersion(folder, process.execPath, flag);
    t.equal(stdout, isPackaged ? "packaged\n" : ownVersion.stdout, version);
  }
});

t.test("the package of Node may lie in a folder above", { ...together, skip: node20.skip }, async (t) => {
  const folder = temporaryFolder(t);
  const inner = join(folder, "node_modules/farm-prices");
  mkdirSync(join(inner, "scripts"), { recursive: true });
  copyFileSync(launcher, join(inner, "scripts/run.js"));
  writeFileSync(join(inner, "package.json"), '{"type":"module"}');
  writeNodePackage(folder, `#!/bin/sh\nexec '${process.execPath}' "$@"\n`);
  t.strictSame(printVersion(inner, node20.path), ownVersion);
});

t.test("every npm script, unit and job starts programs by the launcher, and no manual by a link of npm", async (t) => {
  const { scripts } = JSON.parse(readFileSync(join(projectFolder, "package.json"), "utf8")) as {
    scripts: Record<string, string>;
  };
  for (const [name, line] of Object.entries(scripts)) {
    for (const command of line.split(" && ")) {
      t.match(
        command,
        /^(?:(?:exec )?node scripts\/run\.js |npm run |npm test(?: |$)|scripts\/deploy\/try-\w+\.sh$)/,
        name,
      );
    }
  }
  const texts = filesMatching(
    "{*,src/**/*,scripts/**/*,data/**/*,bench/**/*,test/**/*}.{md,service,sh,yml}",
    "**/Containerfile",
  );
  t.ok(texts.length > 50);
  for (const file of texts.filter((file) => file !== "CHANGELOG.md")) {
    const text = readFileSync(join(projectFolder, file), "utf8");
    t.notMatch(text, /npx tap|\.bin\/(?:node|tap)\b/, file);
    t.notMatch(text, /(?<!`)\bnode (?:-\S+ )*(?!-|scripts\/run\.js)[\w./-]+\.[jt]s\b/, file);
  }
  t.end();
});

t.test("cmd.exe, which has no exec, runs the rest of the start script", async (t) => {
  const { scripts } = JSON.parse(readFileSync(join(projectFolder, "package.json"), "utf8")) as {
    scripts: { start: string };
  };
  t.match(scripts.start, /^exec node scripts\/run\.js [\w./]+$/);
  // cmd.exe looks in the working folder first, and `%*` are the arguments.
  t.equal(readFileSync(join(projectFolder, "exec.cmd"), "utf8").trimEnd().split("\n").at(-1), "@%*");
});
