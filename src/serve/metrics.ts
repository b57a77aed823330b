/** The metrics for Prometheus. Loaded for the first scrape, so that a start does not wait for it. */
import { readFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import {
  Counter,
  Gauge,
  Histogram,
  type LabelValues,
  type MetricObjectWithValues,
  type MetricValueWithName,
  Registry,
} from "prom-client";
import { refusalReasons, resources } from "../http/admission/admission.ts";
import { readRefused } from "../http/admission/rate-limits.ts";
import { countedEndpoints } from "../http/app.ts";
import { type Store, storeBytes } from "../store/store.ts";
import { readDescriptorLimit } from "./connection-limit.ts";
import { delayBounds, type HeartbeatFigures, readHeartbeats } from "./heartbeats.ts";
import { durationBounds, type RequestFigures, readCacheCounters, readCounters } from "./request-counters.ts";
import { countRecords, type ServiceState } from "./service-state.ts";
import type { Histogram as SharedHistogram } from "./shared-histogram.ts";

/** A snapshot may have thousands of sources, such as collectors; those with the most prices are series of the metric. */
const sourcesMax = 100;

type Labels = LabelValues<string>;

/** One series of a metric. */
type Sample<Value = number> = readonly [labels: Labels, value: Value];

/**
 * A registry that reads its metrics from the service at each scrape: requests and event loops of all threads, reloads, what
 * is served, and memory and processor time of the process. A figure that is not known yet has no sample.
 */
export function createMetrics(state: ServiceState): Registry {
  const registry = new Registry();
  const { admission, counters, heartbeats, rateLimits } = state.shared;
  const requests = (): RequestFigures[] => readCounters(counters, countedEndpoints);
  const ofThreads = <Value>(read: (figures: HeartbeatFigures) => Value | undefined): Sample<Value>[] =>
    readHeartbeats(heartbeats).flatMap((figures) => sample(read(figures), { thread: String(figures.thread) }));
  const ofStore = (read: (store: Store) => number | undefined): Sample[] => {
    const served = state.served();
    return served === undefined ? [] : sample(read(served.store));
  };

  const requestsHelp = "Requests by endpoint, status and, of an error, code: how many, and how long they took.";
  histogram("http_request_duration_seconds", requestsHelp, ["endpoint", "status", "code"], durationBounds, () =>
    requests().map(({ endpoint, status, code, seconds }) => [
      { endpoint, status, ...(code === undefined ? {} : { code }) },
      seconds,
    ]),
  );
  const bytesHelp = "Bytes of the bodies of answers by endpoint, as sent: after compression.";
  metric(Counter, "http_response_body_bytes_total", bytesHelp, ["endpoint"], () =>
    requests().map(({ endpoint, bytes }) => [{ endpoint }, bytes]),
  );
  for (const [resource, name, help] of [
    ["connections", "http_connections", "Open connections of the public port."],
    ["requests", "http_requests_in_flight", "Accepted requests with a key whose answers have not left."],
    ["answers", "http_long_answers", "Answers of several chunks to requests with a key that have not left."],
    ["keylessRequests", "http_keyless_requests_in_flight", "Requests without a key whose answers have not left."],
    [
      "keylessAnswers",
      "http_keyless_long_answers",
      "Answers of several chunks to requests without a key that have not left.",
    ],
  ] as const) {
    metric(Gauge, name, help, [], () => sample(admission.figures(resource).held));
  }
  const refusedHelp = "Connections, requests and long answers refused because a limit was reached, or for overload.";
  metric(Counter, "http_refused_total", refusedHelp, ["resource", "reason"], () =>
    resources.flatMap((of) => {
      const { refused } = admission.figures(of);
      const resource = of.replace(/[A-Z]/, (letter) => `_${letter.toLowerCase()}`);
      return refusalReasons.map((reason): Sample => [{ resource, reason }, refused[reason]]);
    }),
  );
  const limitedHelp =
    "Requests refused by a rate limit: of a key, of a client of a public key, of wrong keys, of requests without a key.";
  metric(Counter, "http_rate_limited_total", limitedHelp, ["limit"], () =>
    Object.entries(readRefused(rateLimits)).map(([limit, count]): Sample => [{ limit }, count]),
  );
  const cacheHelp = "Answers looked for in the answer caches, over all threads.";
  metric(Counter, "answer_cache_searches_total", cacheHelp, ["result"], () => {
    const { hits, misses } = readCacheCounters(counters);
    return [
      [{ result: "hit" }, hits],
      [{ result: "miss" }, misses],
    ];
  });

  metric(Gauge, "server_threads_wanted", "Threads that should answer requests.", [], () => sample(state.wantedCount()));
  metric(Gauge, "server_threads_listening", "Threads that listen for requests.", [], () =>
    sample(state.listeningCount()),
  );
  metric(Counter, "server_thread_deaths_total", "Server threads that died and were replaced.", [], () =>
    sample(state.deaths()),
  );
  const delayHelp = "How late a timer of each server thread fired, ten times a second: the delay of its event loop.";
  histogram("server_thread_event_loop_delay_seconds", delayHelp, ["thread"], delayBounds, () =>
    ofThreads(({ delays }) => delays),
  );
  const ageHelp = "Time since that timer fired last; it grows while an event loop is stuck.";
  metric(Gauge, "server_thread_heartbeat_age_seconds", ageHelp, ["thread"], () =>
    ofThreads(({ milliseconds }) => seconds(milliseconds)),
  );
  metric(Gauge, "server_thread_heap_bytes", "Used bytes of the heap of each server thread.", ["thread"], () =>
    ofThreads(({ heapBytes }) => heapBytes),
  );

  metric(Gauge, "snapshot_info", "The snapshot that is served, by its id; always 1.", ["id"], () => {
    const served = state.served();
    return served === undefined ? [] : [[{ id: served.store.snapshot.id }, 1]];
  });
  metric(Gauge, "snapshot_age_seconds", "Time since the snapshot that is served was published.", [], () =>
    ofStore(({ snapshot }) => secondsSince(snapshot.createdAt)),
  );
  const newestHelp = "Time since the newest price of the snapshot was recorded; without prices there is no sample.";
  metric(Gauge, "snapshot_newest_price_age_seconds", newestHelp, [], () =>
    ofStore(({ rowsByTime, prices }) => {
      const newest = prices.recordedAt[rowsByTime[0] ?? 0];
      return newest === undefined ? undefined : secondsSince(newest);
    }),
  );
  const sourceHelp = "Time since the newest price of each source of the snapshot was recorded.";
  metric(Gauge, "snapshot_source_newest_price_age_seconds", sourceHelp, ["source"], () => {
    const served = state.served();
    if (served === undefined) return [];
    const { prices, sourceCounts, newestRowBySource } = served.store;
    const count = (code: number): number => sourceCounts[code] as number;
    const mostFrequentFirst = [...prices.sourceNames.keys()].sort((a, b) => count(b) - count(a));
    return mostFrequentFirst.slice(0, sourcesMax).map((code) => {
      const newest = prices.recordedAt[newestRowBySource[code] as number] as number;
      return [{ source: prices.sourceNames[code] as string }, secondsSince(newest)];
    });
  });
  metric(Gauge, "store_rows", "Rows of the snapshot that is served, by table.", ["table"], () => {
    const served = state.served();
    return Object.entries(served === undefined ? {} : countRecords(served.store)).map(([table, count]) => [
      { table },
      count,
    ]);
  });
  const storeHelp = "Memory of the columns and indexes that are served; all threads share it.";
  metric(Gauge, "store_bytes", storeHelp, [], () => ofStore(storeBytes));
  metric(Gauge, "store_generation", "How many stores have been served, the present one included.", [], () =>
    sample(state.generation()),
  );
  metric(Counter, "reloads_total", "Reloads by result.", ["result"], () =>
    Object.entries(state.reloads?.counts ?? {}).map(([result, count]) => [{ result }, count]),
  );
  const lastHelp = "the last reload, or the start before it,";
  metric(Gauge, "reload_last_success", `Whether ${lastHelp} served what CURRENT names.`, [], () =>
    sample(state.lastError() === undefined ? 1 : 0),
  );
  metric(Gauge, "reload_last_timestamp_seconds", `When ${lastHelp} ended.`, [], () =>
    sample(seconds(state.lastEndedAt())),
  );
  metric(Gauge, "reload_last_duration_seconds", `How long ${lastHelp} took.`, [], () =>
    sample(seconds(state.lastMilliseconds())),
  );
  const droppedHelp = "Lines of the log that were dropped because the log was not read in time, over all threads.";
  metric(Counter, "log_dropped_lines_total", droppedHelp, [], () => sample(state.droppedLogLines()));

  // Under the names that Prometheus' own client libraries use.
  const cpuHelp = "Processor time of the whole process since its start, user and system.";
  metric(Counter, "process_cpu_seconds_total", cpuHelp, [], () => {
    const { user, system } = process.cpuUsage();
    return sample((user + system) / 1_000_000);
  });
  // The clock of the main thread begins with the process.
  metric(Gauge, "process_start_time_seconds", "When the process started, in Unix time.", [], () =>
    sample(seconds(performance.timeOrigin)),
  );
  metric(Gauge, "process_resident_memory_bytes", "Physical memory of the process, shared memory included.", [], () =>
    sample(process.memoryUsage.rss()),
  );
  metric(Gauge, "process_open_fds", "Open files of the process, sockets included.", [], async () =>
    sample(await readOpenFiles()),
  );
  metric(Gauge, "process_max_fds", "Files that the process may open.", [], async () =>
    sample(await readDescriptorLimit()),
  );
  const build = { version: readVersion(), node_version: process.versions.node };
  metric(Gauge, "build_info", "Version of the service and of Node; always 1.", Object.keys(build), () =>
    sample(1, build),
  );
  return registry;

  function metric(
    Kind: typeof Counter | typeof Gauge,
    name: string,
    help: string,
    labelNames: string[],
    read: () => Sample[] | Promise<Sample[]>,
  ): void {
    const registered = new Kind({
      name,
      help,
      labelNames,
      registers: [registry],
      async collect() {
        const samples = await read();
        registered.reset();
        // Without labels, a reset one has the sample 0.
        if (labelNames.length === 0) registered.remove();
        for (const [labels, value] of samples) registered.inc(labels, value);
      },
    });
  }

  function histogram(
    name: string,
    help: string,
    labelNames: string[],
    bounds: readonly number[],
    read: () => Sample<SharedHistogram>[],
  ): void {
    registry.registerMetric(new ReadHistogram({ name, help, labelNames, buckets: [...bounds], registers: [] }, read));
  }
}

/** One sample, or none where the value is not known. */
function sample<Value>(value: Value | undefined, labels: Labels = {}): Sample<Value>[] {
  return value === undefined ? [] : [[labels, value]];
}

function seconds(milliseconds: number | undefined): number | undefined {
  return milliseconds === undefined ? undefined : milliseconds / 1000;
}

/** @param instant Milliseconds since 1970-01-01T00:00:00Z. */
function secondsSince(instant: number): number {
  return (Date.now() - instant) / 1000;
}

/** Of the package. */
function readVersion(): string {
  const text = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  return (JSON.parse(text) as { version: string }).version;
}

/** Undefined where the system has no /proc. */
async function readOpenFiles(): Promise<number | undefined> {
  const names = await readdir("/proc/self/fd").catch(() => undefined);
  // One of them was the folder itself.
  return names && names.length - 1;
}

type HistogramText = MetricObjectWithValues<MetricValueWithName<string>>;

/** A histogram that reads its values at each scrape; that of prom-client counts observations itself. */
class ReadHistogram extends Histogram<string> {
  readonly #read: () => Sample<SharedHistogram>[];
  readonly #configuration: ConstructorParameters<typeof Histogram<string>>[0];

  constructor(
    configuration: ConstructorParameters<typeof Histogram<string>>[0],
    read: () => Sample<SharedHistogram>[],
  ) {
    super(configuration);
    this.#configuration = configuration;
    this.#read = read;
  }

  override async get(): Promise<HistogramText> {
    const { name, help, buckets = [] } = this.#configuration;
    const values = this.#read().flatMap((read) => histogramValues(name, buckets, read));
    // The package's types say that kinds of metrics are numbers; they are these texts.
    return { name, help, type: "histogram", aggregator: "sum", values } as unknown as HistogramText;
  }

  /** The registry calls this for its text form. */
  getForPromString(): Promise<HistogramText> {
    return this.get();
  }
}

/** One series in the form of Prometheus: for each bound, all observations up to it. */
function histogramValues(
  name: string,
  bounds: readonly number[],
  [labels, { count, sum, classes }]: Sample<SharedHistogram>,
): MetricValueWithName<string>[] {
  let upTo = 0;
  const buckets = classes.map((inClass, place) => {
    upTo += inClass;
    return { metricName: `${name}_bucket`, labels: { le: bounds[place] ?? "+Inf", ...labels }, value: upTo };
  });
  return [
    ...buckets,
    { metricName: `${name}_sum`, labels, value: sum },
    { metricName: `${name}_count`, labels, value: count },
  ];
}
