/** The process of a server that is not ours: starts it on a free port when it is called to, and tells its processor time. */
import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { answerCalls } from "../calls/answer-calls.ts";
import type { ServerName } from "./server-names.ts";
import { createBareKoa } from "./servers/bare-koa.ts";
import { createBareNode } from "./servers/bare-node.ts";
import type { PreparedBodies } from "./servers/prepared-bodies.ts";

/** What a server may need; each takes its part. */
export interface ServerSetup {
  readonly name: Exclude<ServerName, "ours" | "cached">;
  /** For the bare servers. */
  readonly bodies: PreparedBodies;
}

const createBy: Readonly<Record<"node" | "koa", (bodies: PreparedBodies) => Server>> = {
  node: createBareNode,
  koa: createBareKoa,
};

answerCalls({
  /** @returns The port. */
  start: async ({ name, bodies }: ServerSetup): Promise<number> => {
    const server = createBy[name as "node" | "koa"](bodies);
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return (server.address() as AddressInfo).port;
  },
  usage: () => process.cpuUsage(),
});
process.on("disconnect", () => process.exit());
