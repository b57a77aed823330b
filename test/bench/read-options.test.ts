import { join } from "node:path";
import t from "tap";
import { runProcess } from "../cli/run-script.ts";
import { projectFolder } from "../support/test-files.ts";

const run = (...args: readonly string[]) =>
  runProcess(process.execPath, [join("bench", "ci.ts"), ...args], projectFolder);

t.test("--help prints the comment at the head of the program, without its signs", async (t) => {
  const { code, stdout } = await run("--help");
  t.equal(code, 0);
  t.match(stdout, /^The gate: `npm run bench -- ci`\. [^*]*\nfloors\.\n$/);
});

t.test("an unknown option is named, above the same text", async (t) => {
  const { code, stdout, stderr } = await run("--bogus");
  t.equal(code, 2);
  t.equal(stdout, "");
  t.match(stderr, /^Unknown option '--bogus'.*\n\nThe gate: /);
});
