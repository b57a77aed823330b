/**
 * The groups of a statistics answer. Their figures stay in the columns they stand in, those that the store keeps ready and
 * those made for the question, so that a group costs two numbers until it is written down.
 */
import { type GroupFigures, GroupFiguresBuilder } from "../store/group-figures.ts";

/** Groups in the order of the answer, also those that have no price in the unit and currency. */
export interface GroupList {
  /** Columns of the store. */
  readonly ready: GroupFigures;
  /** Columns of the groups that were summed up. */
  readonly made: GroupFigures;
  /** Where the figures of each group stand: `place` of `ready`, or, where it is negative, `~place` of `made`. */
  readonly places: readonly number[];
  /** What each group is: a period, a market code or the id of a county. */
  readonly keys: readonly number[];
}

/** One group of some columns of figures. */
export interface GroupPlace {
  readonly figures: GroupFigures;
  readonly at: number;
}

/** Columns without a group: where nothing is ready. */
export const noFigures: GroupFigures = new GroupFiguresBuilder().view();
