/** The metrics for Prometheus. Loaded for the first scrape, so that a start does not wait for it. */
import {
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  type LabelValues,
  type MetricObjectWithValues,
  type MetricValueWithName,
  Registry,
} from "prom-client";
import { type Resource, resources } from "../http/admission.ts";
import { countedEndpoints } from "../http/app.ts";
import { readRefused } from "../http/rate-limits.ts";
import { storeBytes } from "../store/store.ts";
import { durationBounds, type RequestFigures, readCacheCounters, readCounters } from "./request-counters.ts";
import { countRecords, type ServiceState } from "./service-state.ts";

/**
 * A registry that reads its metrics from the service at each scrape: requests of all threads, reloads, what is served, and
 * memory and processor time of the process. Event loop and garbage are those of the supervisor's thread.
 */
export function createMetrics(state: ServiceState): Registry {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  new RequestHistogram(registry, () => readCounters(state.counters, countedEndpoints));

  const gauge = (name: string, help: string, read: () => number | undefined): void => {
    const metric = new Gauge({
      name,
      help,
      registers,
      collect() {
        const value = read();
        if (value !== undefined) metric.set(value);
      },
    });
  };
  const counter = (name: string, help: string, read: () => (readonly [LabelValues<string>, number])[]): void => {
    const metric = new Counter({
      name,
      help,
      labelNames: ["resource", "result", "limit"],
      registers,
      collect() {
        metric.reset();
        for (const [labels, value] of read()) metric.inc(labels, value);
      },
    });
  };
  gauge("reload_last_success", "Whether the last reload, or the start before it, served what CURRENT names.", () =>
    state.lastError() === undefined ? 1 : 0,
  );
  gauge("reload_last_timestamp_seconds", "When the last reload, or the start before it, ended.", () =>
    seconds(state.lastEndedAt()),
  );
  gauge("reload_last_duration_seconds", "How long the last reload, or the start before it, took.", () =>
    seconds(state.lastMilliseconds()),
  );
  gauge("snapshot_age_seconds", "Time since the snapshot that is served was published.", () => {
    const createdAt = state.served()?.store.snapshot.createdAt;
    return createdAt === undefined ? undefined : (Date.now() - createdAt) / 1000;
  });
  gauge("store_bytes", "Memory of the columns and indexes that are served; all threads share it.", () => {
    const served = state.served();
    return served && storeBytes(served.store);
  });
  gauge("store_generation", "How many stores have been served, the present one included.", state.generation);
  gauge("server_threads_wanted", "Threads that should answer requests.", state.wantedCount);
  gauge("server_threads_listening", "Threads that answer requests.", state.listeningCount);

  const heldHelp: Record<Resource, [name: string, help: string]> = {
    connections: ["http_connections", "Open connections of the public port."],
    requests: ["http_requests_in_flight", "Accepted requests whose answers have not left."],
    answers: ["http_long_answers", "Answers of several chunks that have not left."],
  };
  for (const resource of resources) gauge(...heldHelp[resource], () => state.admission.figures(resource).held);
  counter("http_refused_total", "Connections, requests and long answers refused because a limit was reached.", () =>
    resources.map((resource) => [{ resource }, state.admission.figures(resource).refused]),
  );
  counter(
    "http_rate_limited_total",
    "Requests refused by a rate limit: of a key, of a client of a public key, of wrong keys.",
    () => Object.entries(readRefused(state.rateLimits)).map(([limit, count]) => [{ limit }, count]),
  );
  counter("answer_cache_searches_total", "Answers looked for in the answer caches, over all threads.", () => {
    const { hits, misses } = readCacheCounters(state.counters);
    return [
      [{ result: "hit" }, hits],
      [{ result: "miss" }, misses],
    ];
  });
  const rows = new Gauge({
    name: "store_rows",
    help: "Rows of the snapshot that is served, by table.",
    labelNames: ["table"],
    registers,
    collect() {
      const served = state.served();
      if (served === undefined) return;
      for (const [table, count] of Object.entries(countRecords(served.store))) rows.set({ table }, count);
    },
  });
  counter("reloads_total", "Reloads by result.", () =>
    Object.entries(state.reloads?.counts ?? {}).map(([result, count]) => [{ result }, count]),
  );
  counter("server_thread_deaths_total", "Server threads that died and were replaced.", () => [[{}, state.deaths()]]);
  counter(
    "log_dropped_lines_total",
    "Lines of the log that were dropped because nobody read it, over all threads.",
    () => [[{}, state.droppedLogLines()]],
  );
  return registry;
}

function seconds(milliseconds: number | undefined): number | undefined {
  return milliseconds === undefined ? undefined : milliseconds / 1000;
}

type Label = "endpoint" | "status";

const name = "http_request_duration_seconds";
const help = "Requests by endpoint and status: how many, and how long they took.";

/** A histogram that reads its values at each scrape. */
export class RequestHistogram extends Histogram<Label> {
  readonly #read: () => readonly RequestFigures[];

  constructor(registry: Registry, read: () => readonly RequestFigures[]) {
    const labelNames: Label[] = ["endpoint", "status"];
    super({ name, help, labelNames, buckets: [...durationBounds], registers: [registry] });
    this.#read = read;
  }

  override async get(): Promise<MetricObjectWithValues<MetricValueWithName<Label>>> {
    const values = this.#read().flatMap(histogramValues);
    // The package's types say that kinds of metrics are numbers; they are these texts.
    return { name, help, type: "histogram", aggregator: "sum", values } as unknown as Awaited<ReturnType<this["get"]>>;
  }

  /** The registry calls this for its text form. */
  getForPromString(): ReturnType<RequestHistogram["get"]> {
    return this.get();
  }
}

/** One series in the form of Prometheus: for each bound, all requests up to it. */
function histogramValues({
  endpoint,
  status,
  requests,
  seconds,
  classes,
}: RequestFigures): MetricValueWithName<Label>[] {
  const labels: LabelValues<Label> = { endpoint, status };
  let sum = 0;
  const buckets = classes.map((count, place) => {
    sum += count;
    const le = durationBounds[place] ?? "+Inf";
    return { metricName: `${name}_bucket`, labels: { le, ...labels } as LabelValues<Label>, value: sum };
  });
  return [
    ...buckets,
    { metricName: `${name}_sum`, labels, value: seconds },
    { metricName: `${name}_count`, labels, value: requests },
  ];
}
