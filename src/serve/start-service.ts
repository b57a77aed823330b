/** The running service: ports, threads, the first load, keys, reloads, and the end in good order. */
import type { ResourceLimits, Worker } from "node:worker_threads";
import type { Logger } from "pino";
import { followKeys, type KeysFollower } from "../auth/follow-keys.ts";
import { createKeysFileIfMissing, type FirstKeys } from "../auth/keys-file.ts";
import { layoutVersion } from "../compiled/file-layout.ts";
import type { OpenedSnapshot } from "../compiled/open-snapshot.ts";
import type { Instant } from "../domain/instant.ts";
import { storeBytes } from "../store/store.ts";
import { createAdminServer } from "./admin.ts";
import { prepareDrain } from "./drain.ts";
import { listen } from "./listen.ts";
import { loadInThread } from "./load-in-thread.ts";
import type { LogForm } from "./log.ts";
import { currentStamp, manifestStamp } from "./pointer-stamp.ts";
import { type PublicPort, reservePort } from "./public-port.ts";
import { type Reload, Reloads } from "./reloads.ts";
import { createCounters } from "./request-counters.ts";
import { ServerThreads } from "./server-threads.ts";
import { ServiceState } from "./service-state.ts";

export interface ServiceOptions {
  readonly host: string;
  /** 0 lets the system choose. */
  readonly port: number;
  readonly adminHost: string;
  readonly adminPort: number;
  readonly dataDirectory: string;
  readonly keysFile: string;
  /** Shows the keys of a new keys file to a person, once; absent where nobody would see them. */
  readonly showFirstKeys: ((keys: FirstKeys, baseUrl: string) => void) | undefined;
  /** Server threads; one where the system does not let them share a port. */
  readonly threadCount: number;
  readonly log: Logger;
  /** How the threads write theirs. */
  readonly logForm: LogForm;
  /** Takes what a person or script waits for on stdout. */
  readonly print: (text: string) => void;
  /** Memory that threads may use beside shared memory; Node's own limits when absent. */
  readonly serverLimits?: ResourceLimits;
  readonly loaderLimits?: ResourceLimits;
  /** Told of every server thread that starts. */
  readonly onThread?: (worker: Worker) => void;
}

export interface Service {
  readonly baseUrl: string;
  readonly adminUrl: string;
  /** Serves what `CURRENT` names, as POST /reload does. */
  reload(): Promise<Reload>;
  /** Closes both ports and lets requests that have started end. Asked again, it is the same stop. */
  stop(): Promise<void>;
}

/**
 * Starts the service; when this returns, it answers.
 *
 * Ports are bound before anything else is made, so that a second service started by mistake changes nothing.
 *
 * @throws {ListenError} when a port cannot be bound.
 * @throws {LoadFailedError} when no snapshot can be loaded.
 * @throws {KeysFileError} when the keys file cannot be used or made.
 */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { log, dataDirectory, keysFile } = options;
  const ending = new AbortController();
  const counters = createCounters(options.threadCount);
  let publicPort: PublicPort | undefined;
  let threads: ServerThreads | undefined;
  let keys: KeysFollower | undefined;
  const state = new ServiceState(counters);
  const adminServer = createAdminServer(state, (error) => log.error({ err: error }, "admin answer failed"));
  const drainAdmin = prepareDrain(adminServer);
  try {
    publicPort = await reservePort(options.host, options.port, log);
    const { baseUrl } = publicPort;
    const adminVariables = { host: "ADMIN_HOST", port: "ADMIN_PORT" };
    const adminUrl = await listen(adminServer, options.adminHost, options.adminPort, adminVariables);
    const tried = await stampOf(dataDirectory);
    // Threads start while the loader reads.
    const loading = load(true);
    threads = startThreads(options, publicPort, counters);
    const loaded = await loading;
    const firstKeys = await createKeysFileIfMissing(keysFile, () => Date.now() as Instant);
    // Whatever comes next, nobody will make them again.
    if (firstKeys !== undefined) announceFirstKeys(firstKeys, options, baseUrl);
    const server = threads;
    keys = await followKeys(keysFile, {
      onChange(ring) {
        server.setKeys(ring.records);
        log.info({ keys: ring.size }, "keys in force");
      },
      onProblem: (error) => log.error({ keys_file: keysFile }, `${error.message}; the last good keys stay in force`),
    });
    server.setKeys(keys.current().records);
    await activate(loaded);
    await publicPort.release();
    await server.listen();
    const servedId = (): string => state.served()?.store.snapshot.id ?? "";
    const onServed = (): void => {
      state.brokenSnapshots = [];
    };
    const reloads = new Reloads({ dataDirectory, log, servedId, load: () => load(false), activate, onServed }, tried);
    state.threads = server;
    state.reloads = reloads;
    options.print(`listening on ${baseUrl}\n`);
    log.info({ url: baseUrl, admin_url: adminUrl, threads: server.listeningCount }, "listening");
    reloads.follow();
    let stopped: Promise<void> | undefined;
    return {
      baseUrl,
      adminUrl,
      reload: () => reloads.request("signal"),
      stop() {
        stopped ??= stop(reloads, server);
        return stopped;
      },
    };
  } catch (error) {
    ending.abort();
    publicPort?.close();
    keys?.close();
    adminServer.close();
    adminServer.closeAllConnections();
    await threads?.drain();
    throw error;
  }

  async function load(isStart: boolean): Promise<OpenedSnapshot> {
    return loadInThread({
      dataDirectory,
      // A running service has something better than an older snapshot: the one it serves.
      triesParents: isStart,
      isBeside: !isStart,
      resourceLimits: options.loaderLimits ?? {},
      signal: ending.signal,
      onFallback({ broken, message, next }) {
        state.brokenSnapshots.push(broken);
        log.error({ snapshot: broken, parent: next }, `${message}; trying its parent`);
      },
      onCompiledRefused: ({ code, message }) => log.warn({ code }, `${message}; reading the records`),
    });
  }

  async function activate(loaded: OpenedSnapshot): Promise<void> {
    await threads?.handOver(loaded.store);
    state.serve(loaded);
    logLoaded(loaded, log);
  }

  async function stop(reloads: Reloads, server: ServerThreads): Promise<void> {
    ending.abort();
    await Promise.all([drainAdmin(), reloads.stop().then(() => server.drain())]);
    keys?.close();
    publicPort?.close();
  }
}

async function stampOf(dataDirectory: string): Promise<{ current: string; manifest: string }> {
  const current = await currentStamp(dataDirectory);
  return { current, manifest: await manifestStamp(dataDirectory, current) };
}

function startThreads(
  { threadCount, log, logForm, serverLimits = {}, onThread = () => undefined }: ServiceOptions,
  { host, port, isShareable }: PublicPort,
  counters: Float64Array<SharedArrayBuffer>,
): ServerThreads {
  if (!isShareable && threadCount > 1) {
    log.warn({ threads: 1, wanted: threadCount }, "threads cannot share a port on this system; serving on one thread");
  }
  const generation = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  return new ServerThreads({
    threadCount: isShareable ? threadCount : 1,
    data: { host, port, sharesPort: isShareable, generation, counters, logForm, layoutVersion },
    resourceLimits: serverLimits,
    log,
    onThread,
  });
}

function logLoaded(opened: OpenedSnapshot, log: Logger): void {
  const { store } = opened;
  log.info(
    {
      snapshot: store.snapshot.id,
      prices: store.prices.rowCount,
      products: store.catalogue.products.length,
      markets: store.catalogue.markets.length,
      bytes: storeBytes(store),
      ...originFields(opened),
    },
    "snapshot loaded",
  );
}

/** Where the store came from, and how long that took. */
function originFields(opened: OpenedSnapshot): Readonly<Record<string, unknown>> {
  const { origin } = opened;
  const read = { origin, read_ms: Math.round(opened.readMilliseconds) };
  if (opened.origin === "compiled") return read;
  const { buildMilliseconds, compilation, refused } = opened;
  const compiled = compilation.written
    ? { compile_ms: Math.round(compilation.milliseconds) }
    : { not_compiled: compilation.code };
  return { ...read, compiled_store: refused.code, build_ms: Math.round(buildMilliseconds), ...compiled };
}

function announceFirstKeys(keys: FirstKeys, { keysFile, showFirstKeys, log }: ServiceOptions, baseUrl: string): void {
  if (showFirstKeys !== undefined) showFirstKeys(keys, baseUrl);
  else {
    const advice = "npm run keys -- issue --kind public|secret --label TEXT";
    log.warn({ keys_file: keysFile }, `keys file created; its keys are not shown here, issue others with: ${advice}`);
  }
}
