/** The metrics for Prometheus. Loaded for the first scrape, so that a start does not wait for it. */
import { AggregatorRegistry, type LabelValues, type MetricValueWithName, type Registry } from "prom-client";
import { snakeCase } from "../../engine/model/snake-case.ts";
import { PendingPushError, readPendingPush } from "../../engine/snapshots/push-pending.ts";
import type { Store } from "../../engine/store/store.ts";
import { type PlaceKind, placeKinds, readPlaces } from "../http/admission/admission.ts";
import { readRefused } from "../http/admission/rate-limits.ts";
import { countedEndpoints } from "../http/app.ts";
import { readConnections } from "../http/connection/connection-counts.ts";
import { readHeartbeats } from "./heartbeats.ts";
import type { ServiceMemory, ServiceState } from "./service-state.ts";
import { durationBounds, type RequestFigures, readCounters } from "./shared-counters.ts";

/**
 * A snapshot may have thousands of sources, such as collectors; those with the most prices are series of the metric.
 */
const sourcesMax = 100;

/** One series of a metric. */
type Sample = readonly [labels: LabelValues<string>, value: number];

/** A scrape reads one value without labels, which is missing while it is not known, or a sample a series. */
type Reading = number | undefined | readonly Sample[];

/** A metric that is read from the state of the service at each scrape. */
interface ReadMetric {
  readonly kind: "counter" | "gauge" | "histogram";
  readonly name: string;
  readonly help: string;
  readonly read: (state: ServiceState) => Promise<MetricValueWithName<string>[]>;
}

const counter = readMetric("counter");
const gauge = readMetric("gauge");

const metrics: readonly ReadMetric[] = [
  {
    kind: "histogram",
    name: "http_request_duration_seconds",
    help: "Requests by endpoint, status and, of an error, code: how many, and how long they took.",
    read: async ({ memory }) => readCounters(memory.counters, countedEndpoints).flatMap(durationValues),
  },
  gauge("http_connections", "Open connections.", ({ memory }) => readConnections(memory.connectionMemory).held),
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
    ({ memory }) => readRefusals(memory),
  ),
  counter(
    "http_rate_limited_total",
    "Requests refused by a rate limit: of a key, of a client of a public key, of wrong or missing keys, of requests " +
      "that need no key.",
    ({ memory }) => Object.entries(readRefused(memory.rateLimitMemory)).map(([limit, count]) => [{ limit }, count]),
  ),

  gauge("server_threads_wanted", "Threads that should answer requests.", (state) => state.wantedCount()),
  gauge("server_threads_listening", "Threads that listen for requests.", (state) => state.listeningCount()),
  counter("server_thread_deaths_total", "Server threads that died and were replaced.", (state) => state.deaths()),
  gauge(
    "server_thread_heartbeat_age_seconds",
    "Time since a timer of the thread, ten times a second, fired last; it grows while its event loop is stuck.",
    ({ memory }) =>
      readHeartbeats(memory.heartbeats).flatMap(({ thread, milliseconds }) =>
        milliseconds === undefined ? [] : [[{ thread: String(thread) }, milliseconds / 1000] as const],
      ),
  ),

  gauge(
    "snapshot_info",
    "The snapshot that is served, by its id; always 1.",
    ofStore(({ snapshot }) => [[{ id: snapshot.id }, 1]]),
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
  gauge("snapshot_pinned", "Whether a pin holds what is served, whatever is published.", ({ reloads }) =>
    Number(reloads?.pin !== undefined),
  ),
  gauge(
    "push_pending_seconds",
    "Time since the newest announcement of the dataset directory waits to be pushed; 0 where none waits.",
    readPendingSeconds,
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
    ({ follower }) => follower && (performance.now() - follower.figures.polledAt) / 1000,
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
  gauge("reload_last_success", "Whether the last reload, or the start before it, served what CURRENT names.", (state) =>
    Number(state.lastError() === undefined),
  ),
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
  gauge("process_resident_memory_bytes", "Physical memory of the process, shared memory included.", () =>
    process.memoryUsage.rss(),
  ),
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

function valuesOf(metricName: string, reading: Reading): MetricValueWithName<string>[] {
  if (reading === undefined) return [];
  const samples: readonly Sample[] = typeof reading === "number" ? [[{}, reading]] : reading;
  return samples.map(([labels, value]) => ({ metricName, labels, value }));
}

/** One series in the form of Prometheus: for each bound, all requests up to it. */
function durationValues(figures: RequestFigures): MetricValueWithName<string>[] {
  const { endpoint, status, code, count, sum, classes } = figures;
  const name = "http_request_duration_seconds";
  const labels = { endpoint, status, ...(code === undefined ? {} : { code }) };
  let upTo = 0;
  const buckets = classes.map((inClass, index) => {
    upTo += inClass;
    return { metricName: `${name}_bucket`, labels: { le: durationBounds[index] ?? "+Inf", ...labels }, value: upTo };
  });
  return [
    ...buckets,
    { metricName: `${name}_sum`, labels, value: sum },
    { metricName: `${name}_count`, labels, value: count },
  ];
}

function heldOf(kind: PlaceKind): (state: ServiceState) => number {
  return ({ memory }) => readPlaces(memory.placeFigures, kind).held;
}

function readRefusals({ connectionMemory, placeFigures }: ServiceMemory): Sample[] {
  const places = placeKinds.map(
    (kind): Sample => [{ resource: snakeCase(kind) }, readPlaces(placeFigures, kind).refused],
  );
  return [[{ resource: "connections" }, readConnections(connectionMemory).refused], ...places];
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

/** @param instant Milliseconds since 1970-01-01T00:00:00Z. */
function secondsSince(instant: number): number {
  return (Date.now() - instant) / 1000;
}
