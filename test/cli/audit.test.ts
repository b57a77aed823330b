import { chmodSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import t from "tap";
import { runCommand } from "./run-command.ts";
import type { ScriptResult } from "./run-script.ts";

/** Runs the script with a npm that answers each question with a text and an exit status. */
function audit(folder: string, signatures: [string, number], holes: [string, number]): Promise<ScriptResult> {
  const npm = join(folder, "npm");
  const answer = ([text, status]: [string, number]): string => `printf '%s' '${text}'; exit ${status}`;
  writeFileSync(npm, `#!/bin/sh\nif [ "$2" = signatures ]; then ${answer(signatures)}; else ${answer(holes)}; fi\n`);
  chmodSync(npm, 0o755);
  return runCommand("audit", [], folder, { PATH: `${folder}${delimiter}${process.env["PATH"]}` });
}

const signed = '{"invalid":[],"missing":[]}';
const clean = '{"auditReportVersion":2,"vulnerabilities":{}}';

t.test("a report without findings passes", async (t) => {
  const { code, stdout } = await audit(t.testdir(), [signed, 0], [clean, 0]);
  t.equal(code, 0);
  t.equal(stdout, "npm audit signatures: nothing found\nnpm audit --omit=dev: nothing found\n");
});

t.test("a package that the registry names fails, with its report", async (t) => {
  for (const [signatures, holes] of [
    [
      ['{"invalid":[{"name":"koa"}],"missing":[]}', 1],
      [clean, 0],
    ],
    [
      [signed, 0],
      ['{"auditReportVersion":2,"vulnerabilities":{"koa":{}}}', 1],
    ],
  ] as [[string, number], [string, number]][]) {
    const { code, stderr } = await audit(t.testdir(), signatures, holes);
    t.equal(code, 1);
    t.match(stderr, /"koa"/);
  }
});

t.test("a registry that does not answer fails nothing, and the report says so", async (t) => {
  const { code, stdout } = await audit(
    t.testdir(),
    ['{"error":{"code":"ENOTFOUND","summary":"getaddrinfo ENOTFOUND"}}', 1],
    ['{"message":"405 Method Not Allowed","statusCode":405}', 1],
  );
  t.equal(code, 0);
  t.equal(
    stdout,
    "npm audit signatures: nothing checked, the registry does not answer: getaddrinfo ENOTFOUND\n" +
      "npm audit --omit=dev: nothing checked, the registry does not answer: 405 Method Not Allowed\n",
  );
});
