/** The products that a product continues under another name, or that continue it: their lines, and what is said. */
import { linesMax } from "../charts/chart-style.ts";
import type { ChartBreak } from "../charts/line-chart.ts";
import { firstDayOf, monthNumber } from "../domain/calendar-month.ts";
import type { Uuid } from "../domain/ids.ts";
import type { ContinuationRecord, ProductRecord } from "../domain/records.ts";
import { renderParagraph } from "../pages/elements.ts";
import { type Markup, markup } from "../pages/markup.ts";
import { findContinuations } from "../query/find-continuations.ts";
import { type ProductCode, recordAt } from "../store/catalogue.ts";
import { figuresByType, type MonthlyLine, type TypeFigures } from "./monthly-figures.ts";
import { isDrawn as isLineDrawn, type MonthsChoice } from "./months-section.ts";
import type { ProductAtPlace } from "./place.ts";
import { linkWith, type PageRequest, productLink } from "./request.ts";

/** A judgement, with the line of the other product where a chart can have it. */
export interface ContinuedLine {
  readonly judgement: ContinuationRecord;
  readonly line?: MonthlyLine | undefined;
}

/**
 * The lines of the products that a product continues, and that continue it, at the types of market that it is shown at.
 * Each is a line of its own: where one ends and the other begins stays visible.
 *
 * @param shown The figures of the product, in one unit and currency; all converted to the currency, or none.
 * @returns With those of the product at most `linesMax` lines; the same goods before similar ones.
 */
export function* continuedLines(
  request: PageRequest,
  { record: { uuid }, place }: ProductAtPlace,
  shown: readonly TypeFigures[],
): Generator<number, readonly ContinuedLine[]> {
  const { store, words } = request;
  const { catalogue, measures } = store;
  const found: ContinuedLine[] = [];
  const judged = shown.flatMap((figures) => {
    const { continues, continuedBy } = findContinuations(catalogue, uuid, figures.marketType);
    return [...continues, ...continuedBy].map((judgement) => ({ figures, judgement }));
  });
  const isSame = ({ judgement }: ContinuationRecord): boolean => judgement === "same goods";
  judged.sort((a, b) => Number(isSame(b.judgement)) - Number(isSame(a.judgement)));
  for (const { figures, judgement } of judged) {
    if (shown.length + found.length >= linesMax) break;
    const other = judgement.productUuid === uuid ? judgement.continuesUuid : judgement.productUuid;
    const code = catalogue.productCodes.get(other) as ProductCode;
    const measure = measures[code];
    const baseOf = (unit: string | undefined): string | undefined => catalogue.units.get(unit ?? "")?.baseUnit;
    // Lines of one chart have one unit and currency.
    const currency = figures.isConverted ? (figures.currency ?? undefined) : undefined;
    const isForeign = currency === undefined && measure?.currency !== figures.currency;
    if (isForeign || baseOf(measure?.unit) !== baseOf(figures.unit)) continue;
    const { unit, marketType } = figures;
    const { byType, suspicious } = yield* figuresByType(store, other, place, { unit, currency }, [marketType]);
    const product = recordAt(catalogue.products, code);
    const label = `${words.product(product)}, ${words.type(figures.marketType)}`;
    const line = { label, product: product.name, productUuid: other, place, suspicious };
    found.push({ judgement, line: byType[0] && { ...line, figures: byType[0] } });
  }
  return found;
}

/** What a chart of some months has of the lines, and what is said of them. */
export function continuedWithin(
  request: PageRequest,
  continued: readonly ContinuedLine[],
  shown: Uuid,
  choice: MonthsChoice,
): { readonly lines: readonly MonthlyLine[]; readonly breaks: readonly ChartBreak[]; readonly notes: Markup } {
  const isDrawn = ({ line }: ContinuedLine): boolean => line !== undefined && isLineDrawn(line, choice);
  const { span } = choice;
  const drawn = continued.filter(isDrawn);
  const breaks = drawn.flatMap(({ judgement }): ChartBreak[] => {
    const month = monthNumber(judgement.firstMonth);
    const reason = continuationText(request, judgement);
    return month < span.from || month > span.to ? [] : [{ day: firstDayOf(month), reason }];
  });
  return {
    lines: drawn.flatMap(({ line }) => line ?? []),
    breaks,
    notes: markup`${continued.map((found) => renderNote(request, found.judgement, shown, isDrawn(found)))}`,
  };
}

function recordOf({ store: { catalogue } }: PageRequest, uuid: Uuid): ProductRecord {
  return recordAt(catalogue.products, catalogue.productCodes.get(uuid) as ProductCode);
}

function continuationText(request: PageRequest, judged: ContinuationRecord): string {
  const { words } = request;
  return words.say(`continues ${judged.judgement}`, {
    later: words.product(recordOf(request, judged.productUuid)),
    earlier: words.product(recordOf(request, judged.continuesUuid)),
    type: words.type(judged.marketType),
    last: words.month(judged.lastMonth),
    first: words.month(judged.firstMonth),
  });
}

/** A line that is not drawn is only named. */
function renderNote(request: PageRequest, judged: ContinuationRecord, shown: Uuid, isDrawn: boolean): Markup {
  const { words } = request;
  const { productUuid, continuesUuid, lastMonth, firstMonth } = judged;
  const isLater = productUuid === shown;
  const link = productLink(request, recordOf(request, isLater ? continuesUuid : productUuid));
  if (isDrawn) return renderParagraph(markup`${continuationText(request, judged)} ${link}`, "quiet");
  const month = words.month(isLater ? lastMonth : firstMonth);
  const values = { month, type: words.type(judged.marketType) };
  const allMonths = `${linkWith(request, { period: "all", from: undefined, to: undefined })}#months`;
  const named = words.say(isLater ? "earlierUnder" : "laterUnder", values);
  return renderParagraph(markup`${named} ${link} · <a href="${allMonths}">${words.say("showAllMonths")}</a>`, "quiet");
}
