/** Greetings of TLS that are begun and never finished, and the limit of the kernel on connections an address. */
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { report, runProgram, type Trial, waitUntil } from "./trial.ts";

const table = `farm_prices_trial_${process.pid}`;
/** A record of a handshake that announces 512 bytes, of which the first says ClientHello. */
const begunGreeting = Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01]);
/** As in farm-prices.nginx.conf, with what a busy machine adds. */
const closedMilliseconds = 5000 + 5000;

export interface Flood {
  /** Connections that the kernel let through. */
  readonly openCount: number;
  /** Those of them that nginx has not closed yet. */
  heldCount(): number;
  /** Waits until nginx has closed all of them. @throws {Error} where one stays open for longer than it may. */
  closed(): Promise<void>;
}

/** Begins greetings from one address at a time, all at once. */
export async function openHalfGreetings(count: number, port: number, localAddress: string): Promise<Flood> {
  const sockets = await Promise.all(Array.from({ length: count }, () => begin(port, localAddress)));
  const open = sockets.filter((socket) => socket !== undefined);
  const openedAt = performance.now();
  const heldCount = (): number => open.filter((socket) => !socket.closed).length;
  return {
    openCount: open.length,
    heldCount,
    async closed() {
      await waitUntil("nginx closes what says no more", () => heldCount() === 0);
      const milliseconds = performance.now() - openedAt;
      if (milliseconds > closedMilliseconds) throw new Error(`half-open for ${milliseconds} ms`);
    },
  };
}

/** @returns Nothing where the connection is refused. */
async function begin(port: number, localAddress: string): Promise<Socket | undefined> {
  const socket = connect({ host: "127.0.0.1", port, localAddress });
  try {
    await once(socket, "connect");
  } catch {
    return undefined;
  }
  // The end of what it sends is that of a client that is gone; an error is that of one that nginx has reset.
  socket.on("error", () => undefined).resume();
  socket.write(begunGreeting);
  return socket;
}

/**
 * Loads farm-prices.nft for a port, under another name of its table, runs the work, and removes it.
 *
 * @param work Gets the connections that an address may have, or nothing where the kernel or the user cannot load it.
 */
export async function withKernelLimit(
  trial: Trial,
  port: number,
  work: (perAddress: number | undefined) => Promise<void>,
): Promise<void> {
  const shipped = await readFile(join(import.meta.dirname, "farm-prices.nft"), "utf8");
  const file = trial.path("connections.nft");
  await writeFile(
    file,
    shipped.replaceAll("inet farm_prices", `inet ${table}`).replaceAll("dport 443", `dport ${port}`),
  );
  const { status, error, stderr } = spawnSync("nft", ["-f", file], { encoding: "utf8" });
  if (status !== 0) {
    report(`skipped: the limit of the kernel, nft cannot load it: ${error?.message ?? stderr.split("\n")[0]}`);
    await work(undefined);
    return;
  }
  try {
    await work(Number(/count over (\d+)/.exec(shipped)?.[1]));
  } finally {
    await runProgram("nft", ["delete", "table", "inet", table]);
  }
}
