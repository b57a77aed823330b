import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import t from "tap";
import { runCommand } from "../../cli/run-command.ts";
import { folderWithData, holdsWithin, startProcess } from "../../support/start-process.ts";

/** What a change of the keys file may take to have its effect. */
const effectMillisecondsMax = 1000;

t.test("a running service follows the keys file that the keys command changes", async (t) => {
  const folder = await folderWithData(t);
  const first = await issue("first");
  const { process, baseUrl } = await startProcess(t, folder);
  const keysFile = join(folder, "keys.json");

  async function issue(label: string): Promise<{ readonly key: string; readonly id: string }> {
    const { code, stdout, stderr } = await runCommand(
      "keys",
      ["issue", "--kind", "public", "--label", label, "--json"],
      folder,
    );
    t.equal(code, 0, stderr);
    return JSON.parse(stdout);
  }

  async function codeWith(key: string): Promise<string | undefined> {
    const response = await fetch(`${baseUrl}/api/v1/counties`, { headers: { "X-API-Key": key } });
    return response.status === 200 ? "OK" : ((await response.json()) as { code?: string }).code;
  }

  t.equal(await codeWith(first.key), "OK");
  t.notMatch(process.stdout, "keys", "a keys file that was there is not announced");

  const second = await issue("second");
  t.ok(await holdsWithin(effectMillisecondsMax, async () => (await codeWith(second.key)) === "OK"), "issued");

  t.equal((await runCommand("keys", ["revoke", first.id], folder)).code, 0);
  t.ok(
    await holdsWithin(effectMillisecondsMax, async () => (await codeWith(first.key)) === "INVALID_API_KEY"),
    "revoked",
  );
  t.equal(await codeWith(second.key), "OK", "the other key is as it was");

  await t.test("a broken file keeps the last good keys and is reported once", async (t) => {
    const good = readFileSync(keysFile);
    const reported = (): readonly object[] => process.log.filter(({ level }) => Number(level) >= 50);
    writeFileSync(keysFile, good.subarray(0, good.length / 2));
    t.ok(await holdsWithin(effectMillisecondsMax, () => reported().length > 0), "reported");
    t.match(reported()[0], { keys_file: "keys.json", msg: /^keys\.json: .*; the last good keys stay in force$/ });
    t.equal(await codeWith(second.key), "OK");
    t.equal(await codeWith(first.key), "INVALID_API_KEY");

    writeFileSync(keysFile, good);
    const third = await issue("third");
    t.ok(await holdsWithin(effectMillisecondsMax, async () => (await codeWith(third.key)) === "OK"), "followed again");
    t.equal(reported().length, 1);
  });

  await t.test("a rotated key and its successor are both good, until the old one expires", async (t) => {
    const rotate = async (id: string, overlap: string): Promise<{ readonly key: string; readonly id: string }> => {
      const flags = ["--overlap", overlap, "--json"];
      const { code, stdout, stderr } = await runCommand("keys", ["rotate", id, ...flags], folder);
      t.equal(code, 0, stderr);
      return JSON.parse(stdout);
    };
    const becomes = (key: string, wanted: string) =>
      holdsWithin(effectMillisecondsMax, async () => (await codeWith(key)) === wanted);
    const next = await rotate(second.id, "24h");
    t.ok(await becomes(next.key, "OK"));
    t.equal(await codeWith(second.key), "OK");
    const last = await rotate(next.id, "0");
    t.ok(await becomes(last.key, "OK"));
    t.equal(await codeWith(next.key), "INVALID_API_KEY");
  });

  await t.test("once the service has ended, the list has the day on which each key was last used", async (t) => {
    const unused = await issue("unused");
    process.child.kill("SIGTERM");
    t.same(await process.ended, { code: 0, signal: null });
    const { stdout } = await runCommand("keys", ["list", "--json"], folder);
    const { keys } = JSON.parse(stdout) as { readonly keys: { readonly id: string; readonly last_used_on: unknown }[] };
    // The test may run at midnight.
    const days = [Date.now(), Date.now() - 60_000].map((time) => new Date(time).toISOString().slice(0, 10));
    for (const { id, last_used_on } of keys) {
      if (id === unused.id) t.equal(last_used_on, null);
      else t.ok(days.includes(String(last_used_on)), id);
    }
    t.equal(keys.length, 6);
  });

  t.notMatch(process.stderr, /svc_(?:pub|sec)_/, "no key is ever in the log");
  t.ok(process.logged("keys in force").length >= 3);
});
