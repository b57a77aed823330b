/** The running service: ports, threads, the first load, keys, reloads, and the orderly stop. */
import type { ResourceLimits, Worker } from "node:worker_threads";
import type { Logger } from "pino";
import { defaultKeysTiming, followKeys, type KeysFollower, type KeysFollowerEvents } from "../auth/follow-keys.ts";
import { createKeysFileIfMissing, type FirstKeys } from "../auth/keys-file.ts";
import { keysFileExposure } from "../auth/keys-file-access.ts";
import { LastUseRecorder } from "../auth/record-last-use.ts";
import { layoutVersion } from "../compiled/layout-version.ts";
import type { OpenedSnapshot } from "../compiled/open-snapshot.ts";
import type { Instant } from "../domain/instant.ts";
import { explorerPath } from "../explore/request.ts";
import {
  Admission,
  type AdmissionLimits,
  admissionLimits,
  createAdmissionMemory,
} from "../http/admission/admission.ts";
import { createRateLimitMemory } from "../http/admission/rate-limits.ts";
import { Clients, type TrustedProxies } from "../http/connection/client-address.ts";
import type { Access } from "../http/endpoint.ts";
import { storeBytes } from "../store/store.ts";
import { createAdminServer } from "./admin.ts";
import { adminAccess } from "./admin-access.ts";
import { adminExplorer } from "./admin-explorer.ts";
import { defaultConnections } from "./connection-limit.ts";
import { DownloadsMaker } from "./downloads-maker.ts";
import { prepareDrain, stopMillisecondsMax } from "./drain-server.ts";
import { createHeartbeats, heartbeatMillisecondsMax } from "./heartbeats.ts";
import { loadInThread } from "./load-in-thread.ts";
import type { LogForm } from "./log.ts";
import { listen, type PublicPort, reservePort } from "./ports.ts";
import { type Reload, Reloads, readPointer } from "./reloads.ts";
import { createCounters } from "./request-counters.ts";
import type { ServerThreadData } from "./server-thread.ts";
import { ServerThreads } from "./server-threads.ts";
import { ServiceState } from "./service-state.ts";

/** `admin`: on the admin port, which this machine alone reaches. `public`: on the public port, without a key. */
export type ExplorerPort = "admin" | "public" | "off";

export interface ServiceOptions {
  readonly host: string;
  /** 0 lets the system choose. */
  readonly port: number;
  readonly adminHost: string;
  readonly adminPort: number;
  /** Names and addresses, without ports, under which the admin port may be reached, besides its own. */
  readonly adminNames: readonly string[];
  /** Dataset directory. */
  readonly dataDirectory: string;
  readonly keysFile: string;
  /**
   * Shows the keys of a new keys file to a person, once. Absent where no person would see them: a missing keys file is
   * then not created, and every key is refused until it is there.
   */
  readonly showFirstKeys: ((keys: FirstKeys, baseUrl: string) => void) | undefined;
  /** Command lines that issue keys into `keysFile`, for stdout and the log. */
  readonly issueKeyCommands: readonly string[];
  /** Server threads; one where the system does not let them share a port. */
  readonly threadCount: number;
  /** What the answer caches of all threads together may take; 0 for none. */
  readonly answerCacheBytes: number;
  /** What the kept texts of rollups may take, over all threads; 0 for none. */
  readonly rollupTextBytes: number;
  /** The key that exports of prices and statistics need. */
  readonly exportAccess: Access;
  /** Where the pages for people are; `admin` when absent. */
  readonly explorer?: ExplorerPort;
  readonly log: Logger;
  /** How the threads write theirs. */
  readonly logForm: LogForm;
  /** Writes what a person or script waits for to stdout. */
  readonly print: (text: string) => void;
  /** What clients may hold at one time; limits of its own when absent. */
  readonly limits?: AdmissionLimits;
  /** Requests a minute of a key without a rate of its own; no limit when absent or 0. */
  readonly ratePerMinute?: number;
  /** Whose `X-Forwarded-For` is trusted; none when absent. */
  readonly trustedProxies?: TrustedProxies;
  /** Memory that threads may use beside shared memory; Node's own limits when absent. */
  readonly serverLimits?: ResourceLimits;
  readonly loaderLimits?: ResourceLimits;
  /** How long a stopping service says that it is not ready, and answers all the same; 0 when absent. */
  readonly drainMilliseconds?: number;
  /** How long a stop may take after that; see drain-server.ts when absent. */
  readonly stopMillisecondsMax?: number;
  /** Between two polls of the keys file and of `CURRENT`; half a second when absent. */
  readonly pollMilliseconds?: number;
  /** A thread without a heartbeat for so long is not ready; see heartbeats.ts when absent. */
  readonly heartbeatMillisecondsMax?: number;
  /** Between two writings of the days on which keys were last used; a minute when absent. */
  readonly lastUseMilliseconds?: number;
  /** Called with every server thread that starts. */
  readonly onThread?: (worker: Worker) => void;
}

export interface Service {
  readonly baseUrl: string;
  readonly adminUrl: string;
  /** Serves what `CURRENT` names, as POST /reload does. */
  reload(): Promise<Reload>;
  /**
   * Says not to be ready, waits for `drainMilliseconds`, closes the public port and lets requests that have started end, then
   * closes the admin port; within `drainMilliseconds` and `stopMillisecondsMax`. Further calls return the same promise.
   */
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
  const { log, dataDirectory, keysFile, pollMilliseconds = defaultKeysTiming.pollMilliseconds } = options;
  const ending = new AbortController();
  const counters = createCounters(options.threadCount);
  const heartbeats = createHeartbeats(options.threadCount);
  const limits = options.limits ?? admissionLimits(defaultConnections);
  const admissionMemory = createAdmissionMemory(options.threadCount);
  const admission = new Admission(admissionMemory, limits, 0);
  const rateLimitMemory = createRateLimitMemory();
  let publicPort: PublicPort | undefined;
  let threads: ServerThreads | undefined;
  let keys: KeysFollower | undefined;
  let lastUse: LastUseRecorder | undefined;
  const state = new ServiceState({
    counters,
    heartbeats,
    heartbeatMillisecondsMax: options.heartbeatMillisecondsMax ?? heartbeatMillisecondsMax,
    admission,
    rateLimits: rateLimitMemory,
    droppedLogLines: options.logForm.droppedLines,
  });
  const downloads = new DownloadsMaker({ dataDirectory, log, servedStore: () => state.served()?.store });
  const access = adminAccess(options.adminHost, options.adminNames);
  const { explorer = "admin" } = options;
  const pages = adminExplorer({
    currentStore: () => state.served()?.store,
    log,
    dataDirectory,
    downloads,
    docsUrl: () => `${publicPort?.baseUrl}/docs`,
  });
  const onFailure = (error: Error): void => log.error({ err: error }, "admin answer failed");
  const adminServer = createAdminServer(state, access, onFailure, explorer === "admin" ? pages : undefined);
  const drainAdmin = prepareDrain(adminServer);
  try {
    publicPort = await reservePort(options.host, options.port, log, admission, new Clients(options.trustedProxies));
    const { baseUrl } = publicPort;
    const adminVariables = { host: "ADMIN_HOST", port: "ADMIN_PORT" };
    const adminUrl = await listen(adminServer, options.adminHost, options.adminPort, adminVariables);
    const tried = await readPointer(dataDirectory);
    // Threads start while the loader reads.
    const loading = load(true);
    const shared = { counters, heartbeats, admissionMemory, limits, rateLimitMemory };
    threads = startThreads(options, publicPort, shared, downloads);
    const loaded = await loading;
    if (options.showFirstKeys !== undefined) {
      const firstKeys = await createKeysFileIfMissing(keysFile, () => Date.now() as Instant);
      // Shown at once, whatever fails later: they cannot be recovered.
      if (firstKeys !== undefined) options.showFirstKeys(firstKeys, baseUrl);
    }
    const server = threads;
    const recorder = recordLastUse(options);
    lastUse = recorder;
    const keysEvents: KeysFollowerEvents = {
      onChange(ring) {
        server.setKeys(ring);
        recorder.follow(ring);
        log.info({ keys: ring.size }, "keys in force");
      },
      onProblem: (error) => log.error({ keys_file: keysFile }, `${error.message}; the last good keys stay in force`),
    };
    keys = await followKeys(keysFile, keysEvents, { ...defaultKeysTiming, pollMilliseconds });
    server.setKeys(keys.current());
    recorder.follow(keys.current());
    if (keys.startedWithoutFile) announceMissingKeys(options);
    const exposure = await keysFileExposure(keysFile);
    if (exposure !== undefined) log.warn({ keys_file: keysFile }, exposure);
    await activate(loaded);
    await publicPort.release();
    await server.listen();
    const servedId = (): string => state.served()?.store.snapshot.id ?? "";
    const onServed = (): void => {
      state.brokenSnapshots = [];
    };
    const reloadOptions = { dataDirectory, log, pollMilliseconds, servedId, activate, onServed };
    const reloads = new Reloads({ ...reloadOptions, load: () => load(false) }, tried);
    state.threads = server;
    state.reloads = reloads;
    if (explorer !== "off")
      options.print(`prices for people at ${explorer === "admin" ? adminUrl : baseUrl}${explorerPath}\n`);
    options.print(`listening on ${baseUrl}\n`);
    log.info({ url: baseUrl, admin_url: adminUrl, threads: server.listening.length }, "listening");
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
    await lastUse?.stop();
    adminServer.close();
    adminServer.closeAllConnections();
    await threads?.drain();
    throw error;
  }

  async function load(isStart: boolean): Promise<OpenedSnapshot> {
    return loadInThread({
      dataDirectory,
      // A running service has a better fallback than an older snapshot: the one it serves.
      triesParents: isStart,
      lowPriority: !isStart,
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
    await threads?.activate(loaded.store);
    state.serve(loaded);
    logLoaded(loaded, log);
  }

  async function stop(reloads: Reloads, server: ServerThreads): Promise<void> {
    state.isStopping = true;
    ending.abort();
    const { drainMilliseconds = 0, stopMillisecondsMax: millisecondsMax = stopMillisecondsMax } = options;
    const end = performance.now() + drainMilliseconds + millisecondsMax;
    await Promise.all([reloads.stop(), downloads.stop(), server.drain(drainMilliseconds, millisecondsMax)]);
    await drainAdmin(0, Math.max(0, end - performance.now()));
    keys?.close();
    await lastUse?.stop();
    publicPort?.close();
  }
}

function recordLastUse({ keysFile, lastUseMilliseconds, log }: ServiceOptions): LastUseRecorder {
  return new LastUseRecorder({
    keysFile,
    now: () => Date.now() as Instant,
    onProblem: (error) => log.warn({ keys_file: keysFile }, `${error.message}; days of last use are not written`),
    intervalMilliseconds: lastUseMilliseconds,
  });
}

function startThreads(
  options: ServiceOptions,
  { host, port, isShareable }: PublicPort,
  shared: Pick<ServerThreadData, "counters" | "heartbeats" | "admissionMemory" | "limits" | "rateLimitMemory">,
  downloads: DownloadsMaker,
): ServerThreads {
  const {
    threadCount,
    answerCacheBytes,
    rollupTextBytes,
    exportAccess,
    log,
    logForm,
    serverLimits = {},
    onThread = () => undefined,
  } = options;
  if (!isShareable && threadCount > 1) {
    log.warn({ threads: 1, wanted: threadCount }, "threads cannot share a port on this system; serving on one thread");
  }
  const generation = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const startedCount = isShareable ? threadCount : 1;
  return new ServerThreads({
    threadCount: startedCount,
    data: {
      host,
      port,
      sharesPort: isShareable,
      generation,
      ...shared,
      ratePerMinute: options.ratePerMinute ?? 0,
      trustedProxies: options.trustedProxies ?? { hops: 0 },
      answerCacheBytes: Math.floor(answerCacheBytes / startedCount),
      rollupTextBytes: Math.floor(rollupTextBytes / startedCount),
      exportAccess,
      servesExplorer: options.explorer === "public",
      dataDirectory: options.dataDirectory,
      logForm,
      layoutVersion,
    },
    resourceLimits: serverLimits,
    log,
    onThread,
    onDownloadsWanted: (id) => downloads.request(id),
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

function announceMissingKeys({ keysFile, issueKeyCommands, log, print }: ServiceOptions): void {
  const problem = `${keysFile} does not exist, so every key is refused until keys are issued with`;
  print(`${problem}:\n\n${issueKeyCommands.map((command) => `  ${command}\n`).join("")}\n`);
  log.warn({ keys_file: keysFile }, `${problem}: ${issueKeyCommands.join("; ")}`);
}
