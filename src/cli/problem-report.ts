/** Problems, warnings and numbers of rows, for people and for programs. */

import { originText, type Warning, warningNames } from "../contract/publication-report.ts";
import { dayOfInstant, dayText, instantText, kenyanOffset } from "../engine/model/calendar.ts";
import { type CountedName, counted } from "../engine/model/counted.ts";
import type { PriceOrigin } from "../engine/model/records.ts";
import { visibleText } from "../engine/model/visible-text.ts";
import {
  foundName,
  type Problem,
  type ProblemList,
  problemText,
  problemTextAt,
  recordProblemNames,
} from "../engine/snapshots/problem.ts";
import { optionalTableKinds, type RecordKind, recordKinds } from "../engine/snapshots/snapshot-layout.ts";
import { feedWarningNames } from "../publishing/importers/wfp/check-feed.ts";
import { publishProblemNames } from "../publishing/publish/publish-problem.ts";

/** The words that count problems and warnings of each kind. */
const kindNames: Readonly<Record<string, CountedName>> = {
  ...recordProblemNames,
  ...publishProblemNames,
  ...warningNames,
  ...feedWarningNames,
};

/** The words for so many problems or warnings of a kind, without the number. */
function kindText(kind: string, count: number): string {
  const [one = kind, several = kind] = kindNames[kind] ?? [];
  return count === 1 ? one : several;
}

/** The words that count the records of a table. */
const tableNames: Readonly<Record<RecordKind, CountedName>> = {
  counties: ["county", "counties"],
  crops: ["crop", "crops"],
  units: ["unit category", "unit categories"],
  "market-types": ["market type", "market types"],
  products: ["product", "products"],
  markets: ["market", "markets"],
  "exchange-rates": ["exchange rate", "exchange rates"],
  continuations: ["continuation", "continuations"],
  "market-continuations": ["continuation of a market", "continuations of markets"],
  prices: ["price", "prices"],
};

/**
 * Problems as lines a data editor can act on, one each, and below them how many more there are of each kind.
 *
 * @returns Lines without line ends; none when the list is empty.
 */
export function problemLines(list: ProblemList<string>): string[] {
  const lines = list.problems.map(lineOf);
  for (const [kind, count] of list.counts) {
    const shown = list.problems.filter((problem) => problem.kind === kind).length;
    if (count > shown) lines.push(`… and ${count - shown} more: ${kindText(kind, count - shown)}`);
  }
  return lines;
}

/**
 * The same for programs. `stopped`: reading stopped after `total`, and the counts cover what was read until then.
 * `counts`: how many of each kind, those not listed included. `problems`: the first of each kind, with the fields of a
 * `Problem`, and of a `Warning` what it is about.
 */
export function problemReport(list: ProblemList<string>): Readonly<Record<string, unknown>> {
  const counts = Object.fromEntries(list.counts);
  return { total: list.total, stopped: list.isCut, counts, problems: list.problems.map(problemJson) };
}

function problemJson({
  price,
  deviation,
  origin,
  ...problem
}: Problem<string> & Pick<Warning, "price" | "deviation" | "origin">): Readonly<Record<string, unknown>> {
  if (price === undefined) return { ...problem };
  const { productUuid, marketUuid, recordedAt, ...same } = price;
  const dated = { product_uuid: productUuid, market_uuid: marketUuid, recorded_at: instantText(recordedAt) };
  const usual = deviation === undefined ? {} : { usual_price: deviation.usualPrice, slip_factor: deviation.slipFactor };
  const located = origin === undefined ? {} : { origin: originReport(origin) };
  return { ...problem, price: { ...same, ...dated }, ...usual, ...located };
}

/** The file and row that a price comes from, for programs. */
export function originReport({ file, sheet, row, importedAt }: PriceOrigin): Readonly<Record<string, unknown>> {
  return { file, sheet, row, imported_at: importedAt === null ? null : instantText(importedAt) };
}

/**
 * A problem or warning on one line. What is about a price names its product, market and day in Kenya, and where its
 * origin is known that in place of the record file.
 */
function lineOf(problem: Problem<string> & Pick<Warning, "price" | "origin">): string {
  const { price, origin } = problem;
  const text = origin === undefined ? problemText(problem) : problemTextAt(originText(origin), problem);
  if (price === undefined) return text;
  const day = dayText(dayOfInstant(price.recordedAt, kenyanOffset));
  const which = `${foundName(price.product)} at ${foundName(price.market)}, ${day}`;
  return `${text} (${visibleText(which)})`;
}

/**
 * Warnings as lines for stderr, kind by kind: a line that names and counts the kind, as `--strict` takes it, and the
 * first of it.
 */
export function warningLines(warnings: Pick<ProblemList<string>, "counts" | "problems">): string[] {
  return [...warnings.counts].flatMap(([kind, count]) => {
    const ofKind = warnings.problems.filter((warning) => warning.kind === kind);
    return [
      `warning: ${kind} (${count}): ${kindNames[kind]?.[1] ?? kind}`,
      ...ofKind.map((warning) => `  ${lineOf(warning)}`),
      // A kind of which none is listed is a count.
      ...(count > ofKind.length && ofKind.length > 0 ? [`  … and ${count - ofKind.length} more`] : []),
    ];
  });
}

/** The count and name of each kind: `2 invalid values, 1 repeated identifier`. */
export function countsText(counts: ReadonlyMap<string, number>): string {
  return [...counts].map(([kind, count]) => `${count} ${kindText(kind, count)}`).join(", ");
}

/** `47 counties, 85 crops, …`; 0 of a table that was not read, nothing of an optional one without records. */
export function rowsText(rows: Readonly<Partial<Record<RecordKind, number>>>): string {
  const isOptional = (kind: RecordKind): boolean => kind !== "prices" && optionalTableKinds.includes(kind);
  return recordKinds
    .map((kind) => ({ kind, count: rows[kind] ?? 0 }))
    .filter(({ kind, count }) => count > 0 || !isOptional(kind))
    .map(({ kind, count }) => counted(count, ...tableNames[kind]))
    .join(", ");
}
