/** Decides what a follower does about an announcement: a function of what it knows and of what it has read. */
import type { Announcement } from "../transfer/announcement.ts";

/** What a follower knows of its origin and of its dataset directory; each reading makes the next. */
export interface Known {
  /** The last announcement that was taken over. */
  readonly accepted: Announcement | undefined;
  /** The last announcement that was seen, but for older and contradicting ones; undefined before the first. */
  readonly announced: Announcement | undefined;
  /** The tag of the last answer; null where the origin is to send all of it. */
  readonly etag: string | null;
  /** The dataset directory names no snapshot, so also what was taken over before is to be taken over. */
  readonly isEmpty: boolean;
}

/** What the origin has sent. */
export type Reading = "not-modified" | { readonly announcement: Announcement; readonly etag: string | null };

/**
 * - `none`: there is nothing new.
 * - `take over`: what `announced` names is to be fetched.
 * - `older`: another was taken over after it, as where a cache is stale.
 * - `contradicts`: it has the number of the one taken over, and is another.
 */
export type Step = "none" | "take over" | "older" | "contradicts";

export interface Next {
  readonly known: Known;
  readonly step: Step;
  /** The announcement is another than the last that was seen: what has failed before may succeed. */
  readonly isNew: boolean;
}

/** Before the first reading. */
export function knownAtStart(accepted: Announcement | undefined, isEmpty: boolean): Known {
  return { accepted, announced: undefined, etag: null, isEmpty };
}

/** What follows a reading. */
export function nextStep(known: Known, reading: Reading): Next {
  const { accepted, announced, isEmpty } = known;
  if (reading === "not-modified") {
    // Another instance may have taken over a newer one meanwhile: that was said when it was read.
    const isPending = announced !== undefined && stepFor(accepted, announced, isEmpty) === "take over";
    return { known, step: isPending ? "take over" : "none", isNew: false };
  }
  const { announcement, etag } = reading;
  const step = stepFor(accepted, announcement, isEmpty);
  // It is read again, and refused again, until the origin has another.
  if (step === "contradicts") return { known, step, isNew: false };
  if (step === "older") return { known: { ...known, etag }, step, isNew: false };
  const isNew = announced === undefined || !isSame(announced, announcement);
  return { known: { ...known, announced: announcement, etag }, step, isNew };
}

function stepFor(accepted: Announcement | undefined, announced: Announcement, isEmpty: boolean): Step {
  if (accepted === undefined || announced.sequence > accepted.sequence) return "take over";
  if (announced.sequence < accepted.sequence) return "older";
  if (!isSame(accepted, announced)) return "contradicts";
  return isEmpty ? "take over" : "none";
}

function isSame(one: Announcement, other: Announcement): boolean {
  return one.sequence === other.sequence && one.manifestSha256 === other.manifestSha256;
}
