/** The fields of the reports of commands that publish, described once: their JSON, and their lines for people. */

import type { SnapshotChanges, SourceChange, WarningList } from "../../contract/publication-report.ts";
import { counted } from "../../engine/model/counted.ts";
import type { Uuid } from "../../engine/model/ids.ts";
import { snakeCased } from "../../engine/model/snake-case.ts";
import { visibleText } from "../../engine/model/visible-text.ts";
import type { TableRows } from "../../engine/snapshots/manifest.ts";
import { foundName } from "../../engine/snapshots/problem.ts";
import type { SnapshotId } from "../../engine/snapshots/snapshot-layout.ts";
import type { LapsedAcceptance } from "../../publishing/publish/acceptances.ts";
import type { FeedConflict, FeedCounts, FeedPreference } from "../../publishing/publish/merge-feed.ts";
import type { KeptRecord, RecordChange, TableChange } from "../../publishing/publish/merge-tables.ts";
import type { PublicationOutcome } from "../../publishing/publish/publication.ts";
import { problemReport, rowsText } from "../problem-report.ts";
import {
  changesLines,
  changesReport,
  keptChangeLines,
  keptRecordLines,
  shownLines,
  shownMaxShort,
  tableChangeLines,
} from "./changes-report.ts";
import { conflictsReport, feedCountsReport, feedLines, withheldLines } from "./feed-report.ts";

/** Every field that a command may report. A command reports those that it gives, in its order. */
export interface PublicationValues {
  /** The word of the command. */
  readonly outcome?: string;
  readonly id?: SnapshotId;
  readonly parent?: SnapshotId | null;
  readonly compiled?: boolean;
  readonly feed?: FeedCounts;
  readonly known?: number;
  readonly withheld?: number;
  readonly kept_withdrawn?: readonly Uuid[];
  readonly ruled?: readonly Uuid[];
  readonly missing?: number;
  readonly lapsed?: readonly LapsedAcceptance[];
  readonly rows?: TableRows;
  readonly added?: number;
  readonly replaced?: number;
  readonly source?: string;
  readonly prefer?: FeedPreference | null;
  readonly conflicts?: readonly FeedConflict[];
  readonly undone?: readonly string[];
  readonly gone?: number;
  readonly restored?: number;
  readonly stays?: readonly Uuid[];
  readonly withdrawals?: number;
  readonly acceptances?: number;
  readonly kept_changes?: readonly RecordChange[] | null;
  readonly table_changes?: readonly TableChange[];
  readonly kept_records?: readonly KeptRecord[];
  readonly sources?: readonly SourceChange[];
  readonly warnings?: WarningList;
  readonly changes?: SnapshotChanges | undefined;
  readonly seconds?: number;
}

/** The circumstances that lines depend on. */
export interface ReportContext {
  readonly outcome: PublicationOutcome;
  /** True if the first line has the rows of the tables. */
  readonly isOfRows: boolean;
  /** Words before the number of prices that needed nothing: `withdrawn already`. */
  readonly knownWords: (count: number) => string;
}

interface FieldDescription<Value> {
  /** The form for programs; the value itself when absent. */
  readonly json?: (value: Value) => unknown;
  /** The lines for people, without line ends; none when absent. */
  readonly lines?: (value: Value, context: ReportContext, all: PublicationValues) => readonly string[];
}

type Descriptions = {
  readonly [Name in keyof PublicationValues]-?: FieldDescription<NonNullable<PublicationValues[Name]>>;
};

/** People read the fields in this order. */
const descriptions: Descriptions = {
  outcome: {},
  id: {},
  parent: {},
  compiled: {},
  feed: { json: feedCountsReport, lines: (counts, _context, { source = "" }) => feedLines(counts, source) },
  known: {
    lines: (count, { outcome, knownWords }) =>
      outcome === "already-current" ? [] : ifAny(count, `${knownWords(count)}: ${counted(count, "price")}`),
  },
  withheld: { lines: withheldLines },
  kept_withdrawn: {
    lines(uuids) {
      const head = `right values of ${counted(uuids.length, "withdrawn price")} kept`;
      const effect = `${head}: nothing changes for readers before`;
      return [...ifAny(uuids.length, effect), ...shownLines(uuids, (uuid) => `  reinstate ${uuid}`)];
    },
  },
  ruled: {},
  missing: {
    lines(count) {
      const which = count === 1 ? "it" : "them";
      return ifAny(count, `in no file any more, append ${which} again: ${counted(count, "price")}`);
    },
  },
  lapsed: {
    json: snakeCased,
    lines: lapsedLines,
  },
  rows: {
    lines(rows, { outcome, isOfRows }) {
      if (isOfRows || outcome === "already-current") return [];
      return [`${outcome === "would-publish" ? "it would have" : "it has"} ${rowsText(rows)}`];
    },
  },
  added: {},
  replaced: {},
  source: {},
  prefer: {},
  conflicts: {
    json: conflictsReport,
    lines: (_listed, _context, { feed, prefer }) =>
      ifAny(feed?.conflicts ?? 0, `conflicts: ${feed?.conflicts}, ${prefer} kept`),
  },
  undone: {},
  gone: {},
  restored: {},
  stays: {
    lines: (uuids) => [
      ...ifAny(uuids.length, `as a later file says: ${counted(uuids.length, "price")}`),
      ...shownLines(uuids, (uuid) => `  ${uuid}`),
    ],
  },
  withdrawals: { lines: (count) => ifAny(count, `${counted(count, "withdrawal")} of its prices kept`) },
  acceptances: { lines: (count) => ifAny(count, `${counted(count, "acceptance")} of its prices kept`) },
  kept_changes: { lines: keptChangeLines },
  table_changes: { lines: tableChangeLines },
  kept_records: { lines: keptRecordLines },
  sources: {
    lines: (sources) =>
      shownLines(sources, ({ source, before, after }) => `prices of ${foundName(source)}: ${before} → ${after}`),
  },
  warnings: { json: problemReport },
  changes: {
    json: changesReport,
    lines: (changes, { outcome }) => changesLines(changes, outcome === "published" ? shownMaxShort : undefined),
  },
  seconds: {},
};

/** The values of a report as a JSON object. */
export function valuesReport(values: PublicationValues): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const { json } = descriptionOf(name);
      return [name, json === undefined || value === undefined ? value : json(value)];
    }),
  );
}

/** The values of a report as lines for people. */
export function valuesLines(values: PublicationValues, context: ReportContext): string[] {
  return Object.keys(descriptions).flatMap((name) => {
    const value = values[name as keyof PublicationValues];
    return value === undefined || value === null ? [] : (descriptionOf(name).lines?.(value, context, values) ?? []);
  });
}

function descriptionOf(name: string): FieldDescription<unknown> {
  // Each description takes the values of its own field.
  return descriptions[name as keyof PublicationValues] as FieldDescription<unknown>;
}

function ifAny(count: number, line: string): readonly string[] {
  return count > 0 ? [line] : [];
}

/** `1 acceptance no longer holds: 520 → 5200`; no line where there is none. */
export function lapsedLines(lapsed: readonly LapsedAcceptance[]): readonly string[] {
  const changes = lapsed.slice(0, shownMaxShort).map(({ changed }) =>
    Object.values(changed)
      .map(([was, is]) => `${was} → ${is}`)
      .join(", "),
  );
  const rest = lapsed.length > shownMaxShort ? ["…"] : [];
  return ifAny(lapsed.length, visibleText(`${lapsedText(lapsed.length)}: ${[...changes, ...rest].join("; ")}`));
}

/** Counts acceptances that do not hold, because their prices have other values. */
export function lapsedText(count: number): string {
  return counted(count, "acceptance no longer holds", "acceptances no longer hold");
}
