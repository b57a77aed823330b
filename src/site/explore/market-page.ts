/** A market: what it is, one of its products month by month, the latest prices of all, and where it lies. */

import { noPriceSince } from "../../contract/price-sentence.ts";
import type { MonthNumber } from "../../engine/model/calendar.ts";
import type { Uuid } from "../../engine/model/ids.ts";
import { findSources } from "../../engine/query/describe-prices.ts";
import { findMarketContinuations } from "../../engine/query/find-series.ts";
import { findJudged } from "../../engine/query/measures/find-judged.ts";
import { marketPlace } from "../../engine/query/place.ts";
import { countyRecord, type MarketCode, marketOf, type ProductCode, recordAt } from "../../engine/store/catalogue.ts";
import { rowsOf } from "../../engine/store/columns.ts";
import { renderForm, renderParagraph, renderSelect } from "../pages/elements.ts";
import { type Markup, markup } from "../pages/markup.ts";
import { renderCountyMarkets } from "./county-map-section.ts";
import { anomalyRequests } from "./data-table.ts";
import { makeSections, type Page, renderCodes, type Section } from "./explorer-page.ts";
import { colourOf, continuedLines, findFigures } from "./monthly-series.ts";
import { monthsSection, spanOf } from "./months-section.ts";
import { nearestOfGoods } from "./nearest-section.ts";
import { type PriceRow, priceTable, splitOld } from "./place-prices.ts";
import { continuedWithin } from "./product-page.ts";
import { badParameter, type PageRequest } from "./request.ts";

/** @throws {PageProblem} */
export function* marketPage(request: PageRequest, uuidText: string): Generator<number, Page> {
  const { store, words } = request;
  const { catalogue } = store;
  const code = request.marketCode(uuidText, "path");
  const record = recordAt(catalogue.markets, code);
  const scope = { marketUuid: record.uuid };
  const county = countyRecord(catalogue, record.countyId);
  const judged = yield* findJudged(store, { ...scope, level: "market", measures: ["yearBefore", "previous"] });
  const rows = judged.map((judged): PriceRow => ({ judged }));
  const product = chosenProduct(request, code, rows);
  const [newestRow] = rowsOf(store.rowsByMarket, code);
  const values = { market: record.name, type: words.type(record.type), county: county.name };
  const sentence = words.say(record.setting === "refugee_camp" ? "campSentence" : "marketSentence", values);
  const newest =
    newestRow === undefined
      ? words.say("marketWithoutPrices")
      : words.say("marketNewest", { count: judged.length, day: request.recorded(newestRow) });
  const near = product === undefined ? [] : yield* nearestOfGoods(request, product, marketPlace(record));
  const isCurrent = splitOld(store, rows).current.length > 0;
  const own = yield* makeSections([
    () => (product === undefined ? undefined : chartSection(request, code, rows, product)),
    () => (rows.length === 0 ? undefined : productsSection(request, code, rows)),
    () => placeSection(request, code),
  ]);
  const sections = isCurrent ? [...own, ...near] : [...near, ...own];
  const newestMonth = rows.length === 0 ? undefined : Math.max(...rows.map(({ judged }) => judged.newest.month));
  const since =
    newestMonth === undefined || isCurrent ? "" : `${noPriceSince(words, record.name, newestMonth as MonthNumber)} `;
  const description = `${since}${sentence} ${newest}`;
  const names = (record.alternativeNames ?? []).join(", ");
  const toCounty = markup`<p>${words.say("county")}: ${request.countyLink(county)}</p>`;
  return {
    title: record.name,
    subject: { kind: "market", uuid: record.uuid, name: record.name },
    lead: markup`${renderParagraph(description, "sentence")}${toCounty}`,
    sections,
    card:
      product === undefined
        ? undefined
        : { product: recordAt(catalogue.products, product).uuid, marketType: record.type },
    foot: markup`${names !== "" && renderParagraph(words.say("alsoCalled", { names }), "quiet")}
${renderCodes(words, record.sourceIds ?? [])}`,
    description,
    sources: yield* findSources(store, [scope]),
  };
}

/**
 * The product of the address, or the current one with most prices in the data, else the older one; undefined where the
 * market has none.
 *
 * @throws {PageProblem}
 */
function chosenProduct(request: PageRequest, market: MarketCode, rows: readonly PriceRow[]): ProductCode | undefined {
  const { store } = request;
  const { current } = splitOld(store, rows);
  const text = request.text("product");
  if (text !== undefined) {
    const requested = request.productCode(text, "parameter");
    if (rows.some(({ judged }) => judged.newest.product === requested)) return requested;
    throw badParameter("product", text, recordAt(store.catalogue.markets, market).name);
  }
  const countOf = ({ judged }: PriceRow): number => rowsOf(store.rowsByProduct, judged.newest.product).length;
  const [most] = (current.length > 0 ? current : rows).toSorted((a, b) => countOf(b) - countOf(a));
  return most?.judged.newest.product as ProductCode | undefined;
}

/** A product of the market month by month. */
function* chartSection(
  request: PageRequest,
  market: MarketCode,
  rows: readonly PriceRow[],
  code: ProductCode,
): Generator<number, Section | undefined> {
  const { store, words } = request;
  const place = marketPlace(recordAt(store.catalogue.markets, market));
  const { current, older } = splitOld(store, rows);
  const { series, suspicious } = yield* findFigures(store, { code, place });
  const [figures] = series;
  if (figures === undefined) return undefined;
  const products = [...current, ...older].map(({ judged }) =>
    recordAt(store.catalogue.products, judged.newest.product),
  );
  const options = products.map((product) => [product.uuid as string, words.product(product)] as const);
  const select = renderSelect("product", words.say("product"), options, figures.product.uuid);
  const heading = words.say("byMonthOf", { product: words.product(figures.product) });
  const label = words.product(figures.product);
  const continued = yield* continuedLines(store, figures);
  const others = continued.flatMap(({ figures }) => figures ?? []);
  const span = spanOf({ period: others.length > 0 ? "all" : "5y" }, [figures, ...others]);
  const { lines, breaks, notes } = continuedWithin(request, figures, continued, span);
  return yield* monthsSection(request, [{ ...figures, label, colour: colourOf(store, place) }, ...lines], {
    id: "months",
    heading,
    span,
    breaks,
    after: notes,
    suspicious,
    before: renderForm(request, `${request.linkTo(request.path)}#months`, select),
  });
}

function productsSection(request: PageRequest, market: MarketCode, rows: readonly PriceRow[]): Section {
  const { store, words } = request;
  const { uuid: marketUuid } = recordAt(store.catalogue.markets, market);
  const requests = anomalyRequests(
    store,
    { level: "market", marketUuid },
    rows.map(({ judged }) => judged),
  );
  return {
    id: "series",
    heading: words.say("marketProducts"),
    table: priceTable(request, rows, { by: ["product"], requests }),
  };
}

function placeSection(request: PageRequest, code: MarketCode): Section {
  const { store, words } = request;
  const { uuid, type, location, countyId } = recordAt(store.catalogue.markets, code);
  const { continues, continuedBy } = findMarketContinuations(store.catalogue, uuid);
  const under = (key: "earlierUnder" | "laterUnder", month: string, other: Uuid): Markup => {
    const said = words.say(key, { month: words.month(month), type: words.type(type) });
    return renderParagraph(markup`${said} ${request.marketLink(marketOf(store.catalogue, other))}`);
  };
  const names = [
    continues && under("earlierUnder", continues.lastMonth, continues.continuesUuid),
    continuedBy && under("laterUnder", continuedBy.firstMonth, continuedBy.marketUuid),
  ];
  const section = { id: "place", heading: words.say("placeHeading") };
  if (location === null) return { ...section, content: markup`${names}${renderParagraph(words.say("placeUnknown"))}` };
  const { latitude, longitude } = location;
  const lead = words.say("placeLead", { latitude: String(latitude), longitude: String(longitude) });
  const map: Markup = renderCountyMarkets(request, countyId, [code]);
  return { ...section, content: markup`${names}${renderParagraph(lead)}${map}` };
}
