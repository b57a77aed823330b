import type { Publication } from "../../../contract/publications.ts";
import type { Pages, PublicUrl, RenderErrorPage, Site } from "../../../contract/site-values.ts";
import type { Store } from "../../../engine/store/store.ts";
import type { KeyRing } from "../../auth/key-ring.ts";
import type { Clients } from "./client-address.ts";
import type { RequestEntry, RequestLogger } from "./request-entry.ts";

/** The pages for people, and what they show of the process around the app. */
export interface ExplorerParts {
  readonly pages: Pages;
  /** The newest published snapshots, newest first, and the served one; null where they cannot be listed. */
  readonly listPublications: (served: string) => Promise<readonly Publication[] | null>;
  /** Draws SVG as PNG; undefined where that fails. No pictures are made when absent. */
  readonly drawPicture?: DrawPicture | undefined;
}

export type DrawPicture = (svg: string) => Promise<Buffer | undefined>;

/** The parts of the process around the app that the steps of a request use. */
export interface RequestDependencies {
  /** The store being served, taken once by each request; undefined while there is none. */
  readonly currentStore: () => Store | undefined;
  /** The keys in force. */
  readonly currentKeys: () => KeyRing;
  /** Milliseconds since 1970-01-01T00:00:00Z; for signatures and the expiry of keys. */
  readonly now: () => number;
  readonly log: RequestLogger;
  /** Who clients are; no proxy is trusted when absent. */
  readonly clients?: Clients;
  /** Documents and pages of errors; none are there when absent. */
  readonly site?: Site;
  /** The pages of errors of the site; set by the app. */
  readonly renderErrorPage?: RenderErrorPage | undefined;
  /** In the absolute addresses of documents and pages; they have none when absent. */
  readonly publicUrl?: PublicUrl;
  /** The pages for people; not served when absent. */
  readonly explorer?: ExplorerParts;
  /** Called for every request when its answer has left, or its connection is gone. */
  readonly countRequest?: CountRequest;
}

/** @param endpoint Method and path as in the table of endpoints, undefined for a request that reached none. */
export type CountRequest = (
  endpoint: string | undefined,
  entry: Pick<RequestEntry, "status" | "code" | "bytes" | "duration_ms">,
) => void;
