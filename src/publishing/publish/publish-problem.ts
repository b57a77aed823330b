/** Problems of a publication: the problems of record files, and those of what the publication would do. */

import type { CountedName } from "../../engine/model/counted.ts";
import { DatasetError, ProblemList, type RecordProblemKind, type RowsRead } from "../../engine/snapshots/problem.ts";

/** The kinds that only publishing finds, and the words that count problems of each. */
export const publishProblemNames = {
  shrunk: ["table that lost too many rows", "tables that lost too many rows"],
  lost: ["price that would be lost", "prices that would be lost"],
  "not-compared": ["comparison that could not be made", "comparisons that could not be made"],
} as const satisfies Readonly<Record<string, CountedName>>;

export type PublishProblemKind = RecordProblemKind | keyof typeof publishProblemNames;

/** Problems of record files and of publishing. */
export class PublishProblems extends ProblemList<PublishProblemKind> {}

/** The publication is refused. Beside the problems, it holds what looks wrong as far as that could be seen. */
export class PublicationRefusedError extends DatasetError {
  readonly subject: string;
  readonly warnings: ProblemList<string>;

  /** @param subject Names what was to be published, in the message. */
  constructor(subject: string, list: ProblemList<string>, warnings: ProblemList<string>, rows?: RowsRead) {
    super(subject, list, rows);
    this.subject = subject;
    this.warnings = warnings;
  }
}
