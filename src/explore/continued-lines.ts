/** The products that a product continues under another name, or that continue it: their lines, and what is said. */
import { linesMax } from "../charts/chart-style.ts";
import type { ChartBreak } from "../charts/line-chart.ts";
import { firstDayOf, monthNumber } from "../domain/calendar-month.ts";
import type { ContinuationRecord, ProductRecord } from "../domain/records.ts";
import { renderParagraph } from "../pages/elements.ts";
import { type Markup, markup } from "../pages/markup.ts";
import { findContinuations } from "../query/find-continuations.ts";
import { type ProductCode, recordAt } from "../store/catalogue.ts";
import type { ProductMeasure } from "../store/price-conversion.ts";
import { baseUnitOf, figuresByType, type MonthlyLine, type SeriesFigures } from "./monthly-figures.ts";
import { type MonthsChoice, shownLine } from "./months-section.ts";
import type { PageRequest } from "./request.ts";

/** A judgement of the snapshot on a product and another one, with the line of the other where a chart can have it. */
export interface ContinuedLine {
  readonly judgement: ContinuationRecord;
  readonly other: ProductRecord;
  /** Whether the other one is the earlier. */
  readonly isEarlier: boolean;
  readonly line: MonthlyLine | undefined;
}

/**
 * The lines of the products that a product continues, and that continue it, at the types of market that it is shown at.
 * Each is a line of its own: where one ends and the other begins stays visible.
 *
 * @param shown The figures of the product, in one unit and currency; all converted to the currency, or none.
 * @returns With those of the product at most `linesMax` lines; the same goods before similar ones.
 */
export function* continuedLines(
  { store, words }: PageRequest,
  shown: readonly SeriesFigures[],
): Generator<number, readonly ContinuedLine[]> {
  const { catalogue, measures } = store;
  const found: ContinuedLine[] = [];
  const judged = shown.flatMap((figures) => {
    const { continues, continuedBy } = findContinuations(catalogue, figures.product.uuid, figures.marketType);
    return [...continues, ...continuedBy].map((judgement) => ({ figures, judgement }));
  });
  const isSame = ({ judgement }: ContinuationRecord): boolean => judgement === "same goods";
  judged.sort((a, b) => Number(isSame(b.judgement)) - Number(isSame(a.judgement)));
  for (const { figures, judgement } of judged) {
    if (shown.length + found.length >= linesMax) break;
    const { product, marketType, place, unit, isConverted } = figures;
    const isEarlier = judgement.productUuid === product.uuid;
    const code = catalogue.productCodes.get(isEarlier ? judgement.continuesUuid : judgement.productUuid) as ProductCode;
    const own = measures[code] as ProductMeasure;
    // Lines of one chart have one unit and currency.
    if (!isConverted && own.currency !== figures.currency) continue;
    if (baseUnitOf(store, own.unit) !== baseUnitOf(store, unit)) continue;
    const currency = isConverted ? (figures.currency ?? undefined) : undefined;
    const [line] = (yield* figuresByType(store, { code, marketType, place, unit, currency })).byType;
    const other = recordAt(catalogue.products, code);
    const label = `${words.product(other)}, ${words.type(marketType)}`;
    found.push({ judgement, other, isEarlier, line: line && { ...line, label } });
  }
  return found;
}

/** What a chart of some months has of the lines, and what is said of them. @param shown The product of the page. */
export function continuedWithin(
  request: PageRequest,
  continued: readonly ContinuedLine[],
  shown: ProductRecord,
  choice: MonthsChoice,
): { readonly lines: readonly MonthlyLine[]; readonly breaks: readonly ChartBreak[]; readonly notes: Markup } {
  const { words } = request;
  const { from, to } = choice.span;
  const allMonths = `${request.linkWith({ period: "all", from: undefined, to: undefined })}#months`;
  const lines: MonthlyLine[] = [];
  const breaks: ChartBreak[] = [];
  const notes: Markup[] = [];
  for (const { judgement, other, isEarlier, line } of continued) {
    const link = request.productLink(other);
    const last = words.month(judgement.lastMonth);
    const first = words.month(judgement.firstMonth);
    const type = words.type(judgement.marketType);
    if (line !== undefined && shownLine(line, choice).isDrawn) {
      const later = words.product(isEarlier ? shown : other);
      const earlier = words.product(isEarlier ? other : shown);
      const reason = words.say(`continues ${judgement.judgement}`, { later, earlier, type, last, first });
      const month = monthNumber(judgement.firstMonth);
      if (month >= from && month <= to) breaks.push({ day: firstDayOf(month), reason });
      lines.push(line);
      notes.push(renderParagraph(markup`${reason} ${link}`, "quiet"));
    } else {
      // A line that is not drawn is only named.
      const named = words.say(isEarlier ? "earlierUnder" : "laterUnder", { month: isEarlier ? last : first, type });
      const toAll = markup`<a href="${allMonths}">${words.say("showAllMonths")}</a>`;
      notes.push(renderParagraph(markup`${named} ${link} · ${toAll}`, "quiet"));
    }
  }
  return { lines, breaks, notes: markup`${notes}` };
}
