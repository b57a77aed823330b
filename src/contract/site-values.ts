/** Documents and pages as values: the site makes them, the service answers with them. */

import type { SnapshotIdentity } from "../engine/model/dataset.ts";
import type { Uuid } from "../engine/model/ids.ts";
import type { Store } from "../engine/store/store.ts";
import type { Endpoint } from "./endpoint.ts";
import type { Publications } from "./publications.ts";
import type { HeaderList } from "./reply-body.ts";

/** The facts about the data that documents show. */
export type DescribedData = Pick<SnapshotIdentity, "attribution" | "sources">;

/** A text at an address of its own, which describes the service. */
export interface Document {
  readonly path: string;
  readonly type: string;
  /** Its Content-Security-Policy. */
  readonly policy: string;
  /** True if it never changes while the service runs, as a script: then a request for it costs no token. */
  readonly isStatic?: boolean;
  /**
   * The form that a query string asks for; equal forms of the same data are one text. Undefined where none is cached:
   * a text depends on the store as well, or there are as many texts as questions.
   */
  readonly formOf: (queryText: string) => string | undefined;
  readonly render: (store: Store, queryText: string) => string;
}

/** A file that pages load; its address names its content. */
export interface PageAsset {
  readonly path: string;
  readonly type: string;
  readonly text: string;
}

/** A page that cannot be made as its address asks: the page that says why. */
export class PageRefusal extends Error {
  override readonly name = "PageRefusal";
  readonly status: 400 | 404;
  readonly page: Pick<RequestedPage, "headers"> & { readonly html: string };

  constructor(status: 400 | 404, page: PageRefusal["page"], options?: ErrorOptions) {
    super(`a page is refused with ${status}`, options);
    this.status = status;
    this.page = page;
  }
}

/** The parts of a request that a page depends on. */
export interface PageAddress {
  /** As requested, without the query string. */
  readonly path: string;
  readonly queryText: string;
  /** The value of `:id` in the path; empty where the path has none. */
  readonly id: string;
}

/** A page that an address asks for. */
export interface RequestedPage {
  /** Equal keys, publications and stores give equal texts. */
  readonly key: string;
  readonly type: string;
  /** Name of the file where it is one to keep, a table or a chart; without the id of its snapshot and its ending. */
  readonly file?: { readonly name: string; readonly extension: string } | undefined;
  /** True if the answer depends on the publications as well, not on address and store alone. */
  readonly showsPublications: boolean;
  /** Its policy, and how it may be cached. */
  readonly headers: HeaderList;
  /**
   * Work that can be long, for `RunWork`.
   *
   * @param publications The stored snapshots and files now; `noPublications` for a page that does not show them.
   * @throws {PageRefusal}
   */
  readonly make: (store: Store, publications: Publications) => Generator<number, string>;
}

/** The address that a reader is sent to in place of a page. */
export interface PageRedirect {
  /** From the root, with its query string. */
  readonly location: string;
  /** A cookie to set, as its header has it. */
  readonly cookie?: string;
}

/** A path of a page. */
export interface PagePath {
  /** From the root; `:id` is a parameter. */
  readonly path: string;
  readonly request: (address: PageAddress) => RequestedPage;
  /**
   * Where the reader is sent in place of an answer; undefined for the page itself, which no cookie changes.
   *
   * @param cookies The header of the request.
   */
  readonly redirect?: (address: PageAddress, cookies: string | undefined, store: Store) => PageRedirect | undefined;
}

/** A draft that pages show in place of a published snapshot: each of them says so. */
export interface ShownDraft extends DraftChanges {
  /** The snapshot that it is compared with; undefined where there is none. */
  readonly against: string | undefined;
  readonly warnings: number;
  /** Cost: a read of each price of the subject. */
  readonly changesOf: (subject: DraftSubject) => DraftChanges;
}

/** Numbers of prices; all are added where there is nothing to compare with. */
export interface DraftChanges {
  readonly added: number;
  readonly corrected: number;
  readonly gone: number;
}

/** A product or a market that a page is about. */
export interface DraftSubject {
  readonly kind: "product" | "market";
  readonly uuid: Uuid;
}

/** The pages for people. */
export interface Pages {
  readonly assets: readonly PageAsset[];
  readonly paths: readonly PagePath[];
  /** Finds what the first page shows of a store, which is cached for it. */
  readonly prepare: (store: Store) => Generator<number, void>;
}

/** A page in place of an error, for browsers outside of the interface. */
export interface ErrorPage {
  readonly text: string;
  readonly policy: string;
}

/** The parts of an error that its page shows. */
export interface ShownError {
  readonly status: number;
  readonly requestId: string;
  /** After how many seconds to try again; undefined where the error does not say. */
  readonly retrySeconds: number | undefined;
}

/** The parts of a refused request that the page of its error depends on; the target is as sent. */
export interface RefusedAddress extends Pick<PageAddress, "path" | "queryText"> {
  readonly acceptLanguage: string | undefined;
}

/** Undefined for an error without a page. */
export type RenderErrorPage = (error: ShownError, address: RefusedAddress) => ErrorPage | undefined;

/**
 * Scheme, host and port under which readers reach the service, the only source of absolute addresses; undefined where
 * the operator has not named it, and then there are none.
 */
export type PublicUrl = string | undefined;

/** The site, as the service serves it. */
export interface Site {
  /** @param endpoints The table that they describe. @param hasExplorer True if the pages for people are served. */
  readonly documents: (
    endpoints: readonly Endpoint[],
    hasExplorer: boolean,
    publicUrl?: PublicUrl,
  ) => readonly Document[];
  /** @param endpoints As for the documents. @param hasExplorer True if pages of errors may lead to those for people. */
  readonly errorPages: (endpoints: readonly Endpoint[], hasExplorer: boolean) => RenderErrorPage;
  /** Loads the pages for people, which a service without them does not need. */
  readonly loadPages: (endpoints: readonly Endpoint[], publicUrl?: PublicUrl) => Promise<Pages>;
}
