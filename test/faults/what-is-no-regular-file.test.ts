/** FIFOs and devices where files belong: no one waits at them, neither the service nor a command. */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import t from "tap";
import type { Instant } from "../../src/engine/model/calendar.ts";
import { keysDocumentText } from "../../src/service/auth/keys-document.ts";
import { issueKey, readKeysFile } from "../../src/service/auth/keys-file.ts";
import { runCommandsInChild } from "../cli/run-command.ts";
import { writeCurrentSnapshot } from "../support/snapshot-files.ts";
import {
  folderWithData,
  holdsWithin,
  type RunningService,
  spawnService,
  startProcess,
} from "../support/start-process.ts";

const skip = process.platform === "win32" && "Windows has no FIFOs and devices among its files";

const now = (): Instant => Date.now() as Instant;

/** Long enough for anything on a busy machine; what waits at a FIFO waits for ever. */
const waitMillisecondsMax = 60_000;

/** What takes the place of a file in one instant, and what it is called. */
const kinds = [
  ["a FIFO", (path: string) => replace(path, (beside) => execFileSync("mkfifo", [beside]))],
  ["a device", (path: string) => replace(path, (beside) => symlinkSync("/dev/zero", beside))],
] as const;

t.jobs = 3;
const together = { buffered: true, skip, timeout: 300_000 };

for (const [kind, put] of kinds) {
  t.test(`${kind} in place of files of a running service`, { ...together }, async (t) => {
    const folder = await folderWithData(t);
    const keysFile = join(folder, "keys.json");
    const kept = await issueKey(keysFile, { kind: "public", label: "kept" }, now);
    const removed = await issueKey(keysFile, { kind: "public", label: "removed" }, now);
    const service = await startProcess(t, folder);

    await t.test("the keys file", async (t) => {
      const records = await readKeysFile(keysFile);
      put(keysFile);
      const problem = `keys.json: found ${kind}, expected a regular file; the last good keys stay in force`;
      t.ok(
        await holdsWithin(waitMillisecondsMax, () => service.process.logged(problem).length === 1),
        "the log says so",
      );
      t.equal(await statusWith(service, kept.key), 200);
      t.equal(await statusWith(service, removed.key), 200);

      const good = records.filter(({ id }) => id !== removed.entry.id);
      writeFileSync(`${keysFile}.new`, keysDocumentText(good));
      renameSync(`${keysFile}.new`, keysFile);
      t.ok(
        await holdsWithin(waitMillisecondsMax, async () => (await statusWith(service, removed.key)) === 401),
        "followed again",
      );
      t.equal(await statusWith(service, kept.key), 200);

      put(keysFile);
      t.ok(await holdsWithin(waitMillisecondsMax, () => service.process.logged(problem).length === 2));
    });

    await t.test("CURRENT or a manifest", async (t) => {
      const data = join(folder, "data");
      const current = join(data, "CURRENT");
      put(current);
      const hasFailed = (found: RegExp): boolean =>
        service.process.logged("reload failed").some(({ msg }) => found.test(String(msg)));
      t.ok(
        await holdsWithin(waitMillisecondsMax, () => hasFailed(new RegExp(`data/CURRENT: found ${kind}, expected`))),
      );
      t.equal((await fetch(`${service.adminUrl}/ready`)).status, 200);

      // Writing into a FIFO would wait, too.
      rmSync(current);
      const next = await writeCurrentSnapshot(data, { createdAt: "2026-02-02T08:30:00Z" });
      t.ok(
        await holdsWithin(waitMillisecondsMax, async () => (await servedBy(service)) === next),
        "a good one is served",
      );

      const later = await writeSnapshotWithout(data, put);
      t.ok(
        await holdsWithin(waitMillisecondsMax, () => hasFailed(/manifest\.json: found a link, a folder or a device/)),
      );
      t.not(await servedBy(service), later);
    });

    service.process.child.kill("SIGTERM");
    t.strictSame(await service.process.ended, { code: 0, signal: null });
  });

  t.test(`${kind} where the service starts`, { ...together }, async (t) => {
    const folder = await folderWithData(t);
    put(join(folder, "keys.json"));
    t.equal(await refusal(folder), `keys.json: found ${kind}, expected a regular file`);
    rmSync(join(folder, "keys.json"));
    put(join(folder, "data/CURRENT"));
    t.match(await refusal(folder), new RegExp(`data/CURRENT: found ${kind}, expected the id of a snapshot$`));

    async function refusal(where: string): Promise<string> {
      const { ended, complaints } = await endOf(where);
      t.strictSame(ended, { code: 1, signal: null });
      t.equal(complaints.length, 1, "one line");
      return complaints[0] ?? "";
    }

    async function endOf(where: string) {
      const service = spawnService(t, where);
      return { ended: await service.ended, complaints: service.complaints };
    }
  });

  t.test(`${kind} as the keys file, CURRENT or a lock of a command`, { ...together }, async (t) => {
    const root = t.testdir({ keys: {} });
    const [keys, data, locked] = [join(root, "keys"), join(root, "pointed"), join(root, "locked")];
    for (const folder of [data, locked]) await writeCurrentSnapshot(join(folder, "data"));
    put(join(keys, "keys.json"));
    put(join(data, "data/CURRENT"));
    put(join(locked, "data/.publish.lock"));
    const ofKeys = [["issue", "--kind", "public", "--label", "a"], ["list"], ["revoke", "key_a"]];
    const calls = [
      ...ofKeys.map((args) => ({ name: "keys", args, cwd: keys })),
      { name: "snapshot", args: ["rollback", "--data-dir", "data"], cwd: data },
      { name: "snapshot", args: ["gc", "--data-dir", "data"], cwd: locked },
    ];
    const results = await withinTime(runCommandsInChild(calls, root));
    const [rolledBack, collected] = results.splice(3);
    for (const [at, result] of results.entries()) {
      const stderr = `keys.json: found ${kind}, expected a regular file\n`;
      t.same(result, { code: 1, stdout: "", stderr }, String(ofKeys[at]?.[0]));
    }
    t.same(readdirSync(keys), ["keys.json"]);
    t.notOk(existsSync("/dev/zero.lock"));
    const stderr = `data/CURRENT: found ${kind}, expected the id of a snapshot\n`;
    t.match(rolledBack, { code: 1, stdout: "", stderr });
    t.match(collected, { code: 1, stdout: "", stderr: `data/.publish.lock: found ${kind}, expected a file` });
  });
}

function replace(path: string, make: (beside: string) => unknown): void {
  make(`${path}.new`);
  renameSync(`${path}.new`, path);
}

async function statusWith({ baseUrl }: RunningService, key: string): Promise<number> {
  return (await fetch(`${baseUrl}/api/v1/counties`, { headers: { "X-API-Key": key } })).status;
}

async function servedBy({ adminUrl }: RunningService): Promise<unknown> {
  return ((await (await fetch(`${adminUrl}/ready`)).json()) as { readonly snapshot?: unknown }).snapshot;
}

/** Makes another snapshot current in whose folder something else has the name of the manifest. @returns Its id. */
async function writeSnapshotWithout(data: string, put: (path: string) => unknown): Promise<string> {
  const id = "20260303T083000Z-0123456789ab";
  execFileSync("mkdir", ["-p", join(data, "snapshots", id)]);
  put(join(data, "snapshots", id, "manifest.json"));
  writeFileSync(join(data, "CURRENT.new"), `${id}\n`);
  renameSync(join(data, "CURRENT.new"), join(data, "CURRENT"));
  return id;
}

async function withinTime<T>(work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error("it waits")), waitMillisecondsMax);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}
