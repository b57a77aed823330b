/**
 * The process of a server that is not ours: starts it on a free port when it is called to, and reports its processor
 * time.
 */

import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Dataset } from "../../src/engine/model/dataset.ts";
import { readKeysFile } from "../../src/service/auth/keys-file.ts";
import { answerCalls } from "../calls/answer-calls.ts";
import type { ReadyContender } from "../contenders/contender.ts";
import { preparePostgres } from "../contenders/postgres.ts";
import { prepareSqlite } from "../contenders/sqlite.ts";
import { createFastifyServer } from "./fastify/fastify-server.ts";
import { loadServedDataset } from "./http-data.ts";
import { type PostgresCluster, startPostgresCluster } from "./postgres-cluster.ts";
import type { OurName, ServerName } from "./server-names.ts";
import { createBareKoa } from "./servers/bare-koa.ts";
import { createBareNode } from "./servers/bare-node.ts";
import type { PreparedBodies } from "./servers/prepared-bodies.ts";

export type PeerName = Exclude<ServerName, OurName>;

/** What a server may need; each takes its part. */
export interface ServerSetup {
  readonly name: PeerName;
  /** What the bare servers send. */
  readonly bodies: PreparedBodies;
  readonly dataDirectory: string;
  readonly keysFile: string;
  readonly logFile: string;
}

export interface StartedServer {
  readonly port: number;
  /** Names and versions of what it is made of. */
  readonly titles: readonly string[];
}

const startBy: Readonly<Record<PeerName, (setup: ServerSetup) => Promise<StartedServer>>> = {
  node: ({ bodies }) => listen(createBareNode(bodies), []),
  koa: ({ bodies }) => listen(createBareKoa(bodies), ["koa", "@koa/router"].map(packageTitle)),
  sqlite: (setup) => startFastify(setup, prepareSqlite),
  postgres: (setup) =>
    startFastify(setup, async (dataset) => {
      cluster = await startPostgresCluster();
      return await preparePostgres(dataset, cluster);
    }),
};

/** The database server that this process has started. */
let cluster: PostgresCluster | undefined;

answerCalls({
  start: (setup: ServerSetup) => startBy[setup.name](setup),
  /** @returns Processor time so far, that of the database server included, in microseconds. */
  usage: () => {
    const { user, system } = process.cpuUsage();
    return user + system + (cluster?.processorMicroseconds() ?? 0);
  },
});
process.on("SIGTERM", end);
process.on("disconnect", end);

async function end(): Promise<void> {
  await cluster?.stop();
  process.exit();
}

async function startFastify(
  { dataDirectory, keysFile, logFile }: ServerSetup,
  prepare: (dataset: Dataset) => Promise<ReadyContender>,
): Promise<StartedServer> {
  const dataset = await loadServedDataset(dataDirectory);
  const { contender, title } = await prepare(dataset);
  const keys = await readKeysFile(keysFile);
  const app = await createFastifyServer({ dataset, contender, keys, logFile });
  await app.listen();
  return { port: portOf(app.server), titles: [app.title, title] };
}

async function listen(server: Server, titles: readonly string[]): Promise<StartedServer> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { port: portOf(server), titles };
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

/** A package of the service with its version, which package.json names exactly. */
function packageTitle(name: string): string {
  const text = readFileSync(join(import.meta.dirname, "../../package.json"), "utf8");
  const { dependencies } = JSON.parse(text) as { readonly dependencies: Readonly<Record<string, string>> };
  return `${name} ${dependencies[name]}`;
}
