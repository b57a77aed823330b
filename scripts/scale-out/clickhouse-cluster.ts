/** A cluster of ClickHouse servers on this machine, of two shards with replicas. */
import type { ChildProcess } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { freePort, type Trial, waitUntil } from "../deploy/trial.ts";
import { ClickHouseServer } from "./clickhouse-server.ts";

export interface ClusterServer {
  readonly url: string;
  readonly server: ClickHouseServer;
  readonly child: ChildProcess;
}

const shards = [1, 2] as const;

/**
 * Starts the servers of `clickhouse-cluster.xml`, or only the first replica of each shard, and waits until all answer.
 *
 * @returns Shard by shard.
 */
export async function startCluster(trial: Trial, replicas: 1 | 2): Promise<readonly ClusterServer[]> {
  const names = shards.flatMap((shard) => [1, 2].slice(0, replicas).map((replica) => `${shard}_${replica}`));
  const ports: Record<string, string> = {};
  for (const name of names) ports[`TCP_PORT_${name}`] = String(await freePort());
  const declared = await readFile(join(import.meta.dirname, "clickhouse-cluster.xml"), "utf8");
  const clusterFile = trial.path("cluster.xml");
  await writeFile(clusterFile, replicas === 2 ? declared : declared.replaceAll(secondReplica, ""));
  const servers: ClusterServer[] = [];
  for (const name of names) {
    const folder = trial.path(`clickhouse-${name}`);
    await mkdir(folder);
    const httpPort = await freePort();
    const environment = {
      ...process.env,
      ...ports,
      ...{ CLUSTER_FILE: clusterFile, SHARD_HTTP_PORT: `${httpPort}`, SHARD_TCP_PORT: ports[`TCP_PORT_${name}`] },
      ...{ SHARD_PATH: `${folder}/`, SHARD_TMP_PATH: `${folder}/tmp/` },
    };
    const configuration = join(import.meta.dirname, "clickhouse-shard.xml");
    const logFile = `${folder}.log`;
    const child = trial.spawn("clickhouse-server", [`--config-file=${configuration}`], logFile, environment);
    const url = `http://127.0.0.1:${httpPort}`;
    await waitUntil(`server ${name} answers`, async () => {
      if (child.exitCode !== null) throw new Error(`server ${name} has ended: ${await readFile(logFile, "utf8")}`);
      return await fetch(`${url}/ping`)
        .then(({ ok }) => ok)
        .catch(() => false);
    });
    servers.push({ url, child, server: new ClickHouseServer(new URL(url)) });
  }
  return servers;
}

const secondReplica = /^ *<replica>\n.*\n.*TCP_PORT_\d_2.*\n *<\/replica>\n/gm;
