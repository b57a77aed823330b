/** The running service: ports, threads, the first load, keys, reloads, and the orderly stop. */
import type { ResourceLimits, Worker } from "node:worker_threads";
import type { Logger } from "pino";
import { explorerPath } from "../../contract/paths.ts";
import { layoutVersion } from "../../engine/compiled/layout-version.ts";
import type { OpenedSnapshot } from "../../engine/compiled/open-snapshot.ts";
import type { Instant } from "../../engine/model/calendar.ts";
import { orUnavailable } from "../../engine/snapshots/current-snapshot.ts";
import { provideDataDirectory, requireDataDirectory } from "../../engine/snapshots/data-directory.ts";
import { readWanted } from "../../engine/snapshots/pin.ts";
import type { SnapshotId } from "../../engine/snapshots/snapshot-layout.ts";
import { storeBytes } from "../../engine/store/store.ts";
import { defaultKeysTiming, followKeys, type KeysFollower, type KeysFollowerEvents } from "../auth/follow-keys.ts";
import type { KeyRing } from "../auth/key-ring.ts";
import { createKeysFileIfMissing, type FirstKeys } from "../auth/keys-file.ts";
import { keysFileExposure } from "../auth/keys-file-access.ts";
import { LastUseRecorder } from "../auth/record-last-use.ts";
import { representationVersion } from "../http/answer/representation-version.ts";
import { ConnectionCounts } from "../http/connection/connection-counts.ts";
import type { HttpServer } from "../http/connection/create-server.ts";
import { Clients } from "../http/request/client-address.ts";
import { createAdminServer } from "./admin.ts";
import { adminAccess } from "./admin-access.ts";
import { CardsMaker } from "./cards-maker.ts";
import { DownloadsMaker } from "./downloads-maker.ts";
import { drainServer, stopMillisecondsMax } from "./drain-server.ts";
import type { CreateFollower, Follower, FollowerHost } from "./follower.ts";
import { compileInThread, loadInThread } from "./load-in-thread.ts";
import type { LoaderNotice } from "./loader-thread.ts";
import { type ListenVariables, listen, type PublicPort, reservePort } from "./ports.ts";
import { type Reload, type ReloadOptions, Reloads, type Wanted } from "./reloads.ts";
import type { ServerThreadData } from "./run-server-thread.ts";
import { ServerThreads } from "./server-threads.ts";
import { notePublisher, type ServiceMemory, ServiceState, type ServiceStateOptions } from "./service-state.ts";
import { type ProcessMemory, processMemory, requireMemory } from "./store-memory.ts";

const adminVariables: ListenVariables = { host: "ADMIN_HOST", port: "ADMIN_PORT" };

/** Options that server threads get unchanged. Without a rate there is no limit; without proxies none is trusted. */
type ThreadOptions = Pick<ServerThreadData, "dataDirectory" | "logForm"> &
  Partial<Pick<ServerThreadData, "ratePerMinute" | "trustedProxies" | "publicUrl">> &
  Pick<ServerThreadData["app"], "exportAccess">;

export interface ServiceOptions
  extends Omit<ServiceStateOptions, "logForm">,
    ThreadOptions,
    Pick<FollowerHost, "log" | "retryTimes"> {
  readonly host: string;
  /** 0 lets the system choose. */
  readonly port: number;
  readonly adminHost: string;
  readonly adminPort: number;
  /** Names and addresses, without ports, under which the admin port may be reached, besides its own. */
  readonly adminNames: readonly string[];
  readonly keysFile: string;
  /**
   * Shows the keys of a new keys file to a person, once. Absent where no person would see them: a missing keys file is
   * then not created, and every key is refused until it is there.
   */
  readonly showFirstKeys: ((keys: FirstKeys, baseUrl: string) => void) | undefined;
  /** Command lines that issue keys into `keysFile`, for stdout and the log. */
  readonly issueKeyCommands: readonly string[];
  /** Bytes that the answer caches of all threads together may take; 0 for none. */
  readonly answerCacheBytes: number;
  /** Bytes that cached texts of statistics may take, all threads together; 0 when absent. */
  readonly rollupTextBytes?: number;
  /** True if the pages for people are served, without a key; false when absent. */
  readonly servesExplorer?: boolean;
  /** Writes what a person or script waits for to stdout. */
  readonly print: (text: string) => void;
  /** Memory that threads may use beside shared memory; Node's own limits when absent. */
  readonly serverLimits?: ResourceLimits;
  readonly loaderLimits?: ResourceLimits;
  /** Time for which a stopping service says that it is not ready, and answers all the same; 0 when absent. */
  readonly drainMilliseconds?: number;
  /** Time for which a stop may take after that; see drain-server.ts when absent. */
  readonly stopMillisecondsMax?: number;
  readonly parts: ServiceParts;
  /** Creates the follower of the origin of snapshots; absent where they are published into the dataset directory. */
  readonly createFollower?: CreateFollower | undefined;
  /** Bytes that the stores may take during a swap; no limit but that of the system when absent. */
  readonly storeBytesMax?: number | undefined;
  /** Between two polls of the keys file and of `CURRENT`; half a second when absent. */
  readonly pollMilliseconds?: number;
  /** Between two writings of the days on which keys were last used; a minute when absent. */
  readonly lastUseMilliseconds?: number;
  /** Called with every server thread that starts. */
  readonly onThread?: (worker: Worker) => void;
}

/** The parts that other wings give to the service. */
export interface ServiceParts {
  /** The entry file of a server thread, which calls `runServerThread`. */
  readonly serverThread: URL;
  /** The entry file of the thread that makes downloads, which answers `DownloadsThreadRequest`. */
  readonly downloadsThread: URL;
  /** The entry file of the thread that makes cards, which answers `CardsRequest`. */
  readonly cardsThread: URL;
  /** The reasons for which a follower refuses a transfer: labels of a metric. */
  readonly refusalReasons: readonly string[];
}

export interface Service {
  readonly baseUrl: string;
  readonly adminUrl: string;
  /** Serves what `CURRENT` names, as POST /reload does. */
  reload(): Promise<Reload>;
  /**
   * Says not to be ready, waits for `drainMilliseconds`, closes the public port and lets requests that have started
   * end, then closes the admin port; within `drainMilliseconds` and `stopMillisecondsMax`. Further calls return the
   * same promise.
   */
  stop(): Promise<void>;
}

/**
 * Starts the service; when this returns, it answers.
 *
 * Ports are bound before anything else is made, so that a second service started by mistake changes nothing.
 *
 * @throws {ListenError} when a port cannot be bound.
 * @throws {DataDirectoryError} when the dataset directory is missing and follows no origin, or cannot be used.
 * @throws {LoadFailedError} when no snapshot can be loaded.
 * @throws {KeysFileError} when the keys file cannot be used or made.
 */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { log, dataDirectory } = options;
  const state = new ServiceState({ ...options, refusalReasons: options.parts.refusalReasons });
  const downloads = new DownloadsMaker({ ...options, script: options.parts.downloadsThread, servedStore: state.store });
  const cards = cardsMaker(options);
  const stopping = new AbortController();
  const memory = processMemory(options.storeBytesMax);
  // A start that fails waits for nothing when it is torn down.
  let times = stopTimes({ stopMillisecondsMax: 0 });

  // Torn down in reverse order: the threads end first; until they have, the keys are followed and the port is owned.
  await using teardown = new AsyncDisposableStack();
  const clients = new Clients(options.trustedProxies);
  const { connectionMemory, connectionLimit } = state.memory;
  const connectionCounts = new ConnectionCounts(connectionMemory, connectionLimit, 0);
  const publicPort = await reservePort(options.host, options.port, log, connectionCounts, clients);
  teardown.defer(() => publicPort.close());
  const { baseUrl } = publicPort;
  const lastUse = recordLastUse(options);
  teardown.defer(() => lastUse.stop());
  const keysFollowed = teardown.use(new DisposableStack());
  const adminServer = createAdmin(options, state);
  const adminUrl = await listen(adminServer.server, options.adminHost, options.adminPort, adminVariables);
  teardown.defer(() =>
    drainServer(adminServer.server, adminServer.connections, 0, Math.max(0, times.end - performance.now())),
  );

  // An error names the folder, not a file in it; a replica fills a new one.
  await (options.createFollower === undefined ? requireDataDirectory : provideDataDirectory)(dataDirectory);
  const follower = followOrigin(options, state, memory, stopping.signal);
  teardown.defer(() => follower?.stop());
  await follower?.start();
  const tried = await orUnavailable(readWanted(dataDirectory));
  // Threads start while the loader reads.
  const loading = loadCurrent(options, state, true, stopping.signal);
  const threads = startThreads(options, publicPort, state.memory, downloads);
  const activate = async (loaded: OpenedSnapshot): Promise<void> => {
    await threads.activate(loaded.store);
    state.served = { opened: loaded, loadedAt: Date.now() };
    logLoaded(loaded, log);
    void cards?.make(loaded.store);
  };
  const reloads = createReloads(options, state, memory, activate, tried, stopping.signal);
  teardown.defer(async () => {
    stopping.abort();
    const drained = threads.drain(times.pauseMilliseconds, times.millisecondsMax);
    await Promise.all([reloads.stop(), downloads.stop(), cards?.stop(), drained]);
  });

  const loaded = await loading;
  await createFirstKeys(options, baseUrl);
  const keys = await followKeysFile(options, threads, lastUse);
  keysFollowed.defer(() => keys.close());
  if (keys.startedWithoutFile) announceMissingKeys(options);
  const exposure = await keysFileExposure(options.keysFile);
  if (exposure !== undefined) log.warn({ keys_file: options.keysFile }, exposure);
  await activate(loaded);
  await publicPort.release();
  await threads.listen();
  state.threads = threads;
  state.reloads = reloads;
  announceStart(options, { baseUrl, adminUrl }, state);
  reloads.follow();
  follower?.follow();

  const running = teardown.move();
  let stopped: Promise<void> | undefined;
  return {
    baseUrl,
    adminUrl,
    reload: () => reloads.request("signal"),
    stop() {
      if (stopped === undefined) {
        state.isStopping = true;
        times = stopTimes(options);
        stopped = running.disposeAsync();
      }
      return stopped;
    },
  };
}

const withoutPublicUrl =
  "PUBLIC_URL is not set: shared pages have no cards, there is no sitemap, and pages, feeds and the data " +
  "for search engines have no absolute addresses";

function announceStart(
  { servesExplorer = false, publicUrl, print, log }: ServiceOptions,
  { baseUrl, adminUrl }: Pick<Service, "baseUrl" | "adminUrl">,
  { version, listeningCount }: ServiceState,
): void {
  if (servesExplorer) print(`prices for people at ${baseUrl}${explorerPath}\n`);
  if (servesExplorer && publicUrl === undefined) log.info({}, withoutPublicUrl);
  print(`listening on ${baseUrl}\n`);
  log.info({ url: baseUrl, admin_url: adminUrl, threads: listeningCount(), ...version }, "listening");
}

/** The times of a stop: its pause, the time after it, and its end by the clock of `performance.now()`. */
function stopTimes(options: Pick<ServiceOptions, "drainMilliseconds" | "stopMillisecondsMax">) {
  const { drainMilliseconds: pause = 0, stopMillisecondsMax: max = stopMillisecondsMax } = options;
  return { pauseMilliseconds: pause, millisecondsMax: max, end: performance.now() + pause + max };
}

/** Makes cards where readers have an address to share pages by; undefined elsewhere. */
function cardsMaker({ servesExplorer, publicUrl, parts, dataDirectory, log }: ServiceOptions): CardsMaker | undefined {
  if (servesExplorer !== true || publicUrl === undefined) return undefined;
  return new CardsMaker({ script: parts.cardsThread, dataDirectory, version: representationVersion(), log });
}

function createAdmin(options: ServiceOptions, state: ServiceState): HttpServer {
  const { adminHost, adminNames, log } = options;
  const onFailure = (error: Error): void => log.error({ err: error }, "admin answer failed");
  return createAdminServer(state, adminAccess(adminHost, adminNames), onFailure);
}

/** The follower of the origin, if there is one. */
function followOrigin(
  { dataDirectory, createFollower, loaderLimits = {}, log, retryTimes }: ServiceOptions,
  state: ServiceState,
  memory: ProcessMemory,
  signal: AbortSignal,
): Follower | undefined {
  state.follower = createFollower?.({
    dataDirectory,
    retryTimes,
    log,
    servedId: () => state.store()?.snapshot.id,
    compile: (id) => compileInThread(dataDirectory, id, { resourceLimits: loaderLimits, onNotice() {}, signal }),
    requireMemory: (id) => requireMemory(dataDirectory, id, state.store(), memory),
  });
  return state.follower;
}

/** @param isStart A running service has a better fallback than an older snapshot: the one it serves. */
function loadCurrent(
  { dataDirectory, loaderLimits = {}, log }: ServiceOptions,
  state: ServiceState,
  isStart: boolean,
  signal: AbortSignal,
): Promise<OpenedSnapshot> {
  const onNotice = (notice: LoaderNotice): void => {
    if (notice.kind === "compiled refused") {
      log.warn({ code: notice.code }, `${notice.message}; reading the records`);
      return;
    }
    if (notice.kind === "refused texts") {
      const remedy = "served all the same; pages show long texts cut, publish shorter ones";
      log.warn({ snapshot: notice.snapshot }, `${notice.message}; ${remedy}`);
      return;
    }
    state.brokenSnapshots.push(notice.broken);
    log.error({ snapshot: notice.broken, parent: notice.next }, `${notice.message}; trying its parent`);
  };
  return loadInThread({ dataDirectory, isStart }, { resourceLimits: loaderLimits, signal, onNotice });
}

/** @param tried As in `Reloads`. @param signal Ends a load. */
function createReloads(
  options: ServiceOptions,
  state: ServiceState,
  memory: ProcessMemory,
  activate: ReloadOptions["activate"],
  tried: Wanted,
  signal: AbortSignal,
): Reloads {
  const { dataDirectory, log, retryTimes, pollMilliseconds = defaultKeysTiming.pollMilliseconds } = options;
  const load = async (id: SnapshotId): Promise<OpenedSnapshot> => {
    await requireMemory(dataDirectory, id, state.store(), memory);
    return await loadCurrent(options, state, false, signal);
  };
  const servedId = (): string => state.store()?.snapshot.id ?? "";
  const onServed = (): void => {
    state.brokenSnapshots = [];
  };
  const onPoll = (): Promise<void> => notePublisher(state, log);
  return new Reloads(
    { dataDirectory, log, pollMilliseconds, retryTimes, servedId, load, activate, onServed, onPoll },
    tried,
  );
}

/** Makes the keys file where there is none and a person sees the keys. */
async function createFirstKeys({ showFirstKeys, keysFile }: ServiceOptions, baseUrl: string): Promise<void> {
  if (showFirstKeys === undefined) return;
  const firstKeys = await createKeysFileIfMissing(keysFile, () => Date.now() as Instant);
  // Shown at once, whatever fails later: they cannot be recovered.
  if (firstKeys !== undefined) showFirstKeys(firstKeys, baseUrl);
}

/** Puts the keys of the file in force in all threads, now and whenever they change. */
async function followKeysFile(
  { keysFile, log, pollMilliseconds = defaultKeysTiming.pollMilliseconds }: ServiceOptions,
  threads: ServerThreads,
  lastUse: LastUseRecorder,
): Promise<KeysFollower> {
  const putInForce = (ring: KeyRing): void => {
    threads.setKeys(ring);
    lastUse.follow(ring);
  };
  const events: KeysFollowerEvents = {
    onChange(ring) {
      putInForce(ring);
      log.info({ keys: ring.size }, "keys in force");
    },
    onProblem: (error) => log.error({ keys_file: keysFile }, `${error.message}; the last good keys stay in force`),
  };
  const keys = await followKeys(keysFile, events, { ...defaultKeysTiming, pollMilliseconds });
  putInForce(keys.current());
  return keys;
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
  memory: ServiceMemory,
  downloads: DownloadsMaker,
): ServerThreads {
  const { threadCount, log, onThread = () => undefined, serverLimits: resourceLimits = {} } = options;
  const { dataDirectory, exportAccess, logForm, ratePerMinute = 0, trustedProxies = { hops: 0 }, publicUrl } = options;
  if (!isShareable && threadCount > 1) {
    log.warn({ threads: 1, wanted: threadCount }, "threads cannot share a port on this system; serving on one thread");
  }
  const startedCount = isShareable ? threadCount : 1;
  return new ServerThreads({
    script: options.parts.serverThread,
    threadCount: startedCount,
    data: {
      ...memory,
      host,
      port,
      threadCount: startedCount,
      sharesPort: isShareable,
      layoutVersion,
      dataDirectory,
      logForm,
      ratePerMinute,
      trustedProxies,
      app: {
        exportAccess,
        representationVersion: representationVersion(),
        answerCacheBytes: Math.floor(options.answerCacheBytes / startedCount),
        rollupTextBytes: Math.floor((options.rollupTextBytes ?? 0) / startedCount),
      },
      servesExplorer: options.servesExplorer ?? false,
      publicUrl,
    },
    resourceLimits,
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

/** Fields of the log: the source of the store, and the time that loading took. */
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
