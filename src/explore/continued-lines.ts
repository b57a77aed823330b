/** The products that a product continues under another name, or that continue it: their lines, and what is said. */
import { linesMax } from "../charts/chart-style.ts";
import type { Uuid } from "../domain/ids.ts";
import type { ContinuationRecord, ProductRecord } from "../domain/records.ts";
import { renderParagraph } from "../pages/elements.ts";
import { type Markup, markup } from "../pages/markup.ts";
import { findContinuations } from "../query/find-continuations.ts";
import { type ProductCode, recordAt } from "../store/catalogue.ts";
import { figuresByType, type MonthlyLine, type TypeFigures } from "./monthly-figures.ts";
import type { ProductAtPlace } from "./place.ts";
import { linkWith, type PageRequest, productLink } from "./request.ts";

/** What a page shows of the names before and after a product. */
export interface ContinuedLines {
  /** With those of the product at most `linesMax`; the same goods before similar ones. */
  readonly lines: readonly MonthlyLine[];
  /** A note for each judgement; empty without any. */
  readonly notes: Markup;
}

/**
 * The lines of the products that a product continues, and that continue it, at the types of market that it is shown at.
 * Each is a line of its own: where one ends and the other begins stays visible.
 *
 * @param shown The figures of the product, in one unit and currency.
 */
export function* continuedLines(
  request: PageRequest,
  { record: { uuid }, place }: ProductAtPlace,
  shown: readonly TypeFigures[],
): Generator<number, ContinuedLines> {
  const { store, words } = request;
  const { catalogue, measures } = store;
  const lines: MonthlyLine[] = [];
  const judged = shown.flatMap((figures) => {
    const { continues, continuedBy } = findContinuations(catalogue, uuid, figures.marketType);
    return [...continues, ...continuedBy].map((judgement) => ({ figures, judgement }));
  });
  const isSame = ({ judgement }: ContinuationRecord): boolean => judgement === "same goods";
  judged.sort((a, b) => Number(isSame(b.judgement)) - Number(isSame(a.judgement)));
  for (const { figures, judgement } of judged) {
    if (shown.length + lines.length >= linesMax) break;
    const other = judgement.productUuid === uuid ? judgement.continuesUuid : judgement.productUuid;
    const code = catalogue.productCodes.get(other) as ProductCode;
    const measure = measures[code];
    const baseOf = (unit: string | undefined): string | undefined => catalogue.units.get(unit ?? "")?.baseUnit;
    // Lines of one chart have one unit and currency.
    if (measure?.currency !== figures.currency || baseOf(measure.unit) !== baseOf(figures.unit)) continue;
    const found = yield* figuresByType(store, other, place, figures.unit, [figures.marketType]);
    const product = recordAt(catalogue.products, code);
    const label = `${words.product(product)}, ${words.type(figures.marketType)}`;
    const line = { label, product: product.name, productUuid: other, place, suspicious: found.suspicious };
    lines.push(...found.byType.map((figures) => ({ ...line, figures })));
  }
  const notes = judged.map(({ judgement }) => renderNote(request, judgement, uuid));
  return { lines, notes: markup`${notes}` };
}

function renderNote(request: PageRequest, judgement: ContinuationRecord, shown: Uuid): Markup {
  const { words, store } = request;
  const { catalogue } = store;
  const { productUuid, continuesUuid, marketType, lastMonth, firstMonth } = judgement;
  const recordOf = (uuid: Uuid): ProductRecord =>
    recordAt(catalogue.products, catalogue.productCodes.get(uuid) as ProductCode);
  const text = words.say(`continues ${judgement.judgement}`, {
    later: words.product(recordOf(productUuid)),
    earlier: words.product(recordOf(continuesUuid)),
    type: words.type(marketType),
    last: words.month(lastMonth),
    first: words.month(firstMonth),
  });
  const other = recordOf(productUuid === shown ? continuesUuid : productUuid);
  const allMonths = `${linkWith(request, { period: "all", from: undefined, to: undefined })}#months`;
  const links = markup`${productLink(request, other)} · <a href="${allMonths}">${words.say("showAllMonths")}</a>`;
  return renderParagraph(markup`${text} ${links}`, "note");
}
