/**
 * Tries replicas by URL: every 5 s a publisher pushes a snapshot to a folder behind nginx; replicas follow it and
 * answer clients behind another nginx, while a replica is killed, a disk is full, the origin is away, and a file and an
 * announcement are not what they should be. Ten replicas for three minutes; with `--short` three for half a minute.
 * Skips where nginx is not installed.
 * Replicas that follow later than they should are reported apart: a machine that other work shares is late.
 */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { Agent } from "node:https";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type Answer, exchange, Load } from "../deploy/load.ts";
import { originSite, serviceSite } from "../deploy/nginx-trial.ts";
import { freePort, hasProgram, report, runProgram, Trial, waitUntil } from "../deploy/trial.ts";
import { bytesSent, Fleet, type Replica } from "./fleet.ts";
import { StoppableOrigin, smallDisk } from "./fleet-faults.ts";
import { FleetPublisher } from "./fleet-publisher.ts";

const isShort = process.argv.includes("--short");
const replicaCount = isShort ? 3 : 10;
const periodMilliseconds = 5000;
const lagMillisecondsMax = 10_000;
/** A fault lasts for so long after a publication, so that every replica polls once: the default is 5 s, and a tenth. */
const faultMilliseconds = 6000;
/** Each of the clients of load.ts rests for so long between two requests. */
const clientRestMilliseconds = 100;

/** When what happens, in periods counted from 0; a fault has its first, and the one behind its last. */
const plan = isShort
  ? { periods: 6, rollbacks: [2], kill: 0, disk: [1, 2], damage: [3, 4], stale: [4, 5], away: [5, 6] }
  : {
      ...{ periods: 36, rollbacks: [3, 8, 14, 21, 29, 33], kill: 5 },
      ...{ disk: [9, 12], damage: [16, 17], stale: [19, 20], away: [23, 27] },
    };

/** Something goes wrong from one period to another. */
interface Fault {
  readonly periods: readonly number[];
  readonly begin: () => Promise<void> | void;
  readonly end: () => Promise<void>;
  /** The replicas that it keeps from what is announced. */
  readonly struck: readonly Replica[];
  /** The counter by which a replica says that it has noticed. */
  readonly counter: string;
}

const refusalsBecauseOf = (reason: string): string => `origin_refusals_total{reason="${reason}"}`;

if (hasProgram("nginx", "nginx")) await Trial.run(tryFleet);

async function tryFleet(trial: Trial): Promise<void> {
  await runProgram(join(import.meta.dirname, "../deploy/self-signed.sh"), [trial.path("tls"), "localhost"]);
  const publisher = await FleetPublisher.create(trial);
  const originPort = await freePort();
  const origin = new StoppableOrigin(trial, await originSite(trial.folder, originPort, publisher.originDirectory));
  await origin.start();
  const fleet = new Fleet(trial, publisher.originDirectory, {
    ORIGIN: `https://localhost:${originPort}`,
    ORIGIN_PUBLIC_KEY: publisher.publicKey,
    NODE_EXTRA_CA_CERTS: trial.path("tls/fullchain.pem"),
    ...{ RATE_LIMIT_PER_MINUTE: "0", THREADS: "1", DRAIN_SECONDS: "1" },
  });
  const key = await trial.issueKey("public");
  const disk = await smallDisk(trial.path("replica-1"));
  try {
    for (let index = 0; index < replicaCount; index++) {
      await fleet.add(trial.path(`replica-${index}`), await freePort(), await freePort());
    }
    report(`${replicaCount} replicas have started with empty folders, from an origin behind nginx`);
    const { load, wrong } = await askFleet(trial, key, fleet, publisher);
    const { replicas } = fleet;
    const full = replicas[1] as Replica;
    await publishWithFaults(fleet, publisher, [
      {
        ...{ periods: plan.disk, struck: [full], counter: refusalsBecauseOf("disk") },
        begin: () => disk.fill(full),
        end: () => disk.free(full),
      },
      {
        ...{ periods: plan.damage, struck: replicas, counter: refusalsBecauseOf("hash") },
        begin: () => publisher.damageNext(),
        end: () => publisher.repair(),
      },
      {
        ...{ periods: plan.stale, struck: replicas, counter: "origin_stale_announcements_total" },
        begin: () => publisher.announceStale(),
        end: () => publisher.announceNewest(),
      },
      {
        ...{ periods: plan.away, struck: replicas, counter: refusalsBecauseOf("unreachable") },
        begin: () => origin.stop(),
        end: () => origin.start(),
      },
    ]);
    await fleet.finish();
    await load.stop();
    report(`load: ${load.countsText()}, ${wrong.length} wrong, from ${load.snapshots.size} snapshots`);
    assert.deepEqual(load.failures.slice(0, 5), []);
    assert.deepEqual(wrong.slice(0, 5), []);
    assert.ok(load.snapshots.size > plan.periods / 2, "most snapshots were seen");
    await checkFaults(fleet);
    const late = lagProblem(fleet);
    await reportBytes(trial, publisher);
    // Nothing was wrong, and a machine that other work shares is late: so it is said, and the trial has not failed.
    report(late === undefined ? "fleet: all as expected" : `fleet: late, and all else as expected: ${late}`);
  } finally {
    await disk.remove();
  }
}

/** Starts nginx over all replicas, and clients that check each answer by the snapshot that it names. */
async function askFleet(
  trial: Trial,
  key: string,
  { replicas }: Fleet,
  { newestPrices, product }: FleetPublisher,
): Promise<{ readonly load: Load; readonly wrong: string[] }> {
  const port = await freePort();
  const ports = replicas.map((replica) => replica.port);
  await trial.startNginx("front", await serviceSite(trial.folder, port, ports));
  const ca = await readFile(trial.path("tls/fullchain.pem"));
  const overTls = { agent: new Agent({ keepAlive: true, ca, servername: "localhost" }), port };
  const headers = { "X-API-Key": key };
  const latest = `/api/v1/prices/latest?product_uuids=${product}&limit=1`;
  const wrong: string[] = [];
  const bodies = new Map<string, Buffer>();
  const check = (path: string, { headers: { etag, "x-snapshot-id": named }, body }: Answer): void => {
    const id = String(named);
    const known = bodies.get(`${path} ${etag}`);
    if (known?.equals(body) === false) wrong.push(`${path}: two bodies of ETag ${etag}`);
    bodies.set(`${path} ${etag}`, body);
    if (path !== latest) return;
    const { data } = JSON.parse(body.toString()) as { data: { prices: { uuid: string; price: number }[] }[] };
    const [found] = data[0]?.prices ?? [];
    const { uuid, price } = newestPrices.get(id) ?? {};
    if (found !== undefined && found.uuid === uuid && found.price === price) return;
    wrong.push(`${path} of ${id}: found ${found?.price} of ${found?.uuid}, expected ${price} of ${uuid}`);
  };
  const load = new Load(async (round) => {
    await delay(clientRestMilliseconds);
    const path = round % 2 === 0 ? latest : `/api/v1/products/${product}`;
    const answer = await exchange(overTls, "GET", path, headers);
    if (answer.status === 200) check(path, answer);
    return answer;
  });
  return { load, wrong };
}

/** Publishes once a period, as planned, with the faults of the plan. */
async function publishWithFaults(fleet: Fleet, publisher: FleetPublisher, faults: readonly Fault[]): Promise<void> {
  const current = new Set<Fault>();
  for (let period = 0; period <= plan.periods; period++) {
    for (const fault of faults) {
      if (fault.periods[1] !== period) continue;
      await waitUntil(`a replica has noticed: ${fault.counter}`, () => isNoticed(fleet, fault));
      await fault.end();
      current.delete(fault);
      for (const { faultEnds } of fault.struck) faultEnds.push(Date.now());
    }
    if (period === plan.periods) break;
    const began = Date.now();
    for (const fault of faults) {
      if (fault.periods[0] !== period) continue;
      await fault.begin();
      current.add(fault);
    }
    if (period >= plan.kill) fleet.killInNextTransfer();
    if (period !== plan.stale[0]) {
      if (plan.rollbacks.includes(period)) await publisher.rollBack();
      else await publisher.append(period + 1);
      // What is damaged cannot be taken over.
      if (period !== plan.damage[0]) await fleet.recordAnnouncement();
    }
    const restMilliseconds = began + periodMilliseconds - Date.now();
    await delay(Math.max(restMilliseconds, current.size > 0 ? faultMilliseconds : 0));
  }
}

/** Whether a replica has noticed a fault; one that was killed may not answer yet. */
async function isNoticed(fleet: Fleet, { counter }: Fault): Promise<boolean> {
  return (await fleet.sum(counter).catch(() => 0)) > 0;
}

/** All faults were seen by the replicas. */
async function checkFaults(fleet: Fleet): Promise<void> {
  assert.ok(fleet.hasCutTransfer, "a replica was killed in the middle of a transfer");
  const counts: string[] = [];
  for (const reason of ["disk", "hash", "unreachable"]) {
    const count = await fleet.sum(refusalsBecauseOf(reason));
    assert.ok(count > 0, `no replica refused a transfer because of ${reason}`);
    counts.push(`${count} ${reason}`);
  }
  const stale = await fleet.sum("origin_stale_announcements_total");
  assert.ok(stale > 0, "no replica has seen a stale announcement");
  report(
    `faults: a transfer was cut by kill -9; refused transfers: ${counts.join(", ")}; ${stale} stale announcements`,
  );
}

/** @returns What was late; undefined where every replica followed in time. */
function lagProblem(fleet: Fleet): string | undefined {
  const lags = fleet.lags();
  const at = (share: number): number => lags[Math.ceil(share * lags.length) - 1] ?? Number.NaN;
  const [p50, p99, longest] = [0.5, 0.99, 1].map((share) => (at(share) / 1000).toFixed(1));
  report(
    `from an announcement to its snapshot: p50 ${p50} s, p99 ${p99} s, longest ${longest} s, of ` +
      `${fleet.announced.length} announcements by ${replicaCount} replicas; after a fault, from its end`,
  );
  if (at(0.99) <= lagMillisecondsMax) return undefined;
  return `p99 is ${p99} s, expected at most ${lagMillisecondsMax / 1000} s on a machine that does nothing else`;
}

async function reportBytes(trial: Trial, { plainBytes }: FleetPublisher): Promise<void> {
  const sent = await bytesSent(trial.path("farm-prices-origin.log"));
  const [first = "", ...later] = plainBytes.keys();
  const perReplica = (name: string): number => Math.round((sent.get(name) ?? 0) / replicaCount);
  const ofLater = later.map(perReplica).sort((a, b) => a - b);
  const plain = plainBytes.get(first) ?? 0;
  report(
    `bytes to a replica: ${perReplica(first)} for the first snapshot, ` +
      `${((100 * perReplica(first)) / plain).toFixed(1)} % of its files; for a publication ` +
      `${ofLater[Math.floor(ofLater.length / 2)]}, at most ${ofLater.at(-1)}; ` +
      `${perReplica("announcement.json")} for all announcements`,
  );
}
