/** The `keys` command as people run it: in the process of the test, but for the first. */
import { chmodSync, existsSync } from "node:fs";
import { join } from "node:path";
import t from "tap";
import { keyKindOf } from "../../src/contract/credentials.ts";
import { keysDocumentText } from "../../src/service/auth/keys-document.ts";
import { readKeysFile } from "../../src/service/auth/keys-file.ts";
import { secretKey } from "../support/signed-request.ts";
import { lacksPosix } from "../support/why-skipped.ts";
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

t.test("rotate makes another key, and refuses a key that was rotated", async (t) => {
  const folder = t.testdir();
  const flags = ["--expires", "90d", "--rate", "6000", "--json"];
  const issued = await runCommand("keys", ["issue", "--kind", "secret", "--label", "lab", ...flags], folder);
  const old = JSON.parse(issued.stdout);
  t.equal(Date.parse(old.expires_at) - Date.parse(old.created_at), 90 * 86_400_000);
  t.equal(old.rate_per_minute, 6000);

  const rotated = await runCommand("keys", ["rotate", old.id, "--json"], folder);
  t.match(rotated, { code: 0, stderr: "" });
  const { key, ...entry } = JSON.parse(rotated.stdout);
  t.equal(keyKindOf(key), "secret");
  t.match(entry, { id: /^key_/, kind: "secret", label: "lab", rate_per_minute: 6000, rotated_from: old.id });
  t.equal(Date.parse(entry.expires_at) - Date.parse(entry.created_at), 90 * 86_400_000);
  t.equal(Date.parse(entry.replaced.expires_at) - Date.parse(entry.created_at), 86_400_000, "24 hours when not given");

  const again = await runCommand("keys", ["rotate", old.id], folder);
  t.match(again, { code: 1, stdout: "", stderr: `keys.json: the key ${old.id} was rotated to ${entry.id} at ` });
  const last = await runCommand("keys", ["rotate", entry.id, "--overlap", "0", "--expires", "30d"], folder);
  t.match(last, {
    code: 0,
    stdout: /^Rotated the secret key .*\n\n {2}svc_sec_\w+\n\nThe old key is refused from now on\./,
  });
  const expired = await runCommand("keys", ["rotate", entry.id], folder);
  t.equal(expired.code, 1);
  t.equal((await readKeysFile(join(folder, "keys.json"))).length, 3);
});

t.test("a file that other users may read is warned about on stderr", { skip: lacksPosix }, async (t) => {
  const folder = t.testdir({ "keys.json": keysDocumentText([]) });
  chmodSync(join(folder, "keys.json"), 0o644);
  const stderr = "warning: keys.json: found mode 0644, which lets other users read it, expected 0600\n";
  t.same(await runCommand("keys", ["list", "--json"], folder), { code: 0, stdout: '{"keys":[]}\n', stderr });
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
  chmodSync(join(folder, "keys.json"), 0o600);
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
  const issue = ["issue", "--kind", "public", "--label", "a"];
  const wrongUses: readonly (readonly [message: string, args: readonly string[]])[] = [
    ["Usage: npm run keys --", []],
    ["required option '--kind <kind>' not specified", ["issue", "--label", "a"]],
    ["Allowed choices are public, secret", ["issue", "--kind", "admin", "--label", "a"]],
    ["Expected 1s to 36500d", [...issue, "--expires", "0"]],
    ["Expected 1s to 36500d", [...issue, "--expires", "90"]],
    ["Expected a whole number from 1 to 100000000", [...issue, "--rate", "0"]],
    ["Expected 0 to 365d", ["rotate", "key_a", "--overlap", "366d"]],
    ["missing required argument 'ID'", ["rotate"]],
    ['--label is " ", expected 1 to 100 printable', ["issue", "--kind", "public", "--label", " "]],
  ];
  const results = await Promise.all(wrongUses.map(([, args]) => runCommand("keys", args, folder)));
  for (const [index, [message]] of wrongUses.entries()) {
    t.match(results[index], { code: 2, stdout: "", stderr: message }, message);
  }
  t.notOk(existsSync(join(folder, "keys.json")));
});
