/**
 * The app on a port, in a process whose only thread says how long it works without letting other requests in: the
 * longest turn of its event loop between two calls, in processor time.
 */
import { once } from "node:events";
import { openSync, writeSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { buildStoreOnThreads } from "../../src/engine/store/build-store.ts";
import type { Store } from "../../src/engine/store/store.ts";
import { createApp } from "../../src/service/http/app.ts";
import { createHttpServer } from "../../src/service/http/connection/create-server.ts";
import { site } from "../../src/site/site.ts";
import { noDownloads } from "../../test/support/no-downloads.ts";
import { processorMilliseconds } from "../../test/support/processor-time.ts";
import { testKeys } from "../../test/support/signed-request.ts";
import { testAdmission, testConnections } from "../../test/support/test-admission.ts";
import { answerCalls } from "../calls/answer-calls.ts";
import { generateDataset } from "../sample/generate-dataset.ts";

/** What `usage` answers. */
export interface ProcessUsage {
  readonly processorMicroseconds: number;
  readonly residentBytes: number;
}

let longest = 0;
let isWatching = false;

answerCalls({ prepare, watch, longest: takeLongest, usage });
process.on("disconnect", () => process.exit());

async function prepare({ prices }: { readonly prices: number }): Promise<{ readonly port: number }> {
  const store: Store = await buildStoreOnThreads(generateDataset({ prices, seed: 1 }));
  globalThis.gc?.();
  const keys = testKeys().current();
  const log = openSync("/dev/null", "w");
  const write = (fields: object, message: string): unknown =>
    writeSync(log, `${JSON.stringify({ ...fields, message })}\n`);
  const deps = {
    currentStore: () => store,
    currentKeys: () => keys,
    now: Date.now,
    admission: testAdmission(),
    connectionCounts: testConnections(),
    log: { info: write, error: write },
    site,
    downloads: noDownloads,
  };
  const { server } = createHttpServer(createApp(deps), deps);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { port: (server.address() as AddressInfo).port };
}

/** What the process has used so far, and holds now. */
function usage(): ProcessUsage {
  const { user, system } = process.cpuUsage();
  return { processorMicroseconds: user + system, residentBytes: process.memoryUsage.rss() };
}

/** Begins a watch. */
function watch(): null {
  longest = 0;
  isWatching = true;
  let before = processorMilliseconds();
  const turn = (): void => {
    const now = processorMilliseconds();
    longest = Math.max(longest, now - before);
    before = now;
    if (isWatching) setImmediate(turn);
  };
  setImmediate(turn);
  return null;
}

/** Ends the watch. @returns The longest turn, in milliseconds of processor time. */
function takeLongest(): number {
  isWatching = false;
  return longest;
}
