/**
 * Runs what Prometheus and Grafana are given: promtool checks the rules and their tests, and a Prometheus that scrapes
 * a replica evaluates every query of the dashboard and the rules. A query of the dashboard must have
 * values; a rule has none in ordinary operation, so every metric that it names must be there. Skips where Prometheus is
 * missing.
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { freePort, hasProgram, report, runNode, runProgram, Trial, waitUntil } from "./trial.ts";

const rulesFile = "farm-prices-alerts.yml";
const dashboardFile = "grafana-dashboard.json";

interface Dashboard {
  readonly panels: readonly { readonly title: string; readonly targets: readonly { readonly expr: string }[] }[];
}

interface RuleGroups {
  readonly groups: readonly {
    readonly rules: readonly { readonly name: string; readonly query: string; readonly health: string }[];
  }[];
}

if (hasProgram("promtool", "prometheus")) await Trial.run(tryMonitoring);

async function tryMonitoring(trial: Trial): Promise<void> {
  for (const args of [
    ["check", "rules", rulesFile],
    ["test", "rules", "farm-prices-alerts.test.yml"],
  ]) {
    const [what = "", kind = "", file = ""] = args;
    await runProgram("promtool", [what, kind, join(import.meta.dirname, file)]);
    report(`promtool ${args.join(" ")}: passed`);
  }
  await trial.copyData();
  await runNode(["scripts/snapshot.ts", "announce"], await trial.environment());
  const key = await trial.issueKey("public");
  // A replica has the metrics of every instance, and its own.
  const variables = { THREADS: "2", DATA_DIR: trial.path("replica"), ORIGIN: await serveFolder(trial.path("data")) };
  await mkdir(variables.DATA_DIR);
  const { port, adminPort } = await trial.startInstance(variables, await freePort(), await freePort());
  const prometheusPort = await freePort();
  await startPrometheus(trial, adminPort, prometheusPort);
  const ask = async <T>(path: string): Promise<T> => {
    const answer = await fetch(`http://127.0.0.1:${prometheusPort}/api/v1/${path}`);
    const { status, data, error } = (await answer.json()) as { status: string; data: T; error?: string };
    assert.equal(status, "success", `${path}: ${error}`);
    return data;
  };
  const query = async (expr: string): Promise<unknown[]> =>
    (await ask<{ result: unknown[] }>(`query?query=${encodeURIComponent(expr)}`)).result;

  // Some traffic of each kind between the first scrape and the last.
  for (let round = 0; round < 5; round++) {
    for (const [path, sent] of [
      ["crops", key],
      ["crops", key],
      ["prices/nothing", key],
      ["crops", "svc_pub_wrong"],
    ] as const) {
      await (await fetch(`http://127.0.0.1:${port}/api/v1/${path}`, { headers: { "X-API-Key": sent } })).arrayBuffer();
    }
    await delay(1000);
  }
  await waitUntil("Prometheus has scraped three times", async () => {
    const [sample] = (await query("count_over_time(up[1m])").catch(() => [])) as { value: [number, string] }[];
    return Number(sample?.value[1]) >= 3;
  });

  let count = 0;
  const failed: string[] = [];
  const { panels } = JSON.parse(await readFile(join(import.meta.dirname, dashboardFile), "utf8")) as Dashboard;
  for (const { title, targets } of panels) {
    for (const { expr } of targets) {
      const asked = expr.replaceAll("$__rate_interval", "1m").replaceAll("$instance", ".*");
      count++;
      if ((await query(asked)).length === 0) failed.push(`${title}: no value for ${asked}`);
    }
  }
  report(`${dashboardFile}: ${count} queries of ${panels.length} panels, ${count - failed.length} with values`);

  const known = new Set(await ask<string[]>("label/__name__/values"));
  const { groups } = await ask<RuleGroups>("rules");
  const rules = groups.flatMap((group) => group.rules);
  assert.ok(rules.length > 5, "the rules were found");
  for (const { name, query: expr, health } of rules) {
    if (health !== "ok") failed.push(`${name}: health ${health}`);
    for (const [, metric = ""] of expr.matchAll(/([a-z_]+)\{/g)) {
      if (!known.has(metric)) failed.push(`${name}: there is no metric ${metric}`);
    }
  }
  report(`${rulesFile}: ${rules.length} rules evaluated`);
  assert.deepEqual(failed, []);
  report("monitoring: all as expected");
}

/** Serves the files of a folder to a replica. @returns The address. */
async function serveFolder(folder: string): Promise<string> {
  const server = createServer(async ({ url = "" }, response) => {
    const content = await readFile(join(folder, url)).catch(() => undefined);
    response.writeHead(content === undefined ? 404 : 200).end(content);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Starts Prometheus with the deployed configuration; only targets, paths and the interval are the trial's. */
async function startPrometheus(trial: Trial, adminPort: number, port: number): Promise<void> {
  const deployed = await readFile(join(import.meta.dirname, "prometheus.yml"), "utf8");
  const configuration = deployed
    .replace(/_interval: \d+s/g, "_interval: 1s")
    .replace(/targets: .*/, `targets: ["127.0.0.1:${adminPort}"]`)
    .replace(/- \/etc\/prometheus\/.*/, `- ${join(import.meta.dirname, rulesFile)}`);
  const file = trial.path("prometheus.yml");
  await writeFile(file, configuration);
  await runProgram("promtool", ["check", "config", file]);
  const options = {
    "config.file": file,
    "storage.tsdb.path": trial.path("series"),
    "web.listen-address": `127.0.0.1:${port}`,
  };
  const args = Object.entries(options).map(([name, value]) => `--${name}=${value}`);
  trial.spawn("prometheus", args, trial.path("prometheus.log"));
}
