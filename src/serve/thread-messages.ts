/** What the supervisor and its threads tell one another. Messages to one thread arrive in the order in which they were sent. */
import type { KeyRecord } from "../auth/key-record.ts";
import type { Store } from "../store/store.ts";
import type { LogForm } from "./log.ts";

/** What a server thread is made with. */
export interface ServerThreadData {
  /** Counted from 1; a thread that takes the place of another has its number. */
  readonly thread: number;
  /** An address, not a name: every thread binds the same one. */
  readonly host: string;
  readonly port: number;
  /** Whether other threads listen on the port as well. */
  readonly sharesPort: boolean;
  /** One number, see live-store.ts. */
  readonly generation: Int32Array<SharedArrayBuffer>;
  /** The figures of all threads, see request-counters.ts. */
  readonly counters: Float64Array<SharedArrayBuffer>;
  readonly logForm: LogForm;
}

export type ToServerThread =
  | { readonly kind: "keys"; readonly records: readonly KeyRecord[] }
  | { readonly kind: "attach"; readonly generation: number; readonly store: Store }
  | { readonly kind: "release"; readonly before: number }
  | { readonly kind: "listen" }
  | { readonly kind: "drain" };

export type FromServerThread =
  | { readonly kind: "attached"; readonly generation: number }
  | { readonly kind: "listening" }
  /** The port could not be bound. */
  | { readonly kind: "refused"; readonly message: string };

/** What a loader thread is made with. */
export interface LoaderThreadData {
  readonly dataDirectory: string;
  /** Whether the parent of a broken snapshot is tried; otherwise a broken snapshot ends the load. */
  readonly triesParents: boolean;
}

export type FromLoaderThread =
  | { readonly kind: "fallback"; readonly broken: string; readonly message: string; readonly next: string }
  | ({ readonly kind: "loaded" } & LoadedStore)
  /** Nothing can be served; one line says why. */
  | { readonly kind: "failed"; readonly message: string };

/** A store with what is to be told of its loading. */
export interface LoadedStore {
  readonly store: Store;
  /** Where it was read from: the records of the snapshot, or the store compiled of them before. */
  readonly origin: "records" | "compiled";
  readonly loadMilliseconds: number;
}
