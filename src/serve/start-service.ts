/** The running service: load, listen, follow the keys, drain. */
import type { Logger } from "pino";
import { followKeys, type KeysFollower } from "../auth/follow-keys.ts";
import { createKeysFileIfMissing, type FirstKeys } from "../auth/keys-file.ts";
import { type OpenedSnapshot, openCurrentSnapshot } from "../compiled/open-snapshot.ts";
import type { Instant } from "../domain/instant.ts";
import { createApp } from "../http/app.ts";
import type { AppDependencies } from "../http/context.ts";
import { createHttpServer } from "../http/create-server.ts";
import { serviceUnavailable } from "../http/errors.ts";
import { storeBytes } from "../store/size.ts";
import { createAdminServer } from "./admin.ts";
import { prepareDrain } from "./drain.ts";
import { listen } from "./listen.ts";
import { LiveStore } from "./live-store.ts";

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
  readonly threadCount: number;
  readonly log: Logger;
  /** Takes what a person or script waits for on stdout. */
  readonly print: (text: string) => void;
}

export interface Service {
  readonly baseUrl: string;
  readonly adminUrl: string;
  /** Closes both ports and lets requests that have started end. Asked again, it is the same stop. */
  stop(): Promise<void>;
}

/**
 * Starts the service; when this returns, it answers.
 *
 * Ports are bound before anything else is made, so that a second service started by mistake changes nothing.
 *
 * @throws {ListenError} when a port cannot be bound.
 * @throws {SnapshotUnavailableError} when no snapshot can be loaded.
 * @throws {KeysFileError} when the keys file cannot be used or made.
 */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { log, dataDirectory, keysFile } = options;
  const liveStore = new LiveStore();
  const brokenSnapshots: string[] = [];
  const currentStore = (): ReturnType<LiveStore["current"]> => liveStore.current();
  let keys: KeysFollower | undefined;
  const deps: AppDependencies = {
    currentStore,
    currentKeys: () => {
      if (keys === undefined) throw serviceUnavailable("The service is starting; try again after Retry-After seconds.");
      return keys.current();
    },
    now: Date.now,
    log,
  };
  const server = createHttpServer(createApp(deps).callback(), deps);
  const adminServer = createAdminServer({
    // Without keys nobody can be answered, so the service is not ready before it has read them.
    currentStore: () => (keys === undefined ? undefined : currentStore()),
    brokenSnapshots,
  });
  const drains = [prepareDrain(server), prepareDrain(adminServer)];
  let stopped: Promise<void> | undefined;
  try {
    const baseUrl = await listen(server, options.host, options.port, { host: "HOST", port: "PORT" });
    const adminVariables = { host: "ADMIN_HOST", port: "ADMIN_PORT" };
    const adminUrl = await listen(adminServer, options.adminHost, options.adminPort, adminVariables);
    await loadStore(dataDirectory, liveStore, brokenSnapshots, log);
    if (options.threadCount > 1) log.info({ threads: 1, wanted: options.threadCount }, "serving on one thread");
    const firstKeys = await createKeysFileIfMissing(keysFile, () => Date.now() as Instant);
    keys = await followKeys(keysFile, {
      onChange: (ring) => log.info({ keys: ring.size }, "keys in force"),
      onProblem: (error) => log.error({ keys_file: keysFile }, `${error.message}; the last good keys stay in force`),
    });
    if (firstKeys !== undefined) announceFirstKeys(firstKeys, options, baseUrl);
    options.print(`listening on ${baseUrl}\n`);
    log.info({ url: baseUrl, admin_url: adminUrl }, "listening");
    return {
      baseUrl,
      adminUrl,
      stop() {
        stopped ??= Promise.all(drains.map((drain) => drain())).then(() => keys?.close());
        return stopped;
      },
    };
  } catch (error) {
    server.close();
    adminServer.close();
    throw error;
  }
}

async function loadStore(
  dataDirectory: string,
  liveStore: LiveStore,
  brokenSnapshots: string[],
  log: Logger,
): Promise<void> {
  const opened = await openCurrentSnapshot(dataDirectory, {
    onFallback: ({ broken, error, next }) => {
      brokenSnapshots.push(broken);
      log.error({ snapshot: broken, parent: next }, `${error.message}; trying its parent`);
    },
    onCompiledRefused: ({ code, message }) => log.warn({ code }, `${message}; reading the records`),
  });
  const { store } = opened;
  liveStore.swap(store);
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
