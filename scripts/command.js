#!/usr/bin/env node
/**
 * The command of the package, `kenya-farm-prices`: starts the program that its first words name, by run.js. Plain
 * JavaScript that Node 20 can run, so that an older Node gets a line and no stack.
 */
import { fileURLToPath } from "node:url";

/** By their words: flags of Node, as the npm script has them, and the file. */
const programs = {
  start: ["src/main.js"],
  keys: ["scripts/keys.js"],
  snapshot: ["scripts/snapshot.js"],
  "import csv": ["--optimize-for-size", "--max-semi-space-size=4", "scripts/import-csv.js"],
  "import wfp": ["scripts/import-wfp.js"],
  sign: ["scripts/sign.js"],
  reload: ["scripts/reload.js"],
};

const descriptions = {
  start: "serve the data of DATA_DIR, or of ./data, which is made where it is missing",
  keys: "issue, list, rotate and revoke keys",
  snapshot: "check, publish, compare and remove snapshots",
  "import csv": "make record files of a table, CSV or .xlsx",
  "import wfp": "make record files of the export of the World Food Programme",
  sign: "sign a request with a secret key",
  reload: "have the running service load the current snapshot",
};

const usage = `kenya-farm-prices COMMAND [arguments]

${Object.entries(descriptions)
  .map(([name, text]) => `  ${name.padEnd(10)}  ${text}`)
  .join("\n")}

COMMAND --help shows how to use one; --version shows version and commit.
`;

const args = process.argv.slice(2);
const name = Object.keys(programs).find((words) => words.split(" ").every((word, at) => args[at] === word));

if (args[0] === "--version" || args[0] === "-V") start(programs.start, ["--version"]);
else if (args[0] === "--help" || args[0] === "-h") process.stdout.write(usage);
else if (name !== undefined) start(programs[name], args.slice(name.split(" ").length));
else {
  const found = args.length === 0 ? "no command" : JSON.stringify(args[0] === "import" ? args.join(" ") : args[0]);
  process.stderr.write(`found ${found}, expected one of these:\n${usage}`);
  process.exitCode = 2;
}

/** Becomes a program with these arguments. */
function start(program, rest) {
  const path = fileURLToPath(new URL(`../${program.at(-1)}`, import.meta.url));
  process.argv.splice(2, Number.POSITIVE_INFINITY, ...program.slice(0, -1), path, ...rest);
  import("./run.js");
}
