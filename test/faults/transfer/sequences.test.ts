/** Sequence numbers of announcements: their bounds where they are written and read, and how a replica forgets one. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import t from "tap";
import { announceSnapshot, forgetSequence } from "../../../src/publishing/publish/announce-snapshot.ts";
import {
  announcementText,
  parseAnnouncement,
  readAnnouncement,
  sequenceChosenMax,
  sequenceMax,
} from "../../../src/publishing/transfer/announcement.ts";
import { pushSnapshot } from "../../../src/publishing/transfer/push-snapshot.ts";
import { folderTarget } from "../../../src/publishing/transfer/push-target.ts";
import { runCommand } from "../../cli/run-command.ts";
import { currentOf, daysLater, publishedData, publishTables } from "../../support/published-data.ts";
import { prepareReplica, publisher, readyOf, serves } from "../../support/replica.ts";
import { priceRows } from "../../support/snapshot-files.ts";
import { holdsWithin } from "../../support/start-process.ts";
import { startPrepared } from "../../support/start-threads.ts";

/** Writes an announcement with another sequence number, as another program may. */
function writeSequence(directory: string, sequence: unknown): void {
  const path = join(directory, "announcement.json");
  writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, "utf8")), sequence }));
}

t.test("a sequence number is read and written from 1 to 2^48, and no other", async (t) => {
  const { data } = await publishedData(t.testdir({}), 1);
  const announcement = parseAnnouncement(readFileSync(join(data, "announcement.json"), "utf8"));
  for (const sequence of [1, 2 ** 47 + 1, 2 ** 48]) {
    t.equal(parseAnnouncement(announcementText({ ...announcement, sequence })).sequence, sequence);
  }
  for (const sequence of [0, -1, 1.5, 2 ** 48 + 1, 2 ** 53 - 1, 2 ** 53, 1e300, Number.NaN, Number.POSITIVE_INFINITY]) {
    const name = String(sequence);
    t.throws(() => announcementText({ ...announcement, sequence }), { name: "AnnouncementError" }, `written: ${name}`);
    writeSequence(data, sequence);
    await t.rejects(readAnnouncement(data), { name: "AnnouncementError", message: /sequence is .* from 1 to / }, name);
  }
});

t.test("after any number that --above takes, publishing goes on", async (t) => {
  const root = t.testdir({});
  const { data } = await publishedData(root, 1);
  const run = (above: number | string) =>
    runCommand("snapshot", ["announce", "--above", String(above)], root, { DATA_DIR: data });
  for (const above of [2 ** 47 + 1, 2 ** 48 - 1, 2 ** 48, 9007199254740990, "9007199254740993", "1e3", -1]) {
    t.match(await run(above), { code: 2, stderr: /./ }, String(above));
  }
  t.match(await run(sequenceChosenMax), { code: 0, stdout: /^announcement 140737488355329: / });
  const next = await publishTables(root, { prices: priceRows(30) }, daysLater(1));
  t.match(await readAnnouncement(data), { sequence: sequenceChosenMax + 2, snapshot: next });
});

t.test(
  "at the greatest number a publication is refused before it changes anything, and --above begins again",
  async (t) => {
    const root = t.testdir({});
    const { data } = await publishedData(root, 1);
    writeSequence(data, sequenceMax - 1);
    const last = await publishTables(root, { prices: priceRows(29) }, daysLater(1));
    t.match(await readAnnouncement(data), { sequence: sequenceMax, snapshot: last });
    const publishing = () => publishTables(root, { prices: priceRows(30) }, daysLater(1));
    await t.rejects(publishing(), { name: "AnnouncementError", message: /announce --above N begins again/ });
    t.equal(await currentOf(data), last);
    t.match(await announceSnapshot({ dataDirectory: data, above: 7 }), { sequence: 8 });
    const next = await publishing();
    t.match(await readAnnouncement(data), { sequence: 9, snapshot: next });
  },
);

t.test("a number beyond the bounds at the target of a push is named with its address", async (t) => {
  const root = t.testdir({});
  const { data } = await publishedData(root, 1);
  const target = folderTarget(join(root, "origin"));
  const push = () => pushSnapshot({ dataDirectory: data, target, now: daysLater(1) });
  await push();
  writeSequence(join(root, "origin"), 2 ** 53 - 2);
  const message = /origin\/announcement\.json: sequence is .*forget-sequence/;
  await t.rejects(push(), { name: "TransferError", reason: "announcement", message });
});

t.test("a running replica forgets a sequence number by a command, and takes over a lower one", async (t) => {
  const { data, ids, origin, folder } = await publisher(t);
  const replica = join(folder, "data");
  const taken = async (): Promise<number | undefined> => (await readyOf(service)).follows.taken_over?.sequence;
  await announceSnapshot({ dataDirectory: data, above: 1_000_000 });
  const service = await startPrepared(t, prepareReplica(folder, origin));
  t.ok(await serves(service, ids[1] as string));
  t.equal(await taken(), 1_000_001);

  writeSequence(data, 5);
  t.ok(await holdsWithin(30_000, async () => (await readyOf(service)).follows.stale_announcements > 0));
  t.equal(await taken(), 1_000_001, "a lower number is that of a stale cache");
  t.match(await runCommand("snapshot", ["forget-sequence"], folder, { DATA_DIR: replica }), {
    code: 0,
    stdout: /^announcement 1000001 is forgotten; /,
  });
  t.ok(await holdsWithin(30_000, async () => (await taken()) === 5));
  t.match(await readAnnouncement(replica), { sequence: 5 });
  t.equal((await readyOf(service)).snapshot, ids[1]);
  t.match(JSON.parse(readFileSync(join(replica, "log.ndjson"), "utf8")), { command: "forget-sequence" });
});

t.test("a number that cannot be read is forgotten as well, and that of an origin is not", async (t) => {
  const root = t.testdir({});
  const { data } = await publishedData(root, 1);
  await t.rejects(forgetSequence({ dataDirectory: data }), { name: "NoOriginError", message: /announce --above N/ });
  t.ok(await readAnnouncement(data), "it stays");
  writeFileSync(join(data, "origin.json"), JSON.stringify({ origin: "https://prices.test" }));
  writeSequence(data, 2 ** 53 - 1);
  t.equal((await forgetSequence({ dataDirectory: data })).forgotten, undefined);
  t.notOk(existsSync(join(data, "announcement.json")));
  t.equal((await forgetSequence({ dataDirectory: data })).forgotten, undefined, "and there is none");
});
