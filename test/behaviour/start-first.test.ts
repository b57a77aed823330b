import { spawnSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import t from "tap";
import { readKeysFile } from "../../src/auth/keys-file.ts";
import { runProcess } from "../cli/run-script.ts";
import { folderWithData, type RunningService, startProcess } from "../support/start-process.ts";

const projectFolder = join(import.meta.dirname, "../..");

/** The printed commands are for a person who has both. */
const lacksCommands = ["curl", "npm"].some((name) => spawnSync(name, ["--version"]).error !== undefined);

const keyExpression = /svc_(?:pub|sec)_\w+/g;

t.jobs = 2;

t.test("the first start makes two keys and prints them once", { buffered: true }, async (t) => {
  const folder = await folderWithData(t);
  const first = await startProcess(t, folder);
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
    const path = join(folder, "keys.json");
    t.notMatch(readFileSync(path, "utf8"), keyExpression);
    if (process.platform !== "win32") t.equal(statSync(path).mode & 0o777, 0o600);
    const records = await readKeysFile(path);
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
    const commands = stdout.split("\n").filter((line) => /^ +\S/.test(line));
    t.equal(commands.length, 2);
    const outputs = await Promise.all(commands.map((command) => runPrinted(command)));
    for (const { code, stdout: output, stderr } of outputs) {
      t.equal(code, 0, stderr);
      t.ok(Array.isArray((JSON.parse(output) as { data: unknown }).data), output);
    }
    t.match(JSON.parse(outputs[1]?.stdout ?? ""), { meta: { total: 1 } }, "the second one needed a secret key");
  });

  await t.test("the second start prints no keys, and the first ones are still good", async (t) => {
    first.process.child.kill("SIGTERM");
    t.strictSame(await first.process.ended, { code: 0, signal: null });
    const second = await startProcess(t, folder);
    t.equal(second.process.stdout, `listening on ${second.baseUrl}\n`);
    t.notMatch(second.process.stdout + second.process.stderr, keyExpression);
    t.equal(await statusWith(second, publicKey), 200);
    t.equal(await statusWith(second, secretKey), 401, "a secret key is not enough without a signature");
  });
});

t.test("keys of a file that KEYS_FILE names are not shown where nobody looks", { buffered: true }, async (t) => {
  const folder = await folderWithData(t);
  const service = await startProcess(t, folder, { KEYS_FILE: join(folder, "own.json") });
  t.equal(service.process.stdout, `listening on ${service.baseUrl}\n`);
  t.notMatch(service.process.stderr, keyExpression);
  t.equal((await readKeysFile(join(folder, "own.json"))).length, 2);

  const [line] = service.process.logged("keys file created");
  t.match(line, { keys_file: join(folder, "own.json") });
  t.match(line?.["msg"], /not shown here, issue others with: npm run keys -- issue --kind public\|secret --label TEXT/);
});

/** Runs a printed line as a person would: in the project's folder, with this Node in the path. */
function runPrinted(command: string): ReturnType<typeof runProcess> {
  const path = [dirname(process.execPath), process.env["PATH"]].join(delimiter);
  return runProcess("sh", ["-c", command], projectFolder, { PATH: path });
}

async function statusWith({ baseUrl }: RunningService, key: string): Promise<number> {
  return (await fetch(`${baseUrl}/api/v1/counties`, { headers: { "X-API-Key": key } })).status;
}
