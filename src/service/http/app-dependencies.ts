import type { Downloads } from "../../contract/downloads.ts";
import type { Access } from "../../contract/endpoint.ts";
import type { Publication } from "../../contract/publications.ts";
import type { Pages, PublicUrl, Site } from "../../contract/site-values.ts";
import type { Admission } from "./admission/admission.ts";
import type { RateLimits } from "./admission/rate-limits.ts";
import type { RequestDependencies } from "./request/request-dependencies.ts";

/** The pages for people, and what they show of the process around the app. */
export interface ExplorerParts {
  readonly pages: Pages;
  /** The newest published snapshots, newest first, and the served one; null where they cannot be listed. */
  readonly listPublications: (served: string) => Promise<readonly Publication[] | null>;
  /** Reads a card of the served snapshot, by the name of its file; the general one where it is not made. */
  readonly readCard: ReadCard;
}

export type ReadCard = (served: string, name: string) => Promise<FoundCard>;

/** A card as PNG. */
export interface FoundCard {
  readonly png: Buffer;
  /** True for the one that stands for all others. */
  readonly isGeneral: boolean;
}

/** The parts of the process around the app that it uses. */
export interface AppDependencies extends RequestDependencies {
  /** Documents and pages of errors. */
  readonly site: Site;
  /** In the absolute addresses of documents and pages; they have none when absent. */
  readonly publicUrl?: PublicUrl;
  /** The pages for people; not served when absent. */
  readonly explorer?: ExplorerParts;
  /** Places and turns of clients. */
  readonly admission: Admission;
  /** How many requests clients may make; as many as they like when absent. */
  readonly rateLimits?: RateLimits;
  /** Bytes that the answer caches may take; nothing is cached when absent. */
  readonly answerCacheBytes?: number;
  /** Bytes that the cached texts of statistics may take, see `RollupTexts`; none are cached when absent. */
  readonly rollupTextBytes?: number;
  /** Part of every tag; computed when absent. */
  readonly representationVersion?: string;
  /** The key that exports of prices and statistics need; `secret` when absent. */
  readonly exportAccess?: Access;
  /** The files that hold whole snapshots. */
  readonly downloads: Downloads;
}
