/**
 * The first cases of a fixed seed, by the command itself: in the process of a test, tap follows every promise, which
 * takes twice the time.
 */
import { execFile } from "node:child_process";
import { join } from "node:path";
import t, { type Test } from "tap";
import { complaintsIn } from "../../fuzz/fuzzed-service.ts";
import { serviceEnvironment } from "../../support/start-process.ts";

interface CommandEnd {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function runFuzzCommand(t: Test, args: readonly string[]): Promise<CommandEnd> {
  const command = [join(import.meta.dirname, "../../fuzz/fuzz-main.ts"), ...args];
  const env = serviceEnvironment(t.testdir({}));
  return new Promise((resolve) => {
    execFile(process.execPath, command, { env }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });
}

t.test("broken and odd requests and damaged files", async (t) => {
  const fuzz = ["--requests", "1000", "--files", "40", "--seed", "1"];
  const { code, stdout, stderr } = await runFuzzCommand(t, fuzz);
  t.strictSame([code, stderr], [0, ""]);
  const answers = /^\d+ s; answers by status: (.*)$/m.exec(stdout)?.[1]?.split(", ") ?? [];
  const statuses = answers.map((text) => text.split(" ")[0]);
  t.strictSame(
    ["200", "204", "400", "401", "404", "405", "413", "414", "415", "431", "none"].filter(
      (one) => !statuses.includes(one),
    ),
    [],
    "all kinds of answers were given",
  );
  const outcomes = /^files: (.*)$/m.exec(stdout)?.[1]?.split(", ") ?? [];
  t.ok(outcomes.length >= 13, "files of each kind were accepted and refused");
});

t.test("errors, keys and what is no line of the log are found in it", async (t) => {
  const good = '{"level":30,"target":"/?key=svc_pub_…","msg":"request"}';
  const bad = [
    '{"level":50,"msg":"failed"}',
    '{"level":30,"target":"/?key=svc_pub_abc","msg":"request"}',
    "TypeError: it is not a function",
  ];
  const folder = t.testdir({ log: [good, bad[0], bad[1], good, bad[2], good, ""].join("\n") });
  t.strictSame(await complaintsIn(join(folder, "log"), ["svc_sec_abc", "svc_pub_abc"]), bad);
});
