/** The changes for readers of the API, as text for people and as JSON for programs. */

import {
  changedTables,
  type LatestPrice,
  type LatestPriceMove,
  moveReportedPercentMin,
  type RunName,
  type SnapshotChanges,
} from "../../contract/publication-report.ts";
import { instantText } from "../../engine/model/calendar.ts";
import { snakeCased } from "../../engine/model/snake-case.ts";
import { visibleText } from "../../engine/model/visible-text.ts";
import { foundName, foundText } from "../../engine/snapshots/problem.ts";
import type { KeptRecord, RecordChange, TableChange } from "../../publishing/publish/merge-tables.ts";

/** Number of moves and of runs that a person is shown; the rest are counted. */
const shownMaxUsual = 20;
/** Number of records of a small table that a person is shown; JSON has all. */
const tableChangesShownMax = 200;
/** Number of kept records of a small table that a person is shown; JSON has all. */
const keptShownMax = 3;
/** After a publication, which is no longer to be decided on. */
export const shownMaxShort = 3;

/** Lines without line ends, for a person; none without changes to report. */
export function changesLines(changes: SnapshotChanges | undefined, shownMax: number = shownMaxUsual): string[] {
  if (changes === undefined) return [];
  const { latestPriceMoves, runs } = changes;
  const tables = changedTables(changes).map(
    ({ kind, added, gone, changed }) => `${kind}: ${added} added, ${gone} gone, ${changed} changed`,
  );
  return [
    ...(tables.length === 0 ? ["no record differs"] : tables),
    `products whose latest price moves by more than ${moveReportedPercentMin} %: ${latestPriceMoves.length}`,
    ...shownLines(latestPriceMoves, moveLine, shownMax),
    `series (product at market) that appear: ${runs.appearing.length}`,
    ...shownLines(runs.appearing, runLine, shownMax),
    `series (product at market) that vanish: ${runs.vanishing.length}`,
    ...shownLines(runs.vanishing, runLine, shownMax),
  ];
}

/** The same for programs, whole. */
export function changesReport(changes: SnapshotChanges | undefined): Readonly<Record<string, unknown>> | undefined {
  if (changes === undefined) return undefined;
  const { rows, latestPriceMoves, runs } = changes;
  return {
    rows,
    latest_price_moves: snakeCased(
      latestPriceMoves.map((move) => ({ ...move, before: priceReport(move.before), after: priceReport(move.after) })),
    ),
    series_appearing: snakeCased(runs.appearing),
    series_vanishing: snakeCased(runs.vanishing),
  };
}

function moveLine({ name, unit, currency, marketType, before, after }: LatestPriceMove): string {
  const percent = Math.round((after.price / before.price - 1) * 100);
  const others = before.market === after.market ? "" : ", at different markets";
  const kind = `${currency} per ${foundName(unit)}, ${marketType}${others}`;
  const sign = percent > 0 ? "+" : "";
  return `  ${foundName(name)}: ${priceText(before)} → ${priceText(after)}, ${sign}${percent} % (${kind})`;
}

function priceText({ price, recordedAt, market }: LatestPrice): string {
  return `${price} (${foundName(market)}, ${instantText(recordedAt).slice(0, "2026-11-20".length)})`;
}

function runLine({ product, market }: RunName): string {
  return `  ${foundName(product)} at ${foundName(market)}`;
}

/** The first of some items, a line each, and how many more there are. */
export function shownLines<T>(
  items: readonly T[],
  lineOf: (item: T) => string,
  shownMax: number = shownMaxUsual,
): string[] {
  const lines = items.slice(0, shownMax).map((item) => visibleText(lineOf(item)));
  return items.length > shownMax ? [...lines, `  … and ${items.length - shownMax} more`] : lines;
}

/** Lists records of small tables that are added or changed, a line each, for a person. */
export function tableChangeLines(changes: readonly TableChange[]): string[] {
  return [...Map.groupBy(changes, ({ kind }) => kind)].flatMap(([kind, ofKind]) =>
    shownLines(
      ofKind,
      ({ change, name, id, fields }) => {
        const which = name === id ? foundName(name) : `${foundName(name)} (${foundName(id)})`;
        return `${kind}: ${change} ${which}${fields.length === 0 ? "" : `: ${fields.join(", ")}`}`;
      },
      tableChangesShownMax,
    ),
  );
}

/** Lists records that a snapshot keeps of an append that is undone, each changed field before and after it. */
export function keptChangeLines(changes: readonly RecordChange[]): string[] {
  const textOf = (value: unknown): string => (value === null ? "none" : foundText(value));
  return shownLines(
    changes,
    ({ kind, change, name, fields }) => {
      const head = `${kind}: stays ${change}, ${foundName(name)}`;
      // All fields of a record that is added are new; its JSON has them.
      if (change === "added") return head;
      const values = Object.entries(fields).map(([field, [was, is]]) => `${field} ${textOf(was)} → ${textOf(is)}`);
      return `${head}: ${values.join(", ")}`;
    },
    tableChangesShownMax,
  );
}

/** Lists what small tables keep although the new ones do not have it, a line for each table and each way. */
export function keptRecordLines(kept: readonly KeptRecord[]): string[] {
  return [...Map.groupBy(kept, ({ kind, fields }) => `${kind}: ${fields.join(", ")}`).values()].map((ofTable) => {
    const [{ kind, fields }] = ofTable as [KeptRecord, ...KeptRecord[]];
    const names = ofTable.slice(0, keptShownMax).map(({ name }) => foundName(name));
    const rest = ofTable.length > keptShownMax ? [...names, `… and ${ofTable.length - keptShownMax} more`] : names;
    const what = fields.length === 0 ? "" : `entries of ${fields.join(" and ")} of `;
    return visibleText(`${kind}: kept ${what}${ofTable.length} that the new table does not have: ${rest.join(", ")}`);
  });
}

function priceReport({ price, recordedAt, market }: LatestPrice): Readonly<Record<string, unknown>> {
  return { price, recorded_at: instantText(recordedAt), market };
}
