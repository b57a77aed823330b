/** The products that a product continues under another name, or that continue it: their lines, and what is said. */
import { linesMax } from "../charts/chart-style.ts";
import type { ChartBreak } from "../charts/line-chart.ts";
import { firstDayOf, monthNumber } from "../domain/calendar-month.ts";
import type { Uuid } from "../domain/ids.ts";
import type { ContinuationRecord } from "../domain/records.ts";
import { renderParagraph } from "../pages/elements.ts";
import { type Markup, markup } from "../pages/markup.ts";
import { findContinuations } from "../query/find-continuations.ts";
import type { ProductCode } from "../store/catalogue.ts";
import { figuresByType, type MonthlyLine, type SeriesFigures } from "./monthly-figures.ts";
import { isDrawn as isLineDrawn, type MonthsChoice } from "./months-section.ts";
import { productOf } from "./place.ts";
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
  { store, words }: PageRequest,
  shown: readonly SeriesFigures[],
): Generator<number, readonly ContinuedLine[]> {
  const { catalogue, measures } = store;
  const found: ContinuedLine[] = [];
  const judged = shown.flatMap((figures) => {
    const { continues, continuedBy } = findContinuations(catalogue, figures.productUuid, figures.marketType);
    return [...continues, ...continuedBy].map((judgement) => ({ figures, judgement }));
  });
  const isSame = ({ judgement }: ContinuationRecord): boolean => judgement === "same goods";
  judged.sort((a, b) => Number(isSame(b.judgement)) - Number(isSame(a.judgement)));
  for (const { figures, judgement } of judged) {
    if (shown.length + found.length >= linesMax) break;
    const productUuid = otherOf(judgement, figures.productUuid);
    const own = measures[catalogue.productCodes.get(productUuid) as ProductCode];
    const baseOf = (unit: string | undefined): string | undefined => catalogue.units.get(unit ?? "")?.baseUnit;
    // Lines of one chart have one unit and currency.
    if (!figures.isConverted && own?.currency !== figures.currency) continue;
    if (baseOf(own?.unit) !== baseOf(figures.unit)) continue;
    const currency = figures.isConverted ? (figures.currency ?? undefined) : undefined;
    const { marketType, place, unit } = figures;
    const [line] = (yield* figuresByType(store, { productUuid, marketType, place, unit, currency })).byType;
    const label = `${words.product(productOf(store, productUuid))}, ${words.type(marketType)}`;
    found.push({ judgement, line: line && { ...line, label } });
  }
  return found;
}

function otherOf({ productUuid, continuesUuid }: ContinuationRecord, shown: Uuid): Uuid {
  return productUuid === shown ? continuesUuid : productUuid;
}

/** What a chart of some months has of the lines, and what is said of them. @param shown The product of the page. */
export function continuedWithin(
  request: PageRequest,
  continued: readonly ContinuedLine[],
  shown: Uuid,
  choice: MonthsChoice,
): { readonly lines: readonly MonthlyLine[]; readonly breaks: readonly ChartBreak[]; readonly notes: Markup } {
  const { from, to } = choice.span;
  const isDrawn = ({ line }: ContinuedLine): boolean => line !== undefined && isLineDrawn(line, choice);
  const drawn = continued.filter(isDrawn);
  const breaks = drawn.flatMap(({ judgement }): ChartBreak[] => {
    const month = monthNumber(judgement.firstMonth);
    const reason = continuationText(request, judgement);
    return month < from || month > to ? [] : [{ day: firstDayOf(month), reason }];
  });
  return {
    lines: drawn.flatMap(({ line }) => line ?? []),
    breaks,
    notes: markup`${continued.map((found) => renderNote(request, found.judgement, shown, isDrawn(found)))}`,
  };
}

function continuationText({ store, words }: PageRequest, judged: ContinuationRecord): string {
  return words.say(`continues ${judged.judgement}`, {
    later: words.product(productOf(store, judged.productUuid)),
    earlier: words.product(productOf(store, judged.continuesUuid)),
    type: words.type(judged.marketType),
    last: words.month(judged.lastMonth),
    first: words.month(judged.firstMonth),
  });
}

/** A line that is not drawn is only named. */
function renderNote(request: PageRequest, judged: ContinuationRecord, shown: Uuid, isDrawn: boolean): Markup {
  const { store, words } = request;
  const link = productLink(request, productOf(store, otherOf(judged, shown)));
  if (isDrawn) return renderParagraph(markup`${continuationText(request, judged)} ${link}`, "quiet");
  const isLater = judged.productUuid === shown;
  const month = words.month(isLater ? judged.lastMonth : judged.firstMonth);
  const named = words.say(isLater ? "earlierUnder" : "laterUnder", { month, type: words.type(judged.marketType) });
  const allMonths = `${linkWith(request, { period: "all", from: undefined, to: undefined })}#months`;
  return renderParagraph(markup`${named} ${link} · <a href="${allMonths}">${words.say("showAllMonths")}</a>`, "quiet");
}
