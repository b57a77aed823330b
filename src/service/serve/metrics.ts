/** The metrics for Prometheus. Loaded for the first scrape, so that a start does not wait for it. */
import { readdir } from "node:fs/promises";
import { AggregatorRegistry, type LabelValues, type MetricValueWithName, type Registry } from "prom-client";
import { snakeCase } from "../../engine/model/snake-case.ts";
import { PendingPushError, readPendingPush } from "../../engine/snapshots/push-pending.ts";
import { type Store, storeBytes } from "../../engine/store/store.ts";
import { type PlaceKind, placeKinds, readPlaces } from "../http/admission/admission.ts";
import { readRefused } from "../http/admission/rate-limits.ts";
import { countedEndpoints } from "../http/app.ts";
import { readConnections } from "../http/connection/connection-counts.ts";
import { readDescriptorLimit } from "./connection-limit.ts";
import { delayBounds, type HeartbeatFigures, readHeartbeats } from "./heartbeats.ts";
import { countRecords, type ServiceState } from "./service-state.ts";
import {
  durationBounds,
  type Histogram,
  type RequestFigures,
  readCacheCounters,
  readCounters,
} from "./shared-counters.ts";

/**
 * A snapshot may have thousands of sources, such as collectors; those with the most prices are series of the metric.
 */
const sourcesMax = 100;

type Labels = LabelValues<string>;

/** One series of a metric. */
type Sample<Value = number> = readonly [labels: Labels, value: Value];

/** A scrape reads one value without labels, which is missing while it is not known, or a sample a series. */
type Reading = number | undefined | readonly Sample[];

/** A metric that is read from the state of the service at each scrape. */
interface ReadMetric {
  readonly kind: "counter" | "gauge" | "histogram";
  readonly name: string;
  readonly help: string;
  readonly read: (state: ServiceState) => Promise<MetricValueWithName<string>[]>;
}

const lastReload = "the last reload, or the start before it,";

const counter = readMetric("counter");
const gauge = readMetric("gauge");

const metrics: readonly ReadMetric[] = [
  histogram(
    "http_request_duration_seconds",
    "Requests by endpoint, status and, of an error, code: how many, and how long they took.",
    durationBounds,
    (state) =>
      readRequests(state).map(({ endpoint, status, code, seconds }) => [
        { endpoint, status, ...(code === undefined ? {} : { code }) },
        seconds,
      ]),
  ),
  counter(
    "http_response_body_bytes_total",
    "Bytes of the bodies of answers by endpoint, as sent: after compression.",
    (state) => [...bytesByEndpoint(readRequests(state))].map(([endpoint, bytes]) => [{ endpoint }, bytes]),
  ),
  gauge(
    "http_connections",
    "Open connections of the public port.",
    ({ memory }) => readConnections(memory.connectionMemory).held,
  ),
  gauge("http_requests_in_flight", "Accepted requests with a key whose answers have not left.", heldOf("requests")),
  gauge("http_long_answers", "Answers of several chunks to requests with a key that have not left.", heldOf("answers")),
  gauge(
    "http_keyless_requests_in_flight",
    "Requests without a key whose answers have not left.",
    heldOf("keylessRequests"),
  ),
  gauge(
    "http_keyless_long_answers",
    "Answers of several chunks to requests without a key that have not left.",
    heldOf("keylessAnswers"),
  ),
  counter(
    "http_refused_total",
    "Connections, requests and long answers refused because a limit was reached.",
    readRefusals,
  ),
  counter(
    "http_rate_limited_total",
    "Requests refused by a rate limit: of a key, of a client of a public key, of wrong or missing keys, of requests " +
      "that need no key.",
    ({ memory }) => Object.entries(readRefused(memory.rateLimitMemory)).map(([limit, count]) => [{ limit }, count]),
  ),
  counter("answer_cache_searches_total", "Answers looked for in the answer caches, over all threads.", ({ memory }) => {
    const { hits, misses } = readCacheCounters(memory.counters);
    return [
      [{ result: "hit" }, hits],
      [{ result: "miss" }, misses],
    ];
  }),

  gauge("server_threads_wanted", "Threads that should answer requests.", (state) => state.wantedCount()),
  gauge("server_threads_listening", "Threads that listen for requests.", (state) => state.listeningCount()),
  counter("server_thread_deaths_total", "Server threads that died and were replaced.", (state) => state.deaths()),
  histogram(
    "server_thread_event_loop_delay_seconds",
    "How late a timer of each server thread fired, ten times a second: the delay of its event loop.",
    delayBounds,
    byThread(({ delays }) => delays),
  ),
  gauge(
    "server_thread_heartbeat_age_seconds",
    "Time since that timer fired last; it grows while an event loop is stuck.",
    byThread(({ milliseconds }) => inSeconds(milliseconds)),
  ),
  gauge(
    "server_thread_heap_bytes",
    "Used bytes of the heap of each server thread.",
    byThread(({ heapBytes }) => heapBytes),
  ),

  gauge(
    "snapshot_info",
    "The snapshot that is served, by its id; always 1.",
    ofStore(({ snapshot }) => [[{ id: snapshot.id }, 1]]),
  ),
  gauge(
    "snapshot_age_seconds",
    "Time since the snapshot that is served was published.",
    ofStore(({ snapshot }) => secondsSince(snapshot.createdAt)),
  ),
  gauge(
    "snapshot_newest_price_age_seconds",
    "Time since the newest price of the snapshot was recorded; without prices there is no sample.",
    ofStore(({ rowsByTime, prices }) => {
      const newest = prices.recordedAt[rowsByTime[0] ?? 0];
      return newest === undefined ? undefined : secondsSince(newest);
    }),
  ),
  gauge(
    "snapshot_source_newest_price_age_seconds",
    "Time since the newest price of each source of the snapshot was recorded.",
    ofStore(readSourceAges),
  ),
  gauge(
    "store_rows",
    "Rows of the snapshot that is served, by table.",
    ofStore((store) => Object.entries(countRecords(store)).map(([table, count]) => [{ table }, count])),
  ),
  gauge("store_bytes", "Memory of the columns and indexes that are served; all threads share it.", ofStore(storeBytes)),
  gauge("store_generation", "How many stores have been served, the present one included.", (state) =>
    state.generation(),
  ),
  gauge("snapshot_pinned", "Whether a pin holds what is served, whatever is published.", ({ reloads }) =>
    Number(reloads?.pin !== undefined),
  ),
  gauge(
    "push_pending_seconds",
    "Time since the newest announcement of the dataset directory waits to be pushed; 0 where none waits.",
    readPendingSeconds,
  ),
  gauge("origin_announced_sequence", "Sequence number of the origin's newest announcement.", ({ follower }) => {
    const { announced, accepted } = follower?.figures ?? {};
    return (announced ?? accepted)?.sequence;
  }),
  gauge(
    "origin_accepted_sequence",
    "Sequence number of the last announcement that was taken over.",
    ({ follower }) => follower?.figures.accepted?.sequence,
  ),
  gauge(
    "origin_lag_seconds",
    "Time since the newest announcement was made, while it is not taken over; else 0.",
    ({ follower }) => {
      if (follower === undefined) return undefined;
      const { announced, accepted } = follower.figures;
      const isTaken = announced === undefined || announced.sequence === accepted?.sequence;
      return isTaken ? 0 : secondsSince(announced.announcedAt);
    },
  ),
  gauge(
    "origin_poll_age_seconds",
    "Time since the origin last said what is to be served, or that it is unchanged; before that, since the start.",
    ({ follower }) => inSeconds(follower && performance.now() - follower.figures.polledAt),
  ),
  counter(
    "origin_fetched_bytes_total",
    "Bytes of files that were fetched from the origin, as sent.",
    ({ follower }) => follower?.figures.bytesFetched,
  ),
  counter(
    "origin_refusals_total",
    "Transfers that were refused or failed, by reason.",
    ({ follower, refusalReasons }) =>
      refusalReasons.map((reason) => [{ reason }, follower?.figures.refusals[reason] ?? 0]),
  ),
  counter(
    "origin_stale_announcements_total",
    "Announcements older than one that was taken over.",
    ({ follower }) => follower?.figures.stale,
  ),
  counter("reloads_total", "Reloads by result.", ({ reloads }) =>
    Object.entries(reloads?.counts ?? {}).map(([result, count]) => [{ result }, count]),
  ),
  gauge("reload_last_success", `Whether ${lastReload} served what CURRENT names.`, (state) =>
    state.lastError() === undefined ? 1 : 0,
  ),
  gauge("reload_last_timestamp_seconds", `When ${lastReload} ended.`, (state) => inSeconds(state.lastEndedAt())),
  gauge("reload_last_duration_seconds", `How long ${lastReload} took.`, (state) => inSeconds(state.lastMilliseconds())),
  counter(
    "log_dropped_lines_total",
    "Lines of the log that were dropped because the log was not read in time, over all threads.",
    (state) => state.droppedLogLines(),
  ),

  // Under the names that Prometheus' own client libraries use.
  counter("process_cpu_seconds_total", "Processor time of the whole process since its start, user and system.", () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000_000;
  }),
  gauge(
    "process_start_time_seconds",
    "When the process started, in Unix time.",
    // The clock of the main thread begins with the process.
    () => inSeconds(performance.timeOrigin),
  ),
  gauge("process_resident_memory_bytes", "Physical memory of the process, shared memory included.", () =>
    process.memoryUsage.rss(),
  ),
  gauge("process_open_fds", "Open files of the process, sockets included.", readOpenFiles),
  gauge("process_max_fds", "Files that the process may open.", readDescriptorLimit),
  gauge("build_info", "Version and commit of the service, version of Node; always 1.", ({ version }) => [
    [{ ...version, node_version: process.versions.node }, 1],
  ]),
];

/**
 * The metrics of this moment. They are counted elsewhere, by threads in shared memory, so the registry is made of their
 * values, as prom-client makes one of the values of other processes.
 */
export async function readMetrics(state: ServiceState): Promise<Registry> {
  const values = metrics.map(async ({ kind: type, name, help, read }) => {
    return { name, help, type, aggregator: "first", values: await read(state) };
  });
  return AggregatorRegistry.aggregate([await Promise.all(values)]);
}

type ReadValues = (state: ServiceState) => Reading | Promise<Reading>;

function readMetric(kind: ReadMetric["kind"]) {
  return (name: string, help: string, read: ReadValues): ReadMetric => {
    return { kind, name, help, read: async (state) => valuesOf(name, await read(state)) };
  };
}

/** @param bounds Upper ends (inclusive) of all classes but the last. */
function histogram(
  name: string,
  help: string,
  bounds: readonly number[],
  read: (state: ServiceState) => readonly Sample<Histogram>[],
): ReadMetric {
  return {
    kind: "histogram",
    name,
    help,
    read: async (state) => read(state).flatMap((sample) => histogramValues(name, bounds, sample)),
  };
}

function valuesOf(metricName: string, reading: Reading): MetricValueWithName<string>[] {
  if (reading === undefined) return [];
  const samples: readonly Sample[] = typeof reading === "number" ? [[{}, reading]] : reading;
  return samples.map(([labels, value]) => ({ metricName, labels, value }));
}

/** One series in the form of Prometheus: for each bound, all observations up to it. */
function histogramValues(
  name: string,
  bounds: readonly number[],
  [labels, { count, sum, classes }]: Sample<Histogram>,
): MetricValueWithName<string>[] {
  let upTo = 0;
  const buckets = classes.map((inClass, index) => {
    upTo += inClass;
    return { metricName: `${name}_bucket`, labels: { le: bounds[index] ?? "+Inf", ...labels }, value: upTo };
  });
  return [
    ...buckets,
    { metricName: `${name}_sum`, labels, value: sum },
    { metricName: `${name}_count`, labels, value: count },
  ];
}

function readRequests({ memory }: ServiceState): RequestFigures[] {
  return readCounters(memory.counters, countedEndpoints);
}

/** Bytes of all outcomes together. */
function bytesByEndpoint(requests: readonly RequestFigures[]): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { endpoint, bytes } of requests) sums.set(endpoint, (sums.get(endpoint) ?? 0) + bytes);
  return sums;
}

/** Reads how many places of a kind clients hold. */
function heldOf(kind: PlaceKind): (state: ServiceState) => number {
  return ({ memory }) => readPlaces(memory.placeFigures, kind).held;
}

function readRefusals({ memory }: ServiceState): Sample[] {
  const places = placeKinds.map(
    (kind): Sample => [{ resource: snakeCase(kind) }, readPlaces(memory.placeFigures, kind).refused],
  );
  return [[{ resource: "connections" }, readConnections(memory.connectionMemory).refused], ...places];
}

/** Reads a figure of each thread, where it is known. */
function byThread<Value>(
  read: (figures: HeartbeatFigures) => Value | undefined,
): (state: ServiceState) => Sample<Value>[] {
  return ({ memory }) =>
    readHeartbeats(memory.heartbeats).flatMap((figures) => {
      const value = read(figures);
      return value === undefined ? [] : [[{ thread: String(figures.thread) }, value] as const];
    });
}

/** Reads a figure of the store that is served, if there is one. */
function ofStore(read: (store: Store) => Reading): (state: ServiceState) => Reading {
  return (state) => {
    const store = state.store();
    return store && read(store);
  };
}

/** @returns Infinity where it cannot be read since when: then something is wrong. */
async function readPendingSeconds({ dataDirectory }: ServiceState): Promise<number> {
  try {
    const pending = await readPendingPush(dataDirectory);
    return pending === undefined ? 0 : secondsSince(pending.since);
  } catch (error) {
    if (error instanceof PendingPushError) return Number.POSITIVE_INFINITY;
    throw error;
  }
}

function readSourceAges({ prices, sourceCounts, newestRowBySource }: Store): Sample[] {
  const count = (code: number): number => sourceCounts[code] as number;
  const mostFrequentFirst = [...prices.sourceNames.keys()].sort((a, b) => count(b) - count(a));
  return mostFrequentFirst.slice(0, sourcesMax).map((code) => {
    const newest = prices.recordedAt[newestRowBySource[code] as number] as number;
    return [{ source: prices.sourceNames[code] as string }, secondsSince(newest)];
  });
}

function inSeconds(milliseconds: number | undefined): number | undefined {
  return milliseconds === undefined ? undefined : milliseconds / 1000;
}

/** @param instant Milliseconds since 1970-01-01T00:00:00Z. */
function secondsSince(instant: number): number {
  return (Date.now() - instant) / 1000;
}

/** @returns Undefined where the system has no /proc. */
async function readOpenFiles(): Promise<number | undefined> {
  const names = await readdir("/proc/self/fd").catch(() => undefined);
  // One of them was the folder itself.
  return names && names.length - 1;
}
