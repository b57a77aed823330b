/** The figures for Prometheus. Loaded when first asked for, so that a start does not wait for it. */
import { Counter, collectDefaultMetrics, Gauge, Registry } from "prom-client";
import { storeBytes } from "../store/store.ts";
import { countedEndpoints } from "./counted-endpoints.ts";
import { readCounters } from "./request-counters.ts";
import { RequestHistogram } from "./request-histogram.ts";
import type { ServiceState } from "./service-state.ts";
import { tableRows } from "./table-rows.ts";

/**
 * A registry whose figures are taken from the service whenever they are asked for: requests of all threads, reloads, what
 * is served, and memory and processor time of the process. Event loop and garbage are those of the supervisor's thread.
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

  const rows = new Gauge({
    name: "store_rows",
    help: "Rows of the snapshot that is served, by table.",
    labelNames: ["table"],
    registers,
    collect() {
      const served = state.served();
      if (served === undefined) return;
      for (const [table, count] of Object.entries(tableRows(served.store))) rows.set({ table }, count);
    },
  });
  const reloads = new Counter({
    name: "reloads_total",
    help: "Reloads by result.",
    labelNames: ["result"],
    registers,
    collect() {
      reloads.reset();
      for (const [result, count] of Object.entries(state.reloadCounts())) reloads.inc({ result }, count);
    },
  });
  const deaths = new Counter({
    name: "server_thread_deaths_total",
    help: "Server threads that died and were replaced.",
    registers,
    collect() {
      deaths.reset();
      deaths.inc(state.deaths());
    },
  });
  return registry;
}

function seconds(milliseconds: number | undefined): number | undefined {
  return milliseconds === undefined ? undefined : milliseconds / 1000;
}
