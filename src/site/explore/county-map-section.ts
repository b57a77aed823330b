/**
 * Maps of counties: the newest median of a product in each county, with a list, the cheapest first; and one county with
 * its markets.
 */

import { countyPath, productPath } from "../../contract/paths.ts";
import type { Figure } from "../../contract/price-sentence.ts";
import type { Words } from "../../contract/words.ts";
import type { CountyId } from "../../engine/model/ids.ts";
import { findJudged } from "../../engine/query/measures/find-judged.ts";
import { countyRecord, recordAt } from "../../engine/store/catalogue.ts";
import { roundFigure } from "../../engine/store/figures.ts";
import type { Store } from "../../engine/store/store.ts";
import { countyTiles, type MapPoint, renderCountyMap, renderCountyPoints } from "../charts/county-map.ts";
import { renderParagraph } from "../pages/elements.ts";
import { type Markup, markup } from "../pages/markup.ts";
import { anomalyRequests, columnKinds, type DataTable } from "./data-table.ts";
import type { Section } from "./explorer-page.ts";
import { cheapestFirst, exportedPrices, figureOf, splitOld } from "./place-prices.ts";
import type { PageRequest } from "./request.ts";

/** The county with the Ilemi Triangle. */
const turkana = 23;

/** Counties with a current price that a map needs. */
const countiesMin = 6;

/** A county with its newest price, in the unit of the map. */
interface CountyRow extends Figure {
  readonly county: CountyId;
}

/** The counties with a price that is not old, outside camps; undefined where they are few. */
export function* countyMapSection(
  request: PageRequest,
  { product, marketType }: Pick<Figure, "product" | "marketType">,
): Generator<number, Section | undefined> {
  const { store, words } = request;
  const scope = { marketType, refugeeCamps: "exclude" } as const;
  const judged = yield* findJudged(store, { productUuids: [product.uuid], ...scope, level: "county", measures: [] });
  const { current } = splitOld(store, cheapestFirst(judged.map((judged) => ({ judged, population: "exclude" }))));
  if (current.length < countiesMin) return undefined;
  const rows = current.map((row): CountyRow => {
    return { ...figureOf(store, row), county: row.judged.newest.countyId as CountyId };
  });
  const { county, day, count, price } = columnKinds<CountyRow>(request);
  const table: DataTable<CountyRow> = {
    title: words.say("cheapestCounties"),
    rows,
    requests: anomalyRequests(store, { ...scope, productUuid: product.uuid, level: "county" }),
    csv: exportedPrices(current),
    columns: [
      { ...county((row) => ({ id: row.county, name: row.place.name })), show: (row) => linkOf(request, row) },
      price(words.say("median"), ({ median }) => median),
      day(words.say("month"), ({ month }) => words.month(month)),
      count(words.say("markets"), ({ markets }) => markets),
    ],
  };
  const heading = words.say("countiesHeading", { type: words.type(marketType) });
  const [first, last] = [rows[0], rows.at(-1)] as [CountyRow, CountyRow];
  const description = words.say("countiesDescription", {
    count: rows.length,
    first: `${first.place.name} ${words.price(first.median)}`,
    last: `${last.place.name} ${words.price(last.median)}`,
  });
  const title = [heading, words.currencyPerUnit(first.currency, first.unit), words.say("outsideCamps")].join(", ");
  const byCounty = new Map<number, CountyRow>(rows.map((row) => [row.county, row]));
  const draw = (isLinked: boolean) =>
    renderCountyMap({
      title,
      description,
      language: words.language,
      emptyLabel: words.say("none"),
      areas: countyTiles.map(({ id, name }) => {
        const row = byCounty.get(id);
        const detail = `${name}: ${row === undefined ? words.say("none") : sampleText(words, row)}`;
        const href = row && isLinked ? request.linkTo(countyPath(row.county)) : undefined;
        return { id, value: row === undefined ? null : roundFigure(row.median), detail, href };
      }),
    });
  return {
    id: "counties",
    heading,
    content: draw(true),
    charts: [{ name: "counties", subtitle: title, sentence: description, draw: () => draw(false) }],
    table,
    isBeside: true,
    footer: renderParagraph(words.say("ilemiNote"), "quiet"),
  };
}

/** `75.00 KES a kg, March 2026, 3 markets` */
function sampleText(words: Words, { median, currency, unit, month, markets }: CountyRow): string {
  const sample = [words.month(month), words.say("marketsShort", { count: markets })];
  return [words.priceOf(median, currency, unit), ...sample].join(", ");
}

function linkOf(request: PageRequest, { product, county, place, marketType }: CountyRow): Markup {
  return request.pageLink(place.name, productPath(product.uuid), { county, type: marketType });
}

/** The markets whose location is known, as points. */
function pointsOf({ catalogue }: Store, markets: readonly number[]): MapPoint[] {
  return markets.flatMap((market) => {
    const { name, location } = recordAt(catalogue.markets, market);
    return location === null ? [] : [{ name, latitude: location.latitude, longitude: location.longitude }];
  });
}

/** A county with some of its markets. */
export function renderCountyMarkets({ store, words }: PageRequest, id: CountyId, markets: readonly number[]): Markup {
  const points = pointsOf(store, markets);
  const title = words.say("countyTitle", { county: countyRecord(store.catalogue, id).name });
  const description = points.map(({ name }) => name).join(", ");
  const note = id === turkana && renderParagraph(words.say("ilemiNote"), "quiet");
  return markup`<div class="map">${renderCountyPoints({ title, description, points }, id)}${note}</div>`;
}
