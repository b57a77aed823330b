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
import { followKeys, type KeysFollowerEvents, keysPollMilliseconds } from "../auth/follow-keys.ts";
import type { KeyRing } from "../auth/key-ring.ts";
import { createKeysFileIfMissing, type FirstKeys } from "../auth/keys-file.ts";
import { keysFileExposure } from "../auth/keys-file-access.ts";
import { LastUseRecorder } from "../auth/record-last-use.ts";
import { representationVersion } from "../http/answer/representation-version.ts";
import { ConnectionCounts } from "../http/connection/connection-counts.ts";
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
import { type ServiceMemory, ServiceState, type ServiceStateOptions } from "./service-state.ts";
import { type ProcessMemory, processMemory, requireMemory } from "./store-memory.ts";

const adminVariables: ListenVariables = { host: "ADMIN_HOST", port: "ADMIN_PORT" };

/** What a service is told. Without a rate there is no limit; without proxies none is trusted. */
export interface ServiceOptions
  extends Pick<FollowerHost, "dataDirectory" | "retryTimes">,
    Pick<ServerThreadData, "logForm">,
    Partial<Pick<ServerThreadData, "ratePerMinute" | "trustedProxies" | "publicUrl" | "servesExplorer">>,
    Pick<ServerThreadData["app"], "exportAccess">,
    StopOptions,
    Omit<ServiceStateOptions, "logForm" | "refusalReasons"> {
  readonly host: string;
  /** 0 lets the system choose. */
  readonly port: number;
  readonly adminHost: string;
  readonly adminPort: number;
  /** Names and addresses, without ports, under which the admin port may be reached, besides its own. */
  readonly adminNames: readonly string[];
  /** Creates the follower of the origin of snapshots; absent where they are published into the dataset directory. */
  readonly createFollower?: CreateFollower | undefined;
  /** Bytes that the stores may take during a swap; no limit but that of the system when absent. */
  readonly storeBytesMax?: number | undefined;
  /** Memory that a loader may use beside shared memory; Node's own limits when absent. */
  readonly loaderLimits?: ResourceLimits;
  /** Between two polls of `CURRENT`, and of the keys file; half a second when absent. */
  readonly pollMilliseconds?: number;
  readonly keysFile: string;
  /**
   * Shows the keys of a new keys file to a person, once. Absent where no person would see them: a missing keys file is
   * then not created, and every key is refused until it is there.
   */
  readonly showFirstKeys: ((keys: FirstKeys, baseUrl: string) => void) | undefined;
  /** Command lines that issue keys into `keysFile`, for stdout and the log. */
  readonly issueKeyCommands: readonly string[];
  /** Between two writings of the days on which keys were last used; a minute when absent. */
  readonly lastUseMilliseconds?: number;
  /** Bytes that the answer caches of all threads together may take; 0 for none. */
  readonly answerCacheBytes: number;
  /** Bytes that cached texts of statistics may take, all threads together; 0 when absent. */
  readonly rollupTextBytes?: number;
  /** Called with every server thread that starts. */
  readonly onThread?: (worker: Worker) => void;
  readonly log: Logger;
  /** Writes what a person or script waits for to stdout. */
  readonly print: (text: string) => void;
  readonly parts: ServiceParts;
}

/** How long a stop may take. */
interface StopOptions {
  /** Time for which a stopping service says that it is not ready, and answers all the same; 0 when absent. */
  readonly drainMilliseconds?: number;
  /** Time for which a stop may take after that; see drain-server.ts when absent. */
  readonly stopMillisecondsMax?: number;
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
 * Starts the service in four stages; when this returns, it answers.
 *
 * Ports are bound before anything else is made, so that a second service started by mistake changes nothing.
 *
 * @throws {ListenError} when a port cannot be bound.
 * @throws {DataDirectoryError} when the dataset directory is missing and follows no origin, or cannot be used.
 * @throws {LoadFailedError} when no snapshot can be loaded.
 * @throws {KeysFileError} when the keys file cannot be used or made.
 */
export async function startService(options: ServiceOptions): Promise<Service> {
  const state = new ServiceState({ ...options, refusalReasons: options.parts.refusalReasons });
  // A start that fails waits for nothing when it is torn down.
  const stopping = { signal: new AbortController(), times: stopTimes({ stopMillisecondsMax: 0 }) };
  await using owned = new AsyncDisposableStack();
  const start: Start = { options, state, owned, stopping };
  const opened = await openPorts(start);
  const loading = await beginLoading(start, opened);
  await beginAnswering(start, opened, loading);
  announceStart(options, opened, state);
  loading.reloads.follow();
  state.follower?.follow();

  const running = owned.move();
  let stopped: Promise<void> | undefined;
  return {
    baseUrl: opened.publicPort.baseUrl,
    adminUrl: opened.adminUrl,
    reload: () => loading.reloads.request("signal"),
    stop() {
      if (stopped === undefined) {
        state.isStopping = true;
        stopping.times = stopTimes(options);
        stopped = running.disposeAsync();
      }
      return stopped;
    },
  };
}

/** What every stage of a start has. */
interface Start {
  readonly options: ServiceOptions;
  readonly state: ServiceState;
  /**
   * What is made, to be ended in reverse order: the threads first; until they have ended, the keys are followed and the
   * port is owned.
   */
  readonly owned: AsyncDisposableStack;
  /** Ends what is under way, and says how long the end may take. */
  readonly stopping: { readonly signal: AbortController; times: ReturnType<typeof stopTimes> };
}

/** Both ports are bound: the public one says that the service is starting, the admin port answers. */
interface OpenedPorts {
  readonly publicPort: PublicPort;
  readonly adminUrl: string;
  readonly lastUse: LastUseRecorder;
  /** Holds what follows the keys file. */
  readonly keysFollowed: DisposableStack;
}

async function openPorts({ options, state, owned, stopping }: Start): Promise<OpenedPorts> {
  const { host, port, adminHost, adminPort, adminNames, trustedProxies, log } = options;
  const { connectionMemory, connectionLimit } = state.memory;
  const counts = new ConnectionCounts(connectionMemory, connectionLimit, 0);
  const publicPort = owned.adopt(
    await reservePort(host, port, log, counts, new Clients(trustedProxies)),
    async (reserved) => reserved.close(),
  );
  const lastUse = owned.adopt(recordLastUse(options), (recorder) => recorder.stop());
  const keysFollowed = owned.use(new DisposableStack());
  const onFailure = (error: Error): void => log.error({ err: error }, "admin answer failed");
  const { server, connections } = createAdminServer(state, adminAccess(adminHost, adminNames), onFailure);
  const adminUrl = await listen(server, adminHost, adminPort, adminVariables);
  owned.defer(() => drainServer(server, connections, 0, Math.max(0, stopping.times.end - performance.now())));
  return { publicPort, adminUrl, lastUse, keysFollowed };
}

/** The threads start while a loader reads what is to be served. */
interface Loading {
  readonly loading: Promise<OpenedSnapshot>;
  readonly threads: ServerThreads;
  readonly reloads: Reloads;
  /** Serves a store from one instant on. */
  readonly activate: ReloadOptions["activate"];
}

async function beginLoading({ options, state, owned, stopping }: Start, { publicPort }: OpenedPorts): Promise<Loading> {
  const { dataDirectory, log, parts } = options;
  const { signal } = stopping.signal;
  // An error names the folder, not a file in it; a replica fills a new one.
  await (options.createFollower === undefined ? requireDataDirectory : provideDataDirectory)(dataDirectory);
  const memory = processMemory(options.storeBytesMax);
  state.follower = followOrigin(options, state, memory, signal);
  owned.defer(() => state.follower?.stop());
  await state.follower?.start();
  const tried = await orUnavailable(readWanted(dataDirectory));
  const loading = loadCurrent(options, state, true, signal);
  const downloads = new DownloadsMaker({ dataDirectory, log, script: parts.downloadsThread, servedStore: state.store });
  const cards = cardsMaker(options);
  const threads = startThreads(options, publicPort, state.memory, downloads);
  const activate = async (loaded: OpenedSnapshot): Promise<void> => {
    await threads.activate(loaded.store);
    state.served = { opened: loaded, loadedAt: Date.now() };
    logLoaded(loaded, log);
    void cards?.make(loaded.store);
  };
  const reloads = createReloads(options, state, memory, activate, tried, signal);
  owned.defer(async () => {
    stopping.signal.abort();
    const { pauseMilliseconds, millisecondsMax } = stopping.times;
    const drained = threads.drain(pauseMilliseconds, millisecondsMax);
    await Promise.all([reloads.stop(), downloads.stop(), cards?.stop(), drained]);
  });
  return { loading, threads, reloads, activate };
}

/** Serves what is loaded to the keys of the file; the threads have the public port from then on. */
async function beginAnswering(
  { options, state }: Start,
  { publicPort, lastUse, keysFollowed }: OpenedPorts,
  { loading, threads, reloads, activate }: Loading,
): Promise<void> {
  const loaded = await loading;
  await createFirstKeys(options, publicPort.baseUrl);
  const keys = keysFollowed.adopt(await followKeysFile(options, threads, lastUse), (followed) => followed.close());
  if (keys.startedWithoutFile) announceMissingKeys(options);
  const exposure = await keysFileExposure(options.keysFile);
  if (exposure !== undefined) options.log.warn({ keys_file: options.keysFile }, exposure);
  await activate(loaded);
  await publicPort.release();
  await threads.listen();
  state.threads = threads;
  state.reloads = reloads;
}

const withoutPublicUrl =
  "PUBLIC_URL is not set: shared pages have no cards, there is no sitemap, and pages, feeds and the data " +
  "for search engines have no absolute addresses";

function announceStart(
  { servesExplorer = false, publicUrl, print, log }: ServiceOptions,
  { publicPort: { baseUrl }, adminUrl }: OpenedPorts,
  { version, listeningCount }: ServiceState,
): void {
  if (servesExplorer) print(`prices for people at ${baseUrl}${explorerPath}\n`);
  if (servesExplorer && publicUrl === undefined) log.info({}, withoutPublicUrl);
  print(`listening on ${baseUrl}\n`);
  log.info({ url: baseUrl, admin_url: adminUrl, threads: listeningCount(), ...version }, "listening");
}

/** The times of a stop: its pause, the time after it, and its end by the clock of `performance.now()`. */
function stopTimes(options: StopOptions) {
  const { drainMilliseconds: pause = 0, stopMillisecondsMax: max = stopMillisecondsMax } = options;
  return { pauseMilliseconds: pause, millisecondsMax: max, end: performance.now() + pause + max };
}

/** Makes cards where readers have an address to share pages by; undefined elsewhere. */
function cardsMaker({ servesExplorer, publicUrl, parts, dataDirectory, log }: ServiceOptions): CardsMaker | undefined {
  if (servesExplorer !== true || publicUrl === undefined) return undefined;
  return new CardsMaker({ script: parts.cardsThread, dataDirectory, version: representationVersion(), log });
}

/** The follower of the origin, if there is one. */
function followOrigin(
  { dataDirectory, createFollower, loaderLimits = {}, log, retryTimes }: ServiceOptions,
  state: ServiceState,
  memory: ProcessMemory,
  signal: AbortSignal,
): Follower | undefined {
  return createFollower?.({
    dataDirectory,
    retryTimes,
    log,
    servedId: () => state.store()?.snapshot.id,
    compile: (id) => compileInThread(dataDirectory, id, { resourceLimits: loaderLimits, onNotice() {}, signal }),
    requireMemory: (id) => requireMemory(dataDirectory, id, state.store(), memory),
  });
}

/** @param isStart A running service has a better fallback than an older snapshot: the one it serves. */
function loadCurrent(
  { dataDirectory, loaderLimits = {}, log }: ServiceOptions,
  state: ServiceState,
  isStart: boolean,
  signal: AbortSignal,
): Promise<OpenedSnapshot> {
  const onNotice = ({ level, fields, message, broken }: LoaderNotice): void => {
    if (broken !== undefined) state.brokenSnapshots.push(broken);
    log[level](fields, message);
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
  const { dataDirectory, log, retryTimes, pollMilliseconds = keysPollMilliseconds } = options;
  const load = async (id: SnapshotId): Promise<OpenedSnapshot> => {
    await requireMemory(dataDirectory, id, state.store(), memory);
    return await loadCurrent(options, state, false, signal);
  };
  const servedId = (): string => state.store()?.snapshot.id ?? "";
  const onServed = (): void => {
    state.brokenSnapshots = [];
  };
  return new Reloads({ dataDirectory, log, pollMilliseconds, retryTimes, servedId, load, activate, onServed }, tried);
}

/** Makes the keys file where there is none and a person sees the keys. */
async function createFirstKeys({ showFirstKeys, keysFile }: ServiceOptions, baseUrl: string): Promise<void> {
  if (showFirstKeys === undefined) return;
  const firstKeys = await createKeysFileIfMissing(keysFile, () => Date.now() as Instant);
  // Shown at once, whatever fails later: they cannot be recovered.
  if (firstKeys !== undefined) showFirstKeys(firstKeys, baseUrl);
}

/** Puts the keys of the file in force in all threads, now and whenever they change. */
async function followKeysFile(options: ServiceOptions, threads: ServerThreads, lastUse: LastUseRecorder) {
  const { keysFile, log, pollMilliseconds } = options;
  const putInForce = (ring: KeyRing): void => {
    threads.setKeys(ring);
    lastUse.follow(ring);
  };
  const events: KeysFollowerEvents = {
    onChange(ring) {
      putInForce(ring);
      log.info({ keys: ring.records.length }, "keys in force");
    },
    onProblem: (error) => log.error({ keys_file: keysFile }, `${error.message}; the last good keys stay in force`),
  };
  const keys = await followKeys(keysFile, events, pollMilliseconds);
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
  const { threadCount, log, onThread = () => undefined } = options;
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
