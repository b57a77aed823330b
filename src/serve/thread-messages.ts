/** The messages between the supervisor and its threads. Those to one thread arrive in the order in which they were sent. */
import type { KeyRecord } from "../auth/key-record.ts";
import type { OpenedSnapshot } from "../compiled/open-snapshot.ts";
import type { AdmissionLimits, AdmissionMemory } from "../http/admission.ts";
import type { Store } from "../store/store.ts";
import type { LogForm } from "./log.ts";

/** The data of a server thread. */
export interface ServerThreadData {
  /** Counted from 1; the replacement of a thread has its number. */
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
  /** What clients hold of the process, see http/admission.ts. */
  readonly admissionMemory: AdmissionMemory;
  readonly limits: AdmissionLimits;
  readonly logForm: LogForm;
  readonly layoutVersion: number;
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

/** The one request to a loader thread. */
export interface LoaderRequest {
  readonly dataDirectory: string;
  /** Whether the parent of a broken snapshot is tried; otherwise a broken snapshot ends the load. */
  readonly triesParents: boolean;
  /** Whether requests are answered meanwhile, which come first. */
  readonly isBeside: boolean;
  /** Of the stores that the service holds: threads load the code that lies there when they start, which may be newer. */
  readonly layoutVersion: number;
}

export type LoaderNotice =
  | { readonly kind: "fallback"; readonly broken: string; readonly message: string; readonly next: string }
  /** A compiled store is there and cannot be used; the records are read. */
  | { readonly kind: "compiled refused"; readonly code: string; readonly message: string };

export type LoaderAnswer =
  | { readonly kind: "loaded"; readonly opened: OpenedSnapshot }
  /** Nothing can be served; one line says why. */
  | { readonly kind: "failed"; readonly message: string };
