/** The `keys` command as people run it: in the process of the test, but for the first and for several at once. */
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import t from "tap";
import { followKeys } from "../../src/auth/follow-keys.ts";
import { keyKindOf } from "../../src/auth/key-format.ts";
import { keysDocumentText } from "../../src/auth/keys-document.ts";
import { readKeysFile } from "../../src/auth/keys-file.ts";
import { secretKey } from "../support/signed-request.ts";
import { holdsWithin } from "../support/start-process.ts";
import { runCommand } from "./run-command.ts";
import { runScript } from "./run-script.ts";

t.test("issue, list and revoke do their work, say so on stdout and exit 0", async (t) => {
  const folder = t.testdir();
  const issued = await runScript("keys", ["issue", "--kind", "public", "--label", "web", "--json"], folder);
  t.match(issued, { code: 0, stdout: /^\{.*\}\n$/, stderr: "" });
  const { id, key } = JSON.parse(issued.stdout);
  t.equal(keyKindOf(key), "public");
  const listed = await runCommand("keys", ["list"], folder);
  t.match(listed, { code: 0, stdout: `${id}  public  web`, stderr: "" });
  const revoked = await runCommand("keys", ["revoke", id], folder);
  t.match(revoked, { code: 0, stdout: `Revoked the public key ${id} (web).`, stderr: "" });
  const [record] = await readKeysFile(join(folder, "keys.json"));
  t.type(record?.revokedAt, "number");
});

t.test("issue names the address that HOST and PORT configure, in a command that tries the key", async (t) => {
  const folder = t.testdir();
  const issue = (env: Readonly<Record<string, string>>, ...flags: readonly string[]) =>
    runCommand("keys", ["issue", "--kind", "public", "--label", "web", ...flags], folder, env);
  const [usual, configured, chosen, wrong, json] = await Promise.all([
    issue({ HOST: "", PORT: "" }),
    issue({ HOST: "::1", PORT: "4711" }),
    issue({ PORT: "0" }),
    issue({ PORT: "none" }),
    issue({ PORT: "none" }, "--json"),
  ]);
  t.match(usual, { code: 0, stdout: " 'http://127.0.0.1:3000/api/v1/counties'\n" });
  t.match(configured, { code: 0, stdout: " 'http://[::1]:4711/api/v1/counties'\n" });
  t.equal(chosen.code, 0);
  t.notMatch(chosen.stdout, "curl", "only the service knows its port");
  t.match(wrong, { code: 2, stdout: "", stderr: 'PORT is "none", expected a whole number' });
  t.equal(json.code, 0, "no address is needed");
  t.equal((await readKeysFile(join(folder, "keys.json"))).length, 4, "wrong use issues nothing");
});

t.test("a refusal is one line and exit 1, and repeats no key that was typed for an id", async (t) => {
  const folder = t.testdir({ "keys.json": keysDocumentText([]) });
  const [unknown, missing] = await Promise.all([
    runCommand("keys", ["revoke", secretKey], folder),
    runCommand("keys", ["list"], folder, { KEYS_FILE: "none.json" }),
  ]);
  const stderr = 'keys.json: no key has the id "svc_sec_…"; npm run keys -- list shows the ids\n';
  t.same(unknown, { code: 1, stdout: "", stderr });
  t.match(missing, { code: 1, stdout: "", stderr: /^none\.json: does not exist, .*\n$/ });
});

t.test("--file goes before KEYS_FILE", async (t) => {
  const folder = t.testdir();
  const env = { KEYS_FILE: "from-environment.json" };
  const issue = ["issue", "--kind", "public", "--label"];
  await Promise.all([
    runCommand("keys", [...issue, "a"], folder, env),
    runCommand("keys", [...issue, "b", "--file", "from-flag.json"], folder, env),
  ]);
  t.match(await readKeysFile(join(folder, "from-environment.json")), [{ label: "a" }]);
  t.match(await readKeysFile(join(folder, "from-flag.json")), [{ label: "b" }]);
});

t.test("an empty KEYS_FILE counts as absent, as it does for the service; an empty --file is wrong use", async (t) => {
  const folder = t.testdir({ "keys.json": keysDocumentText([]) });
  const env = { KEYS_FILE: "" };
  const [byVariable, byFlag] = await Promise.all([
    runCommand("keys", ["list"], folder, env),
    runCommand("keys", ["list", "--file", ""], folder, env),
  ]);
  t.same(byVariable, { code: 0, stdout: "keys.json holds no keys.\n", stderr: "" });
  t.match(byFlag, { code: 2, stdout: "", stderr: /--file is empty/ });
});

t.test("wrong use exits 2 and touches nothing", async (t) => {
  const folder = t.testdir();
  const wrongUses: readonly (readonly [message: string, args: readonly string[]])[] = [
    ["Usage: npm run keys --", []],
    ["required option '--kind <kind>' not specified", ["issue", "--label", "a"]],
    ["Allowed choices are public, secret", ["issue", "--kind", "admin", "--label", "a"]],
    ['--label is " ", expected 1 to 100 printable', ["issue", "--kind", "public", "--label", " "]],
  ];
  const results = await Promise.all(wrongUses.map(([, args]) => runCommand("keys", args, folder)));
  for (const [index, [message]] of wrongUses.entries()) {
    t.match(results[index], { code: 2, stdout: "", stderr: message }, message);
  }
  t.notOk(existsSync(join(folder, "keys.json")));
});

t.test("eight commands at once beside a service lose no key, and the service learns them all", async (t) => {
  const folder = t.testdir();
  const path = join(folder, "keys.json");
  writeFileSync(path, keysDocumentText([]));
  const follower = await followKeys(path, { onChange() {}, onProblem: (error) => t.fail(error.message) });
  t.teardown(() => follower.close());
  const labels = Array.from({ length: 8 }, (_, index) => `client ${index}`);
  const issued = await Promise.all(
    labels.map((label) => runScript("keys", ["issue", "--kind", "public", "--label", label, "--json"], folder)),
  );
  const records = await readKeysFile(path);
  t.same(records.map(({ label }) => label).sort(), labels);
  t.equal(new Set(records.map(({ id }) => id)).size, 8);
  for (const { stdout } of issued) {
    const { id, key } = JSON.parse(stdout);
    t.ok(await holdsWithin(1000, () => follower.current().find(key)?.id === id));
  }
});
