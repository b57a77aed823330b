/** The nearest markets with a price of a product, each type of market in a section of its own. */

import { monthNumber } from "../../engine/model/calendar.ts";
import { distance } from "../../engine/model/coordinates.ts";
import type { Coordinates, ProductRecord } from "../../engine/model/records.ts";
import { type MarketType, marketTypes } from "../../engine/model/vocabulary.ts";
import { alsoReportedAs } from "../../engine/query/also-reported.ts";
import { findJudged, type JudgedSubject, marketTypeOf } from "../../engine/query/measures/find-judged.ts";
import { currentMonths, isOld } from "../../engine/query/measures/monthly-values.ts";
import type { Place } from "../../engine/query/place.ts";
import { newestMonthAt, originOf } from "../../engine/query/places-of-product.ts";
import { isCamp, type ProductCode, recordAt } from "../../engine/store/catalogue.ts";
import type { Store } from "../../engine/store/store.ts";
import { renderParagraph } from "../pages/elements.ts";
import { markup } from "../pages/markup.ts";
import { anomalyRequests, type DataTable } from "./data-table.ts";
import type { Section } from "./explorer-page.ts";
import { type PriceRow, priceTable } from "./place-prices.ts";
import type { PageRequest } from "./request.ts";

/** The types that are spoken of where no market has a price as well. */
const typesAlways: readonly MarketType[] = ["Wholesale", "Retail"];

/** Markets of a type that a section shows. */
const nearMax = 5;

/**
 * A section for wholesale, for retail, and for each other type with a price of the product; none for the country, and
 * where no location is known.
 *
 * Cost: that of judging the product at all markets.
 */
export function* nearestSections(request: PageRequest, code: ProductCode, place: Place): Generator<number, Section[]> {
  const { store, words } = request;
  const origin = originOf(store, place);
  if (origin === undefined) return [];
  const { uuid } = recordAt(store.catalogue.products, code);
  const question = { productUuids: [uuid], level: "market", measures: ["yearBefore", "previous"] } as const;
  const judged = yield* findJudged(store, question);
  const byType = Map.groupBy(judged, marketTypeOf);
  const types = marketTypes.filter((type) => typesAlways.includes(type) || byType.has(type));
  const product = words.product(recordAt(store.catalogue.products, code));
  return types.flatMap((marketType, at): Section[] => {
    const rows = nearestOf(store, byType.get(marketType) ?? [], place, origin.point);
    const id = at === 0 ? "nearest" : `nearest-${marketType.toLowerCase()}`;
    const current = rows.filter((row) => !isOldRow(store, row)).length;
    const type = words.type(marketType);
    const heading = words.say("nearestOf", { product, type });
    if (rows.length === 0) return [{ id, heading, content: renderParagraph(words.say("nearestNone", { type })) }];
    const from = words.say(origin.isMiddle ? "nearestToCounty" : "nearestToMarket");
    const older = words.say(current === 0 ? "nearestAllOlder" : "nearestThenOlder", { type, count: currentMonths });
    const lead = current === rows.length ? from : `${older} ${from}`;
    const scope = { productUuid: uuid, marketType, level: "market" } as const;
    const requests = anomalyRequests(
      store,
      scope,
      rows.map(({ judged }) => judged),
    );
    return [
      {
        id,
        heading,
        content: renderParagraph(lead, "quiet"),
        table: nearestTable(request, rows, requests),
      },
    ];
  });
}

/**
 * The same for a place of which the reader named no product: where all prices of the product are old, those of its
 * namesake with the newest price, and the first section says so.
 */
export function* nearestOfGoods(request: PageRequest, code: ProductCode, place: Place): Generator<number, Section[]> {
  const { store, words } = request;
  const { products, productCodes } = store.catalogue;
  const namesake = isOld(store, newestMonthAt(store, code, {})?.month) ? currentNamesake(store, code) : undefined;
  if (namesake === undefined) return yield* nearestSections(request, code, place);
  const sections = yield* nearestSections(request, productCodes.get(namesake.uuid) as ProductCode, place);
  const product = words.product(recordAt(products, code));
  const lead = words.say("nearestOfNamesake", { product, namesake: words.product(namesake) });
  return sections.map((section, at) =>
    at > 0 ? section : { ...section, content: markup`${renderParagraph(lead)}${section.content}` },
  );
}

/** The namesake with the newest price outside refugee camps; undefined where that is old. */
function currentNamesake(store: Store, code: ProductCode): ProductRecord | undefined {
  const [newest] = alsoReportedAs(store, code)
    .flatMap(({ product, newestMonth: { otherMarkets } }) =>
      otherMarkets === null ? [] : { product, month: monthNumber(otherMarkets) },
    )
    .sort((a, b) => b.month - a.month);
  return isOld(store, newest?.month) ? undefined : newest?.product;
}

/**
 * The nearest markets: those with a price that is not old first, outside refugee camps before those in camps, each by
 * distance. The market itself and markets of which no location is known are left out.
 */
function nearestOf(store: Store, judged: readonly JudgedSubject[], place: Place, point: Coordinates): PriceRow[] {
  const { catalogue } = store;
  return judged
    .flatMap((one) => {
      const { uuid, location } = recordAt(catalogue.markets, one.newest.market as number);
      if (location === null || uuid === place.conditions.marketUuid) return [];
      return { judged: one, kilometres: distance(point, location) };
    })
    .sort(
      (a, b) =>
        Number(isOldRow(store, a)) - Number(isOldRow(store, b)) ||
        Number(isCampRow(store, a)) - Number(isCampRow(store, b)) ||
        a.kilometres - b.kilometres,
    )
    .slice(0, nearMax);
}

function isOldRow(store: Store, { judged }: PriceRow): boolean {
  return isOld(store, judged.newest.month);
}

function isCampRow({ catalogue }: Store, { judged }: PriceRow): boolean {
  return isCamp(catalogue, judged.newest.market as number);
}

/** The rows in their order; camps and older prices are marked as such. */
function nearestTable(
  request: PageRequest,
  rows: readonly PriceRow[],
  requests: DataTable["requests"],
): DataTable<PriceRow> {
  const { store, words } = request;
  const { columns, ...table } = priceTable(request, rows, { by: ["market"], requests });
  const [name, ...others] = columns;
  const marked = name && {
    ...name,
    show: (row: PriceRow) => {
      const marks = [isCampRow(store, row) && "inCamp", isOldRow(store, row) && "olderPrice"] as const;
      const badges = marks.map((mark) => mark && markup` <span class="badge">${words.say(mark)}</span>`);
      return markup`${name.show(row)}${badges}`;
    },
  };
  return { ...table, shown: rows, folded: [], columns: marked ? [marked, ...others] : others };
}
