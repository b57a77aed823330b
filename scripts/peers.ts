/**
 * Checks and tests that need the packages of test/peers: `npm ci --prefix test/peers` installs them. Where they are
 * missing, `openapi` and `dead-code` are refused, and what runs among other checks says so and is skipped.
 */
import { spawnSync } from "node:child_process";
import { join, resolve } from "node:path";
import { Argument } from "commander";
import { createProgram, runProgram } from "../src/cli/command.ts";
import { printReport } from "../src/cli/output.ts";
import { missingPeers, peersFolder, requirePeers } from "./peer-packages.ts";

const root = resolve(import.meta.dirname, "..");
const openapi = [join(peersFolder, "lint-openapi.ts")];
const deadCode = [join(peersFolder, "node_modules/knip/bin/knip.js")];

/** Programs with their arguments, by what a caller asks for. */
const programs = {
  openapi: [openapi],
  "dead-code": [deadCode],
  code: [[join(root, "node_modules/typescript/bin/tsc"), "--project", peersFolder], openapi, deadCode],
  tests: [["node_modules/tap/dist/esm/run.mjs", "--timeout=900", "--jobs=4", "test/peers"]],
} as const;

const program = createProgram("npm run peers --", "Checks and tests that need the packages of test/peers.", [
  "npm run peers -- code",
  "npm run peers -- tests",
])
  .addArgument(new Argument("<what>", "what to run").choices(Object.keys(programs)))
  .action((what: keyof typeof programs) => {
    if (what === "openapi" || what === "dead-code") requirePeers();
    const missing = missingPeers();
    if (missing !== undefined) return printReport(`skipped: npm run peers -- ${what}: ${missing}\n`);
    for (const args of programs[what]) {
      const node = what === "tests" ? ["--import", "./test/support/name-failures.ts"] : [];
      const { status } = spawnSync(process.execPath, [...node, ...args], { cwd: root, stdio: "inherit" });
      if (status !== 0) process.exit(1);
    }
  });

await runProgram(program);
