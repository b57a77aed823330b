import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import t from "tap";
import { readKeysFile } from "../../../src/service/auth/keys-file.ts";
import { runProcess } from "../../cli/run-script.ts";
import {
  folderWithData,
  holdsWithin,
  lacksTerminal,
  type RunningService,
  startProcess,
} from "../../support/start-process.ts";

const projectFolder = join(import.meta.dirname, "../../..");

/** The printed commands are for a person who has both. */
const lacksCommands =
  ["curl", "npm"].some((name) => spawnSync(name, ["--version"]).error !== undefined) && "curl or npm is not installed";

const keyExpression = /svc_(?:pub|sec)_\w+/g;

const skip = lacksTerminal && "there is no script command (of util-linux) that runs another in a terminal";

t.jobs = 2;

t.test("the first start in a terminal makes two keys and shows them once", { buffered: true, skip }, async (t) => {
  const folder = await folderWithData(t);
  const keysFile = join(folder, "it's own.json");
  const first = await startProcess(t, folder, { KEYS_FILE: keysFile }, { isInTerminal: true });
  const { stdout } = first.process;
  const printedKeys = [...new Set(stdout.match(keyExpression))];
  const [publicKey = "", secretKey = ""] = printedKeys;
  t.strictSame(
    printedKeys.map((key) => key.slice(0, 8)),
    ["svc_pub_", "svc_sec_"],
  );
  t.ok(stdout.endsWith(`\nlistening on ${first.baseUrl}\n`), "what a script waits for comes last");
  t.notMatch(first.process.stderr, keyExpression, "the log holds no key");

  await t.test("the keys file holds no key and is its owner's alone", async (t) => {
    t.notMatch(readFileSync(keysFile, "utf8"), keyExpression);
    if (process.platform !== "win32") t.equal(statSync(keysFile).mode & 0o777, 0o600);
    const records = await readKeysFile(keysFile);
    t.strictSame(
      records.map(({ kind, revokedAt }) => [kind, revokedAt]),
      [
        ["public", null],
        ["secret", null],
      ],
    );
  });

  // Without curl or npm (a bare container) there is nothing to run the printed lines with.
  await t.test("the printed commands work as printed", { skip: lacksCommands }, async (t) => {
    const commands = printedCommands(stdout);
    t.equal(commands.length, 2);
    const outputs = await Promise.all(commands.map((command) => runPrinted(command)));
    for (const { code, stdout: output, stderr } of outputs) {
      t.equal(code, 0, stderr);
      t.ok(Array.isArray((JSON.parse(output) as { data: unknown }).data), output);
    }
    t.match(JSON.parse(outputs[1]?.stdout ?? ""), { meta: { total: 1 } }, "the second one needed a secret key");
  });

  await t.test("the second start shows no keys, and the first ones are still good", async (t) => {
    process.kill(first.process.pid, "SIGTERM");
    t.match(await first.process.ended, { code: 0 });
    const second = await startProcess(t, folder, { KEYS_FILE: keysFile }, { isInTerminal: true });
    t.equal(second.process.stdout, `prices for people at ${second.baseUrl}/explore\nlistening on ${second.baseUrl}\n`);
    t.notMatch(second.process.stderr, keyExpression);
    t.equal(await statusWith(second, publicKey), 200);
    t.equal(await statusWith(second, secretKey), 401, "a secret key is not enough without a signature");
  });
});

for (const [name, keysFileName] of [
  ["the usual keys file", "keys.json"],
  ["a keys file that KEYS_FILE names", "it's own.json"],
] as const) {
  t.test(`without a terminal no keys are made in ${name}`, { buffered: true }, async (t) => {
    const folder = await folderWithData(t);
    const variables = keysFileName === "keys.json" ? {} : { KEYS_FILE: keysFileName };
    const service = await startProcess(t, folder, variables);
    const keysFile = join(folder, keysFileName);
    t.notOk(existsSync(keysFile));
    const { stdout } = service.process;
    t.match(stdout, `${keysFileName} does not exist, so every key is refused until keys are issued with:\n`);
    t.ok(stdout.endsWith(`\nlistening on ${service.baseUrl}\n`), "what a script waits for comes last");
    const [line] = service.process.logged(`${keysFileName} does not exist`);
    t.match(line, { level: 40, keys_file: keysFileName });
    const commands = printedCommands(stdout);
    t.equal(commands.length, 2);
    for (const command of commands) t.ok(String(line?.["msg"]).includes(command), command);
    t.equal(await statusWith(service, "svc_pub_UnknownPublicForTestsOnly002EhOuc"), 401);
    t.notMatch(stdout + service.process.stderr, keyExpression);

    await t.test("the printed commands issue keys that the service knows", { skip: lacksCommands }, async (t) => {
      const issued = await runPrinted(commands[0] ?? "");
      t.equal(issued.code, 0, issued.stderr);
      const [key = ""] = issued.stdout.match(keyExpression) ?? [];
      t.ok(await holdsWithin(1000, async () => (await statusWith(service, key)) === 200));
      t.equal((await runPrinted(commands[1] ?? "")).code, 0);
      t.match(await readKeysFile(keysFile), [{ kind: "public" }, { kind: "secret" }]);
    });
  });
}

/** The lines that are set in. */
function printedCommands(stdout: string): string[] {
  return stdout
    .split("\n")
    .filter((line) => /^ +\S/.test(line))
    .map((line) => line.trim());
}

/** Runs a printed line as a person would: in the project's folder, with this Node in the path. */
function runPrinted(command: string): ReturnType<typeof runProcess> {
  const path = [dirname(process.execPath), process.env["PATH"]].join(delimiter);
  return runProcess("sh", ["-c", command], projectFolder, { PATH: path });
}

async function statusWith({ baseUrl }: RunningService, key: string): Promise<number> {
  return (await fetch(`${baseUrl}/api/v1/counties`, { headers: { "X-API-Key": key } })).status;
}
