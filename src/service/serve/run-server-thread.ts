/**
 * One server thread: the Koa app on the port that all threads share, over the memory that all threads share. The
 * supervisor controls it by the messages below; after `drain` it ends with its last request.
 */

import { MessageChannel, type MessagePort, parentPort, workerData } from "node:worker_threads";
import type { PublicUrl, Site } from "../../contract/site-values.ts";
import { layoutVersion } from "../../engine/compiled/layout-version.ts";
import { requireLayout } from "../../engine/snapshots/load-failure.ts";
import type { SnapshotId } from "../../engine/snapshots/snapshot-layout.ts";
import type { Store } from "../../engine/store/store.ts";
import { answerRequests, sendNotice } from "../../engine/threads/worker-client.ts";
import type { KeyRecord } from "../auth/key-record.ts";
import { KeyRing, type UseFlags } from "../auth/key-ring.ts";
import { Admission, admissionLimits, type PlaceFigures } from "../http/admission/admission.ts";
import { type RateLimitMemory, RateLimits } from "../http/admission/rate-limits.ts";
import { countedEndpoints, createApp } from "../http/app.ts";
import type { AppDependencies } from "../http/app-dependencies.ts";
import {
  ConnectionCounts,
  type ConnectionLimit,
  type ConnectionMemory,
  partOfLimit,
} from "../http/connection/connection-counts.ts";
import { createHttpServer } from "../http/connection/create-server.ts";
import { endpoints } from "../http/endpoint-table.ts";
import { Clients, type TrustedProxies } from "../http/request/client-address.ts";
import { cardFiles } from "./card-files.ts";
import { DownloadFiles } from "./download-files.ts";
import type { DownloadsProgress } from "./downloads-maker.ts";
import { drainServer } from "./drain-server.ts";
import { beginHeartbeats, type Heartbeats } from "./heartbeats.ts";
import { LiveStore } from "./live-store.ts";
import { listen, publicVariables } from "./ports.ts";
import { prepareMillisecondsMax, storePreparer } from "./prepare-store.ts";
import { publicationList, publicationsIn } from "./published-snapshots.ts";
import { markInTurn } from "./released-memory.ts";
import { type LogForm, openLog } from "./service-log.ts";
import { requestCounter } from "./shared-counters.ts";

/** The data of a server thread. */
export interface ServerThreadData {
  /** Options that the app gets unchanged; bytes are those of this thread alone. */
  readonly app: Required<
    Pick<AppDependencies, "answerCacheBytes" | "rollupTextBytes" | "exportAccess" | "representationVersion">
  >;
  /** Counted from 1; the replacement of a thread has its number. */
  readonly thread: number;
  /** An address, not a name: every thread binds the same one. */
  readonly host: string;
  readonly port: number;
  /** True if other threads listen on the port as well. */
  readonly sharesPort: boolean;
  /** One number, see live-store.ts. */
  readonly generation: Int32Array<SharedArrayBuffer>;
  /** The figures of all threads, see shared-counters.ts. */
  readonly counters: Float64Array<SharedArrayBuffer>;
  readonly heartbeats: Heartbeats;
  readonly threadCount: number;
  readonly connectionMemory: ConnectionMemory;
  readonly connectionLimit: ConnectionLimit;
  /** Places that clients hold, see service/http/admission/admission.ts. */
  readonly placeFigures: PlaceFigures;
  /** The buckets of keys and addresses, see service/http/admission/rate-limits.ts. */
  readonly rateLimitMemory: RateLimitMemory;
  /** Requests a minute of a key without a rate of its own; 0 for no limit. */
  readonly ratePerMinute: number;
  /** The proxies whose `X-Forwarded-For` is believed. */
  readonly trustedProxies: TrustedProxies;
  /** True if the pages for people are on the public port. */
  readonly servesExplorer: boolean;
  /** In absolute addresses. */
  readonly publicUrl: PublicUrl;
  /** It holds the downloads. */
  readonly dataDirectory: string;
  readonly logForm: LogForm;
  readonly layoutVersion: number;
}

/** To the thread. Messages are answered in the order in which they were sent. */
export type ToServerThread =
  | { readonly kind: "keys"; readonly records: readonly KeyRecord[]; readonly used: UseFlags }
  | { readonly kind: "attach"; readonly generation: number; readonly store: Store }
  | { readonly kind: "release"; readonly before: number }
  | { readonly kind: "listen" }
  /** Answered when the drain has begun; the thread ends after it. */
  | { readonly kind: "drain"; readonly pauseMilliseconds: number; readonly millisecondsMax: number };

/** The answer to a message: why it could not be done, which is said of `listen` alone. */
export type Refusal = string | undefined;

/** From the thread. */
export type FromServerThread =
  /** Wants downloads that are not there, or, without an id, the progress of all, which its asker gets. */
  | { readonly kind: "downloads"; readonly id: SnapshotId | undefined; readonly asker: MessagePort }
  /** What readers ask first of the store that was attached last is made, or its time is over. */
  | { readonly kind: "prepared" };

/**
 * Runs this thread as a server thread, whose data is `ServerThreadData`.
 *
 * @param site The documents and pages that it serves.
 */
export async function runServerThread(site: Site): Promise<void> {
  if (parentPort === null) throw new Error("this runs as a thread of the service only");

  const { thread, host, port, sharesPort, generation, counters, logForm, ...service } = workerData as ServerThreadData;
  requireLayout(layoutVersion, service.layoutVersion);
  beginHeartbeats(service.heartbeats, thread);
  const log = await openLog(logForm, { thread });
  const admission = new Admission(admissionLimits(service.threadCount), service.placeFigures, thread);
  const liveStore = new LiveStore(generation, cutOldAnswers, markInTurn(thread - 1));
  let keys = new KeyRing([]);
  const rateLimits = new RateLimits(service.rateLimitMemory, service.ratePerMinute);
  const publications = publicationsIn(service.dataDirectory);
  const downloads = new DownloadFiles(service.dataDirectory, publications, requestDownloads);
  const explorer = service.servesExplorer
    ? {
        pages: await site.loadPages(endpoints, service.publicUrl),
        listPublications: publicationList(service.dataDirectory, publications),
        readCard: cardFiles(service.dataDirectory, service.app.representationVersion),
      }
    : undefined;
  const deps: AppDependencies = {
    ...(explorer && { explorer }),
    site,
    publicUrl: service.publicUrl,
    ...service.app,
    // It listens once it has one.
    currentStore: () => liveStore.current() as Store,
    currentKeys: () => keys,
    now: Date.now,
    log,
    admission,
    rateLimits,
    clients: new Clients(service.trustedProxies),
    downloads,
    countRequest: requestCounter(counters, countedEndpoints, thread),
  };
  const { server, connections } = createHttpServer(createApp(deps), {
    ...deps,
    connectionCounts: new ConnectionCounts(
      service.connectionMemory,
      partOfLimit(service.connectionLimit, service.threadCount),
      thread,
    ),
  });

  const prepare = storePreparer(explorer?.pages, log, () => sendNotice<FromServerThread>({ kind: "prepared" }));

  answerRequests<ToServerThread, Refusal>((message) => {
    switch (message.kind) {
      case "keys":
        keys = new KeyRing(message.records, message.used);
        return undefined;
      case "attach":
        // A start waits for nothing.
        void prepare(message.store, liveStore.current() === undefined ? 0 : prepareMillisecondsMax);
        liveStore.attach(message.generation, message.store);
        return undefined;
      case "release":
        liveStore.releaseBefore(message.before);
        return undefined;
      case "listen":
        return listen(server, host, port, publicVariables, sharesPort).then(
          () => undefined,
          (error: Error) => error.message,
        );
      case "drain":
        drainServer(server, connections, message.pauseMilliseconds, message.millisecondsMax).then(() => process.exit());
        return undefined;
    }
  });

  /** Cuts the answers that would keep a second older store in memory. */
  function cutOldAnswers(store: Store): void {
    const cut = admission.cutAnswersFrom(store);
    if (cut > 0) log.warn({ snapshot: store.snapshot.id, answers: cut }, "answers from an outdated snapshot were cut");
  }
}

/** Asks the supervisor, which makes downloads once for all threads. */
async function requestDownloads(id: SnapshotId | undefined): Promise<readonly DownloadsProgress[]> {
  const { port1, port2: asker } = new MessageChannel();
  const { promise, resolve } = Promise.withResolvers<readonly DownloadsProgress[]>();
  port1.once("message", resolve);
  sendNotice<FromServerThread>({ kind: "downloads", id, asker }, [asker]);
  const progress = await promise;
  port1.close();
  return progress;
}
