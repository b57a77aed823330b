/** Finds once what the address of a product page requests and its parts show. */

import { referenceCurrency } from "../../engine/model/records.ts";
import { findSeries } from "../../engine/query/find-series.ts";
import { findJudged } from "../../engine/query/measures/find-judged.ts";
import { relatedProducts } from "../../engine/query/related-products.ts";
import { judgedInCountry, stateMeasures } from "../../engine/query/state-of-prices.ts";
import { recordAt } from "../../engine/store/catalogue.ts";
import { canConvertTo, type UnitAndCurrency } from "../../engine/store/price-conversion.ts";
import type { Store } from "../../engine/store/store.ts";
import { figuresAtMarkets, type MonthAtMarkets } from "./figures-by-market.ts";
import {
  baseUnitOf,
  continuedLines,
  figuresByType,
  newestOf,
  type SeriesFigures,
  wholeCountry,
} from "./monthly-series.ts";
import { readPeriod, spanOf } from "./months-section.ts";
import type { PageRequest } from "./request.ts";

export type ProductView = ReturnType<typeof viewProduct> extends Generator<number, infer View> ? View : never;

/** @throws {PageProblem} */
export function* viewProduct(request: PageRequest, uuidText: string) {
  const { store } = request;
  const question = readQuestion(request, uuidText);
  const { code, product, place, unit, currency, type, period } = question;
  const conditions = { productUuids: [product.uuid], ...place.conditions };
  const judged =
    place.kind === "country"
      ? yield* judgedInCountry(store, product.uuid)
      : yield* findJudged(store, { ...conditions, level: place.kind, measures: stateMeasures });
  const figures = yield* figuresByType(store, { code, place, unit }, judged);
  const inCurrency =
    currency === undefined ? figures : yield* figuresByType(store, { code, place, unit, currency }, judged);
  const newest: MonthAtMarkets[] = [];
  for (const ofType of figures.byType) newest.push(yield* figuresAtMarkets(store, ofType, newestOf(ofType).month));
  // A link to another place keeps the type, which that place may not have.
  const chosen = figures.byType.find(({ marketType }) => marketType === type) ?? figures.byType[0];
  const ofChosen = newest.find((found) => found.figures === chosen);
  const country = chosen && place.kind !== "country" ? yield* countryFigures(store, chosen) : undefined;
  const continued = yield* continuedLines(store, inCurrency.byType);
  const others = continued.flatMap(({ line }) => line ?? []);
  // Only where all months are requested, so that the newest prices of this product stay in the chart.
  const span = chosen && spanOf(period, period.period === "all" ? [...figures.byType, ...others] : figures.byType);
  const series = findSeries(store, conditions, "last_recorded_at");
  const related = relatedProducts(store, code);
  yield store.series.counts.length + store.catalogue.products.length;
  return {
    ...question,
    figures,
    /** The same in the currency that the address chooses. */
    inCurrency,
    /** The newest month of each type of market, in the order of `figures.byType`. */
    newest,
    /** The type of market that the page shows in full; undefined without prices. */
    chosen,
    /** The newest month of that type. */
    ofChosen,
    /** The chosen type in all of Kenya, in the newest month of the place; undefined where all of Kenya is the place. */
    country,
    /** The products that it continues or that continue it. */
    continued,
    /** The months of the chart; undefined without prices. */
    span,
    /** The product at the place, at each type of market that has figures. */
    judged,
    /** Positions in `store.series` of its market prices, newest first. */
    series,
    related,
  };
}

/** All of Kenya in the newest month of a place, beside which that place is seen. */
function* countryFigures(store: Store, ofPlace: SeriesFigures): Generator<number, MonthAtMarkets> {
  const { code, marketType, unit } = ofPlace;
  const { byType } = yield* figuresByType(store, { code, marketType, unit, place: wholeCountry });
  // All of Kenya holds the place, so it has the month.
  return yield* figuresAtMarkets(store, byType[0] as SeriesFigures, newestOf(ofPlace).month);
}

/**
 * Reads the address. A value that it leaves open is undefined, and so is the product's own currency.
 *
 * @throws {PageProblem}
 */
function readQuestion(request: PageRequest, uuidText: string) {
  const { store } = request;
  const { catalogue, statisticsUnits } = store;
  const code = request.productCode(uuidText, "path");
  const product = recordAt(catalogue.products, code);
  const place = request.place();
  const own = statisticsUnits[code] as UnitAndCurrency;
  const ownBase = baseUnitOf(store, own.unit);
  const ofBase = [...catalogue.units.keys()].filter((name) => baseUnitOf(store, name) === ownBase);
  const units = [...new Set([own.unit, ...ofBase])];
  const ownCurrency = own.currency ?? referenceCurrency;
  const others = canConvertTo(catalogue, referenceCurrency) ? [referenceCurrency] : [];
  const currencies = [...new Set([ownCurrency, ...others])];
  const unit = request.choice("unit", units);
  const currency = request.choice("currency", currencies);
  return {
    code,
    product,
    place,
    /** The product at the place, as conditions of questions and requests. */
    scope: { productUuid: product.uuid, ...place.conditions },
    unit,
    /** The units that the statistics of the product convert to, its own first. */
    units,
    currency: currency === ownCurrency ? undefined : currency,
    /** The currencies that its prices are shown in, its own first. */
    currencies,
    period: readPeriod(request),
    type: request.value("type"),
  };
}
