/** A dataset directory that cannot be used is named, with what it is; no file in it is blamed. */
import { chmodSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import t, { type Test } from "tap";
import { provideDataDirectory, requireDataDirectory } from "../../../src/engine/snapshots/data-directory.ts";
import { readPin } from "../../../src/engine/snapshots/pin.ts";
import { readCurrentSnapshot } from "../../../src/publishing/publish/open-published.ts";
import { readFollowedOrigin } from "../../../src/publishing/transfer/followed-origin.ts";
import { runCommand } from "../../cli/run-command.ts";
import { runProcess } from "../../cli/run-script.ts";
import { publishedData } from "../../support/published-data.ts";
import { ndjson, priceRows, testUuid, writeRecords } from "../../support/snapshot-files.ts";
import { lacksPosix } from "../../support/why-skipped.ts";

const id = "20260301T083000Z-0123456789ab";

/** Every command on a dataset directory, with arguments that are right. */
const commands = [
  ["list"],
  ["show", id],
  ["diff", id, id],
  ["log"],
  ["report", "--json"],
  ["export", "--format", "records", "--out", "exported"],
  ["downloads"],
  ["verify"],
  ["gc"],
  ["gc", "--dry-run"],
  ["drafts"],
  ["approve", id, "--by", "Akinyi"],
  ["reject", id],
  ["rollback"],
  ["announce"],
  ["forget-sequence"],
  ["push", "pushed"],
  ["pin", id],
  ["unpin"],
  ["append", "day.ndjson"],
  ["append", "day.ndjson", "--dry-run"],
  ["withdraw", testUuid(100), "--reason", "wrong"],
  ["reinstate", testUuid(100)],
  ["accept-price", testUuid(100), "--reason", "right"],
  ["publish", "candidate"],
] as const;

const wrongs = [
  ["a file", (path: string) => writeFileSync(path, ""), "data: found a file, expected the dataset directory"],
  ["links", (path: string) => symlinkSync("data", path), "data: found links that lead to one another (ELOOP)"],
  [
    "no snapshots folder but a file",
    (path: string) => {
      mkdirSync(path);
      writeFileSync(join(path, "snapshots"), "");
    },
    "data/snapshots: found a file, expected a folder of snapshots",
  ],
  [
    "nothing",
    () => {},
    "data: found no such folder, expected the dataset directory, which DATA_DIR or --data-dir names",
  ],
] as const;

for (const [name, make, line] of wrongs) {
  t.test(`where there is ${name}, every command says so in one line, and leaves it`, async (t) => {
    const root = t.testdir({});
    const data = join(root, "data");
    make(data);
    writeFileSync(join(root, "day.ndjson"), ndjson(priceRows(1)));
    await writeRecords(join(root, "candidate"));
    for (const args of commands) {
      // It makes a directory that is missing.
      if (name === "nothing" && args[0] === "publish") continue;
      const { code, stdout, stderr } = await runCommand("snapshot", args, root, { DATA_DIR: "data" });
      t.equal(code, 1, args.join(" "));
      t.equal(stderr.split("\n").length, 2, args.join(" "));
      t.ok(stderr.startsWith(line), `${args.join(" ")}: ${stderr}`);
      if (!args.includes("--json" as never)) t.equal(stdout, "");
    }
    t.equal(existsSync(data), name !== "nothing" && name !== "links");
  });
}

t.test("a path through a file, and one that is too long, are said to be that", async (t) => {
  const root = t.testdir({ file: "" });
  const wanted = "expected the dataset directory";
  await t.rejects(requireDataDirectory(join(root, "file", "data")), {
    name: "DataDirectoryError",
    message: new RegExp(`file/data: found a part of the path that is no folder \\(ENOTDIR\\), ${wanted}`),
  });
  await t.rejects(requireDataDirectory(join(root, "a".repeat(300))), { message: /cannot be used \(ENAMETOOLONG\)/ });
  await t.rejects(readPin(join(root, "file")), { message: /pin\.json: found a part of the path that is no folder/ });
  await t.rejects(readCurrentSnapshot(join(root, "file")), { code: "ENOTDIR" });
  await t.rejects(provideDataDirectory(join(root, "file")), { message: /file: found a file, / });
  await t.rejects(provideDataDirectory(join(root, "file", "data")), { message: /ENOTDIR.*a folder that can be made/ });
  await provideDataDirectory(join(root, "replica", "data"));
  await requireDataDirectory(join(root, "replica", "data"));
});

t.test("folders in place of its files are named by path, each by the commands that read it", async (t) => {
  for (const [file, args] of [
    ["CURRENT", ["verify"]],
    ["pin.json", ["gc"]],
    ["origin.json", ["pin", id]],
    ["origin.json", ["append", "day.ndjson"]],
    ["announcement.json", ["unpin"]],
    ["pin.json", ["unpin"]],
  ] as const) {
    const root = t.testdir({});
    const { data } = await publishedData(root, 1);
    writeFileSync(join(root, "day.ndjson"), ndjson(priceRows(1)));
    rmSync(join(data, file), { force: true });
    mkdirSync(join(data, file));
    const { code, stderr } = await runCommand("snapshot", args, root, { DATA_DIR: data });
    t.equal(code, 1, args.join(" "));
    t.match(stderr, new RegExp(`^[^\n]*data/${file}\\b[^\n]*\n$`), args.join(" "));
    t.match(stderr, /\ba directory\b/, args.join(" "));
  }
});

t.test("a pin or mark of an origin that is other JSON than it should be, or none, is said to be that", async (t) => {
  const root = t.testdir({});
  for (const text of ["null", "[]", "{}", '"x"', "", "{"]) {
    writeFileSync(join(root, "pin.json"), text);
    writeFileSync(join(root, "origin.json"), text);
    const message = `${join(root, "pin.json")}: found no id and time, expected a pin; unpin removes it`;
    await t.rejects(readPin(root), { name: "SnapshotUnavailableError", message }, text);
    t.equal(await readFollowedOrigin(root), "an origin that its origin.json does not name", text);
  }
});

/** What a process of its own reports of the dataset directory `data` in a folder, once it has done something. */
async function messagesOf(t: Test, root: string, before: string): Promise<string> {
  const from = (file: string): string => JSON.stringify(new URL(`../../../src/${file}`, import.meta.url).href);
  const program = `
    import { openSync } from "node:fs";
    import { requireDataDirectory } from ${from("engine/snapshots/data-directory.ts")};
    import { readPin } from ${from("engine/snapshots/pin.ts")};
    import { readCurrent } from ${from("engine/snapshots/current-snapshot.ts")};
    import { readFollowedOrigin } from ${from("publishing/transfer/followed-origin.ts")};
    import { takeExclusiveLock } from ${from("engine/files/exclusive-lock.ts")};
    const lock = () => takeExclusiveLock("data/lock", 10);
    ${before}
    const texts = [];
    for (const read of [requireDataDirectory, readPin, readCurrent, readFollowedOrigin, lock]) {
      await read("data").catch((error) => texts.push(error.name + " " + error.message));
    }
    process.stdout.write(texts.join("\\n"));`;
  const { code, stdout, stderr } = await runProcess(process.execPath, ["--input-type=module", "-e", program], root);
  t.equal(code, 0, stderr);
  return stdout;
}

t.test("what this user may not read is said to be that", { skip: lacksPosix }, async (t) => {
  const root = t.testdir({});
  const { data } = await publishedData(root, 1);
  chmodSync(data, 0o000);
  t.teardown(() => chmodSync(data, 0o755));
  const texts = await messagesOf(t, root, "if (process.getuid() === 0) process.setuid(65534); // root may read all");
  t.match(
    texts,
    /^DataDirectoryError data: found what this user may not use \(EACCES\), expected the dataset directory/,
  );
  t.match(texts, /^SnapshotUnavailableError data\/pin\.json: found a file that cannot be read \(EACCES\), .*readable/m);
  t.match(texts, /^OriginMarkError data\/origin\.json: .* \(EACCES\), expected a readable file$/m);
  t.match(texts, /^LockUnusableError data\/lock: cannot be opened for writing \(EACCES\)/m);
});

t.test("where no more files can be opened, the limit is named and not the file", { skip: lacksPosix }, async (t) => {
  const root = t.testdir({});
  await publishedData(root, 1);
  const texts = await messagesOf(
    t,
    root,
    'try { for (;;) openSync("/dev/null", "r"); } catch (error) { if (error.code !== "EMFILE") throw error; }',
  );
  const limit = "the limit of open files reached \\(EMFILE, see ulimit -n\\), expected";
  t.match(texts, new RegExp(`^DataDirectoryError data: found ${limit} the dataset directory`));
  t.match(texts, new RegExp(`^SnapshotUnavailableError data/pin\\.json: found ${limit} a readable file$`, "m"));
  t.match(texts, new RegExp(`^SnapshotUnavailableError data/CURRENT: found ${limit}`, "m"));
  t.match(texts, new RegExp(`^OriginMarkError data/origin\\.json: found ${limit}`, "m"));
  t.match(texts, /^LockUnusableError data\/lock: cannot be opened for writing \(EMFILE\)/m);
  t.notMatch(texts, "unpin");
});
