/**
 * The fault table: every command that changes a dataset directory, with a disk that fails at each call that changes it.
 * What the command says, its status and its JSON are compared with what is on the disk. The kinds of faults take turns,
 * but for the calls around the exchange of `CURRENT`, and behind it each call fails once by itself as well; with
 * `CALLS=all`, which takes four times as long, every call fails in all ways. What is done to one record file after
 * another is one step, which fails once with each kind.
 *
 *     npm test -- --timeout=900 test/faults/fault-table.test.ts --test-arg=gc     only of these commands
 */
import { cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import t, { type Test } from "tap";
import { readLog } from "../../src/publishing/publish/publication-log.ts";
import { hashManifest, readAnnouncement } from "../../src/publishing/transfer/announcement.ts";
import { runCommand } from "../cli/run-command.ts";
import { runProcess, type ScriptResult, scriptUrl } from "../cli/run-script.ts";
import { checkLoadsWhole } from "../support/after-fault.ts";
import { type DiskCall, type DiskFault, type DiskFaultKind, failDisk } from "../support/fault-disk.ts";
import { daysLater, publishedData } from "../support/published-data.ts";
import {
  marketRow,
  ndjson,
  originRows,
  priceRow,
  priceRows,
  testUuid,
  writeRecords,
} from "../support/snapshot-files.ts";
import { projectFolder } from "../support/test-files.ts";

const kinds: readonly DiskFaultKind[] = ["EIO", "EROFS", "ENOSPC", "kill"];
const now = daysLater(9);
const noDownloads = "--no-downloads";
const correction = { uuid: testUuid(101), price: 62 };

interface Command {
  /** Makes the folder that the command runs in, with `data` in it. @returns Its arguments. */
  readonly prepare: (folder: string) => Promise<readonly string[]>;
  /** True if it publishes: it exits with 3 where something behind `CURRENT` is not done. */
  readonly publishes: boolean;
  readonly signs?: boolean;
  readonly pushes?: boolean;
}

function variablesOf({ signs = false, pushes = false }: Omit<Command, "prepare">): Readonly<Record<string, string>> {
  return { DATA_DIR: "data", ...(signs && { SNAPSHOT_KEY_FILE: "key.pem" }), ...(pushes && { PUSH_TO: "origin" }) };
}

async function run(folder: string, args: readonly string[], command: Omit<Command, "prepare">): Promise<ScriptResult> {
  return await runCommand("snapshot", [...args, "--json"], folder, variablesOf(command), now);
}

/** Runs a command of the preparation. @returns Its JSON. */
async function done(folder: string, ...args: string[]): Promise<{ readonly id: string }> {
  const { code, stdout, stderr } = await run(folder, args, { publishes: true });
  if (code !== 0) throw new Error(`${args.join(" ")}: exit ${code}: ${stderr}`);
  return JSON.parse(stdout);
}

async function twoSnapshots(folder: string): Promise<readonly string[]> {
  const { ids } = await publishedData(folder, 2);
  await writeFile(join(folder, "data/log.ndjson"), "");
  await writeFile(join(folder, "day.ndjson"), ndjson(priceRows(2, 900)));
  return ids;
}

const commands: Readonly<Record<string, Command>> = {
  "first publish": {
    publishes: true,
    async prepare(folder) {
      await writeRecords(join(folder, "candidate"), { prices: priceRows(20) });
      await mkdir(join(folder, "data"));
      return ["publish", "candidate", noDownloads];
    },
  },
  "publish --draft": {
    publishes: false,
    async prepare(folder) {
      await twoSnapshots(folder);
      await writeRecords(join(folder, "candidate"), { prices: priceRows(30) });
      return ["publish", "candidate", "--draft"];
    },
  },
  "publish --replace-source": {
    publishes: true,
    async prepare(folder) {
      await twoSnapshots(folder);
      await mkdir(join(folder, "feed"));
      // The feed adopts a correction, so that the file loses a row.
      await writeFile(join(folder, "own.ndjson"), ndjson([priceRow({ price: 61 }), priceRow(correction)]));
      await writeFile(join(folder, "own.origins.ndjson"), ndjson(originRows(2, 100)));
      await done(folder, "append", "own.ndjson", "own.origins.ndjson", noDownloads);
      const feed = [priceRow({ price: 61 }), ...priceRows(20, 101), ...priceRows(2, 300)];
      await writeFile(join(folder, "feed/prices.ndjson"), ndjson(feed));
      await writeFile(join(folder, "feed/prices.origins.ndjson"), ndjson(originRows(2, 300)));
      await writeFile(join(folder, "feed/markets.ndjson"), ndjson([marketRow({ name: "Wakulima Market" })]));
      return ["publish", "feed", "--replace-source", "WFP", noDownloads];
    },
  },
  "append, signed and pushed": {
    publishes: true,
    signs: true,
    pushes: true,
    async prepare(folder) {
      await twoSnapshots(folder);
      await done(folder, "publisher-key", "--out", "key.pem");
      await writeFile(join(folder, "markets.ndjson"), ndjson([marketRow({ uuid: testUuid(3), name: "Gikomba" })]));
      // One price is known already, so that the file is not stored as it is.
      const price = { market_uuid: testUuid(3) };
      await writeFile(join(folder, "day.ndjson"), ndjson([priceRow(), ...priceRows(2, 900, price)]));
      await writeFile(join(folder, "day.origins.ndjson"), ndjson(originRows(2, 900)));
      return ["append", "markets.ndjson", "day.ndjson", "day.origins.ndjson", noDownloads];
    },
  },
  "append with downloads": {
    publishes: true,
    async prepare(folder) {
      await twoSnapshots(folder);
      return ["append", "day.ndjson"];
    },
  },
  "append of what is there": {
    publishes: true,
    async prepare(folder) {
      await twoSnapshots(folder);
      await done(folder, "append", "day.ndjson", noDownloads);
      await rm(join(folder, "data/announcement.json"));
      return ["append", "day.ndjson", noDownloads];
    },
  },
  withdraw: {
    publishes: true,
    async prepare(folder) {
      await twoSnapshots(folder);
      return ["withdraw", testUuid(100), "--reason", "wrong", noDownloads];
    },
  },
  "accept-price": {
    publishes: true,
    async prepare(folder) {
      await twoSnapshots(folder);
      const high = priceRow({ uuid: testUuid(950), price: 6000, recorded_at: "2026-01-16T06:00:00Z" });
      await writeFile(join(folder, "high.ndjson"), ndjson([high]));
      await done(folder, "append", "high.ndjson", noDownloads);
      return ["accept-price", high.uuid, "--reason", "seen", noDownloads];
    },
  },
  reinstate: {
    publishes: true,
    async prepare(folder) {
      await twoSnapshots(folder);
      await done(folder, "withdraw", testUuid(100), "--reason", "wrong", noDownloads);
      return ["reinstate", testUuid(100), noDownloads];
    },
  },
  approve: {
    publishes: true,
    pushes: true,
    async prepare(folder) {
      await twoSnapshots(folder);
      const { id } = await done(folder, "append", "day.ndjson", "--draft");
      return ["approve", id, "--by", "Akinyi", noDownloads];
    },
  },
  reject: {
    publishes: false,
    async prepare(folder) {
      await twoSnapshots(folder);
      const { id } = await done(folder, "append", "day.ndjson", "--draft");
      return ["reject", id];
    },
  },
  rollback: {
    publishes: true,
    async prepare(folder) {
      const [first] = await twoSnapshots(folder);
      await rm(join(folder, "data/compiled", `${first}.store`));
      return ["rollback"];
    },
  },
  "rollback that keeps withdrawals": {
    publishes: true,
    async prepare(folder) {
      const [first = ""] = await twoSnapshots(folder);
      await done(folder, "withdraw", testUuid(100), "--reason", "wrong", noDownloads);
      return ["rollback", first];
    },
  },
  undo: {
    publishes: true,
    async prepare(folder) {
      await twoSnapshots(folder);
      const { id } = await done(folder, "append", "day.ndjson", noDownloads);
      return ["undo", id, noDownloads];
    },
  },
  gc: {
    publishes: false,
    pushes: true,
    async prepare(folder) {
      await publishedData(folder, 3);
      await mkdir(join(folder, "data/snapshots/.staging-1"));
      await writeFile(join(folder, "data/pin.json.tmp"), "{");
      return ["gc", "--keep", "1", "--min-age", "0s"];
    },
  },
  announce: {
    publishes: false,
    async prepare(folder) {
      await twoSnapshots(folder);
      await rm(join(folder, "data/announcement.json"));
      return ["announce"];
    },
  },
  push: {
    publishes: false,
    pushes: true,
    async prepare(folder) {
      await twoSnapshots(folder);
      return ["push"];
    },
  },
  downloads: {
    publishes: false,
    async prepare(folder) {
      await twoSnapshots(folder);
      return ["downloads"];
    },
  },
  pin: {
    publishes: false,
    async prepare(folder) {
      const [first = ""] = await twoSnapshots(folder);
      return ["pin", first];
    },
  },
  unpin: {
    publishes: false,
    async prepare(folder) {
      const [first = ""] = await twoSnapshots(folder);
      await done(folder, "pin", first);
      return ["unpin"];
    },
  },
};

/** What is on the disk. */
async function diskOf(folder: string, { pushes = false }: Command) {
  const data = join(folder, "data");
  const current = (await readFile(join(data, "CURRENT"), "utf8").catch(() => "")).trim();
  const announced = await readAnnouncement(data);
  const isAnnounced =
    announced?.snapshot === current && announced.manifestSha256 === (await hashManifest(data, announced.snapshot));
  const there = pushes ? await readAnnouncement(join(folder, "origin")) : announced;
  const log = await readFile(join(data, "log.ndjson"), "utf8").catch(() => "");
  const names = (await readdir(data, { recursive: true })).sort();
  const orphans = names.filter((name) => /(^|[\\/])\.(staging|removed)-[^\\/]*$|\.tmp$/.test(name));
  const logged = log.split("\n").filter((line) => line !== "");
  const isPushed = announced !== undefined && there?.sequence === announced.sequence;
  return { current, isAnnounced, isPushed, logged, orphans, pin: names.includes("pin.json") };
}

type Disk = Awaited<ReturnType<typeof diskOf>>;

/** @returns What the command says that is not so. */
function wrongIn(
  command: Command,
  { code, stdout, stderr }: ScriptResult,
  call: DiskCall & { readonly isExchanged: boolean },
  [before, after]: readonly [Disk, Disk],
  whole: Readonly<Record<string, unknown>>,
): string[] {
  const wrong: string[] = [];
  const demand = (isRight: boolean, text: string): void => void (isRight || wrong.push(text));
  const isExchanged = after.current !== before.current;
  if (code === null) {
    demand(isExchanged === call.isExchanged, "killed, CURRENT is exchanged or not");
    return wrong;
  }
  const json = JSON.parse(stdout) as {
    [name: string]: unknown;
    unfinished?: string[];
    message?: string;
  };
  const { unfinished = [] } = json;
  const said = stderr.trimEnd();
  demand(!/Suppressed|^ {4}at /m.test(said), "a stack");
  demand(json["ok"] === (code === 0), "ok is not that of the status");
  const lines = after.logged.length - before.logged.length;
  const isFlush = call.name === "sync";
  if (code === 0) {
    demand(unfinished.length === 0, "unfinished, and 0");
    demand(after.isAnnounced, "not announced, and 0");
    demand(after.isPushed, "not pushed, and 0");
    demand(after.orphans.length === 0, "not cleaned, and 0");
    demand(said === "" || /^warning: /.test(said), "a sentence, and 0");
    return wrong;
  }
  demand(/E(IO|ROFS|NOSPC)\b/.test(said), "no code");
  demand(/\b(data|origin)\b/.test(said), "no path");
  if (unfinished.length === 0) {
    demand(code === 1, "a refusal has 1");
    demand(!isExchanged, "refused, but CURRENT is exchanged");
    demand(json.message !== undefined && said.includes(json.message), "another message in the JSON");
    demand(lines === 0, "refused, but logged");
    demand(after.isAnnounced === before.isAnnounced, "refused, but announced");
    demand(after.pin === before.pin, "refused, but pinned or not");
    return wrong;
  }
  demand(code === (command.publishes ? 3 : 1), "3 is for what is published, 1 for what publishes nothing");
  demand(json["outcome"] === whole["outcome"], "another outcome than with 0");
  if (code === 3) demand(json["id"] === after.current && said.includes(`published ${after.current}, `), "another id");
  const isUnfinished = (step: string): boolean => unfinished.includes(step);
  demand(isUnfinished("log") === /its line is missing/.test(said), "the line of the log");
  const isUnflushed = /, not flushed: /.test(said);
  demand(isUnfinished("announcement") === (isUnflushed || /, not announced: /.test(said)), "not announced");
  demand(isUnfinished("push") === /, not pushed to /.test(said), "not pushed");
  demand(isUnfinished("cleaning") === /, not cleaned: /.test(said), "not cleaned");
  // What could not be flushed may be there.
  if (isUnfinished("log")) {
    demand(lines === 0 || isFlush, "the line of the log is there");
    const line = JSON.parse(said.split("\n").at(-1) ?? "") as { to: string };
    demand(line.to === after.current, "another line");
  }
  const isSaid = isUnfinished("announcement") && !isUnflushed;
  demand(after.isAnnounced === !isSaid, "announced or not");
  demand(isUnfinished("push") ? isFlush || !after.isPushed : isSaid || after.isPushed, "pushed or not");
  // The new content of a file that could not be replaced is part of what is not done.
  const orphans = after.orphans.filter((path) => !path.endsWith(".tmp") || !isUnfinished("announcement"));
  demand(isUnfinished("cleaning") || orphans.length === 0, `cleaned or not: ${orphans}`);
  return wrong;
}

const diskModule = pathToFileURL(join(projectFolder, "test/support/fault-disk.ts")).href;

/** Runs a command on a disk that fails. A kill needs a process. */
async function runFailing(folder: string, args: readonly string[], command: Command, fault: DiskFault) {
  if (fault.kind === "kill") {
    const clock = `data:text/javascript,Date.now=()=>${now}`;
    const node = ["--import", clock, "--import", diskModule, fileURLToPath(scriptUrl("snapshot"))];
    const env = { ...variablesOf(command), FAULT_DISK: JSON.stringify(fault) };
    return await runProcess(process.execPath, [...node, ...args, "--json"], folder, env);
  }
  const end = failDisk(fault);
  try {
    return await run(folder, args, command);
  } finally {
    end();
  }
}

function shown(text: string, folder: string): string {
  return text
    .replaceAll(folder, "")
    .replaceAll(/\d{8}T\d{6}Z-[0-9a-f]{12}/g, "ID")
    .replaceAll(/\.(staging|removed)-\w+/g, ".$1")
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "UUID")
    .replaceAll(/\.partial-\w+/g, ".partial");
}

/** A file of a folder that is made, but for the last ones of it. */
const oneOfFiles =
  /(?<=[\\/](\.staging-|downloads[\\/]|origin[\\/]snapshots[\\/])[^\\/]+[\\/])(?!manifest|announcement)(prices[\\/])?[\w.-]+\.\w+/;

async function checkCommand(t: Test, name: string, command: Command): Promise<void> {
  const root = t.testdir({});
  const prepared = join(root, "prepared");
  await mkdir(prepared);
  const args = await command.prepare(prepared);
  const copy = async (to: string): Promise<string> => {
    const folder = join(root, to);
    await cp(prepared, folder, { recursive: true, preserveTimestamps: true });
    return folder;
  };
  const whole = await copy("whole");
  const end = failDisk({ folder: whole, kind: "EIO" });
  const { code, stdout } = await run(whole, args, command);
  const calls = end();
  t.equal(code, 0, name);
  const json = JSON.parse(stdout);
  const exchange = calls.findIndex((call) => call.name === "rename" && call.path.endsWith("CURRENT.tmp"));
  if (command.publishes && !name.includes("there")) t.ok(exchange > 0, "CURRENT is exchanged");

  const turn = Object.keys(commands).indexOf(name);
  const tries = new Map<string, number>();
  const rows = new Set<string>();
  for (const [index, { name: step, path }] of calls.entries()) {
    const isBehind = index > exchange;
    const kindOfStep = `${step} ${isBehind} ${path.replace(oneOfFiles, "*")}`;
    const times = tries.get(kindOfStep) ?? 0;
    tries.set(kindOfStep, times + 1);
    if (times >= kinds.length) continue;
    const kindOfTurn = kinds[(turn + tries.size + times) % kinds.length] as DiskFaultKind;
    const isAlone = isBehind && times === 0;
    const isTriedWhole = process.env["CALLS"] === "all" || Math.abs(index - exchange) <= 1;
    const tried = isTriedWhole ? kinds : new Set(isAlone ? ["EIO" as const, kindOfTurn] : [kindOfTurn]);
    for (const kind of tried) {
      const folder = await copy(`${index}-${kind}`);
      const before = await diskOf(folder, command);
      const ended = await runFailing(folder, args, command, { folder, kind, at: index + 1 });
      const after = await diskOf(folder, command);
      const at = `${name} | ${kind} at ${step} ${shown(relative(whole, path), folder)}`;
      const call = { name: step, path, isExchanged: exchange >= 0 && isBehind };
      const wrong = wrongIn(command, ended, call, [before, after], json);
      t.same(wrong, [], `${at}: ${ended.code}: ${ended.stderr}`);
      const disk = [
        after.current === before.current ? "old" : "new",
        after.isAnnounced ? "announced" : "not announced",
        `${after.logged.length - before.logged.length} lines`,
        `${after.orphans.length} orphans`,
      ];
      const lines = ended.stderr.split("\n").filter((line) => line !== "" && !line.startsWith("{"));
      const said = shown(lines.join(" / "), folder);
      rows.add(`${at} | ${said} | ${ended.code ?? "killed"} | ${disk.join(", ")}`);

      // The next command completes it, and what was refused succeeds.
      const isRefused = ended.code === null || (ended.code === 1 && !ended.stdout.includes('"unfinished"'));
      t.notOk(isRefused && name === "gc" && kind === "ENOSPC", `${at}: removing needs no room`);
      if (isRefused && after.current === before.current) {
        const again = await run(folder, args, command);
        const isDone = again.code === 1 && /found no such draft/.test(again.stderr);
        t.ok(again.code === 0 || (ended.code === null && isDone), `${at}: again: ${again.stderr}`);
      }
      const next = await run(folder, ["gc", "--keep", "9"], command);
      t.equal(next.code, 0, `${at}: the next command: ${next.stderr}`);
      const last = await diskOf(folder, command);
      t.ok(last.isAnnounced && last.isPushed, `${at}: the next command has announced and pushed`);
      t.same(last.orphans, [], `${at}: and cleaned`);
      const verified = await run(folder, ["verify"], command);
      t.equal(verified.code, 0, `${at}: verify: ${verified.stderr}`);
      if (!last.pin) await checkLoadsWhole(t, join(folder, "data"), at);
      const { faults } = await readLog(join(folder, "data"));
      t.ok(!faults.some((line) => !line.includes("no such file")), `${at}: the log has whole lines`);
      await rm(folder, { recursive: true });
    }
  }
  for (const row of rows) t.comment(row);
  t.ok(rows.size > tries.size / 2, `${rows.size} rows of ${tries.size} steps`);
}

const named = process.argv.slice(2);
for (const [name, command] of Object.entries(commands)) {
  if (named.length === 0 || named.includes(name))
    t.test(name, { timeout: 600_000 }, (t) => checkCommand(t, name, command));
}
