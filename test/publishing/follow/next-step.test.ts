/** What a follower does about an announcement, for all that may have been taken over and seen before. */
import t from "tap";
import type { Instant } from "../../../src/engine/model/calendar.ts";
import type { SnapshotId } from "../../../src/engine/snapshots/snapshot-layout.ts";
import { knownAtStart, nextStep, type Step } from "../../../src/publishing/follow/next-step.ts";
import type { Announcement } from "../../../src/publishing/transfer/announcement.ts";

/** The announcement with a number; `b` is another with the same one. */
function announcement(sequence: number, name = "a"): Announcement {
  const snapshot = `snapshot-${sequence}-${name}` as SnapshotId;
  return { sequence, snapshot, manifestSha256: snapshot, announcedAt: 0 as Instant, signature: null };
}

const [one, two, otherTwo, three] = [announcement(1), announcement(2), announcement(2, "b"), announcement(3)];

interface Row {
  readonly accepted?: Announcement;
  readonly announced?: Announcement;
  readonly isEmpty?: boolean;
  /** Absent where the origin says that nothing is modified. */
  readonly reads?: Announcement;
  readonly step: Step;
  readonly isNew?: boolean;
  /** What is seen last after it. */
  readonly seen?: Announcement | undefined;
  /** The tag that the next reading gives. */
  readonly tag?: "old" | "new";
}

const table: Readonly<Record<string, Row>> = {
  "the first of all": { reads: one, step: "take over", isNew: true, seen: one, tag: "new" },
  "the first, after a start": { accepted: one, reads: one, step: "none", isNew: true, seen: one, tag: "new" },
  "a newer one": { accepted: one, announced: one, reads: two, step: "take over", isNew: true, seen: two, tag: "new" },
  "one that leaves numbers out": {
    ...{ accepted: one, announced: one, reads: three },
    ...{ step: "take over", isNew: true, seen: three, tag: "new" },
  },
  "the same again": { accepted: two, announced: two, reads: two, step: "none", seen: two, tag: "new" },
  "the same while it is not taken over": {
    ...{ accepted: one, announced: two, reads: two },
    ...{ step: "take over", seen: two, tag: "new" },
  },
  "another with the number of one that is not taken over": {
    ...{ accepted: one, announced: two, reads: otherTwo },
    ...{ step: "take over", isNew: true, seen: otherTwo, tag: "new" },
  },
  "an older one": { accepted: two, announced: two, reads: one, step: "older", seen: two, tag: "new" },
  "an older one while a newer is not taken over": {
    ...{ accepted: two, announced: three, reads: one },
    ...{ step: "older", seen: three, tag: "new" },
  },
  "an older one, first": { accepted: two, reads: one, step: "older", seen: undefined, tag: "new" },
  "an older one in an empty directory": { accepted: two, isEmpty: true, reads: one, step: "older", tag: "new" },
  "another with the same number": {
    ...{ accepted: two, announced: two, reads: otherTwo },
    ...{ step: "contradicts", seen: two, tag: "old" },
  },
  "another with the same number in an empty directory": {
    ...{ accepted: two, isEmpty: true, reads: otherTwo },
    ...{ step: "contradicts", tag: "old" },
  },
  "the same in an empty directory": {
    ...{ accepted: two, announced: two, isEmpty: true, reads: two },
    ...{ step: "take over", seen: two, tag: "new" },
  },
  "nothing modified": { accepted: two, announced: two, step: "none", seen: two, tag: "old" },
  "nothing modified before anything was seen": { step: "none", tag: "old" },
  "nothing modified, not taken over": { accepted: one, announced: two, step: "take over", seen: two, tag: "old" },
  "nothing modified, nothing taken over": { announced: two, step: "take over", seen: two, tag: "old" },
  "nothing modified in an empty directory": {
    ...{ accepted: two, announced: two, isEmpty: true },
    ...{ step: "take over", seen: two, tag: "old" },
  },
  "nothing modified, a newer one taken over by another instance": {
    ...{ accepted: three, announced: two },
    ...{ step: "none", seen: two, tag: "old" },
  },
  "nothing modified, another with its number taken over by another instance": {
    ...{ accepted: two, announced: otherTwo },
    ...{ step: "none", seen: otherTwo, tag: "old" },
  },
};

for (const [title, { accepted, announced, isEmpty = false, reads, step, isNew = false, seen, tag }] of Object.entries(
  table,
)) {
  t.test(title, async (t) => {
    const known = Object.freeze({ ...knownAtStart(accepted, isEmpty), announced, etag: "old" });
    const next = nextStep(known, reads === undefined ? "not-modified" : { announcement: reads, etag: "new" });
    t.equal(next.step, step);
    t.equal(next.isNew, isNew);
    t.strictSame(next.known, { accepted, announced: seen, etag: tag, isEmpty });
  });
}
