/** Finds once what the address of a product page requests, and what its parts show. */
import { referenceCurrency } from "../../engine/model/records.ts";
import { marketTypes } from "../../engine/model/vocabulary.ts";
import { findSeries } from "../../engine/query/find-series.ts";
import { findJudged, type JudgedSubject } from "../../engine/query/measures/find-judged.ts";
import { stateMeasures } from "../../engine/query/state-of-prices.ts";
import { type ProductEntry, recordAt } from "../../engine/store/catalogue.ts";
import { rowsOf } from "../../engine/store/posting-list.ts";
import { canConvertTo, type UnitAndCurrency } from "../../engine/store/price-conversion.ts";
import type { Store } from "../../engine/store/store.ts";
import {
  baseUnitOf,
  type ContinuedLine,
  continuedLines,
  figuresAtMarkets,
  figuresByType,
  type MonthAtMarkets,
  type MonthSpan,
  newestOf,
  type ProductFigures,
  type SeriesFigures,
} from "./monthly-lines.ts";
import { readPeriod, spanOf } from "./period.ts";
import { wholeCountry } from "./place.ts";
import type { PageRequest } from "./request.ts";

export interface ProductView extends ReturnType<typeof readQuestion> {
  readonly figures: ProductFigures;
  /** The same in the currency that was chosen. */
  readonly inCurrency: ProductFigures;
  /** The newest month of each type of market, in the order of `figures.byType`. */
  readonly newest: readonly MonthAtMarkets[];
  /** The type of market that the page shows in full; undefined without prices. */
  readonly chosen: SeriesFigures | undefined;
  /** That type in all of Kenya, in the newest month of the place; undefined where that is the place. */
  readonly country: MonthAtMarkets | undefined;
  /** The products that it continues or that continue it. */
  readonly continued: readonly ContinuedLine[];
  /** The months of the chart; undefined without prices. */
  readonly span: MonthSpan | undefined;
  /** The product at the place, at each type of market that has figures. */
  readonly judged: readonly JudgedSubject[];
  /** Positions in `store.series` of its market prices, newest first. */
  readonly series: Uint32Array;
  readonly related: readonly RelatedProduct[];
}

/** @throws {PageProblem} */
export function* viewProduct(request: PageRequest, uuidText: string): Generator<number, ProductView> {
  const { store } = request;
  const question = readQuestion(request, uuidText);
  const { code, product, place, unit, currency, type, period } = question;
  const figures = yield* figuresByType(store, { code, place, unit });
  const inCurrency = currency === undefined ? figures : yield* figuresByType(store, { code, place, unit, currency });
  const newest: MonthAtMarkets[] = [];
  for (const ofType of figures.byType) newest.push(yield* figuresAtMarkets(store, ofType, newestOf(ofType).month));
  // A link to another place keeps the type, which that place may not have.
  const chosen = figures.byType.find(({ marketType }) => marketType === type) ?? figures.byType[0];
  const country = chosen && place.kind !== "country" ? yield* countryFigures(store, chosen) : undefined;
  const continued = yield* continuedLines(store, inCurrency.byType);
  const others = continued.flatMap(({ line }) => line ?? []);
  // Only where all months are requested, so that the newest prices of this product stay in the chart.
  const span = chosen && spanOf(period, period.period === "all" ? [...figures.byType, ...others] : figures.byType);
  const conditions = { productUuids: [product.uuid], ...place.conditions };
  const judged = yield* findJudged(store, { ...conditions, level: place.kind, measures: stateMeasures });
  const series = findSeries(store, conditions, "last_recorded_at");
  const related = relatedProducts(store, code);
  yield store.series.counts.length + store.catalogue.products.length;
  return { ...question, figures, inCurrency, newest, chosen, country, continued, span, judged, series, related };
}

/** All of Kenya in the newest month of a place, beside which that place is seen. */
function* countryFigures(store: Store, ofPlace: SeriesFigures): Generator<number, MonthAtMarkets> {
  const { code, marketType, unit } = ofPlace;
  const { byType } = yield* figuresByType(store, { code, marketType, unit, place: wholeCountry });
  // All of Kenya holds the place, so it has the month.
  return yield* figuresAtMarkets(store, byType[0] as SeriesFigures, newestOf(ofPlace).month);
}

/**
 * What the address says; undefined is what it leaves open, or the product's own currency.
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
    type: request.choice("type", marketTypes),
  };
}

/** A product with the same stem of the name: the same produce under the names of several years or varieties. */
export type RelatedProduct = ReturnType<typeof relatedProducts>[number];

/** The name of a product up to the bracket that names the variety. */
export function stemOf({ foldedName }: Pick<ProductEntry, "foldedName">): string {
  const [stem = ""] = foldedName.split("(");
  return stem.trim();
}

/** The other products with prices that share the stem of the name, the newest first. Cost: a look at every product. */
function relatedProducts({ catalogue, periods, rowsByProduct }: Store, code: number) {
  const ageOf = (row: number): number => periods.ages[periods.dayCodes[row] as number] as number;
  const stem = stemOf(catalogue.products[code] as ProductEntry);
  const all = [...catalogue.products.entries()].flatMap(([other, entry]) => {
    if (stemOf(entry) !== stem) return [];
    const rows = rowsOf(rowsByProduct, other);
    const [newestRow, oldestRow] = [rows[0], rows.at(-1)];
    if (newestRow === undefined || oldestRow === undefined) return [];
    const ages = { ageFirst: ageOf(oldestRow), ageLast: ageOf(newestRow) };
    return [{ code: other, product: entry.record, oldestRow, newestRow, ...ages, count: rows.length }];
  });
  const own = all.find((found) => found.code === code);
  return all
    .filter((found) => found !== own)
    .map((found) => ({
      ...found,
      /** True if it begins later and has newer prices. */
      continues: own !== undefined && found.ageFirst < own.ageFirst && found.ageLast < own.ageLast,
    }))
    .sort((a, b) => a.ageLast - b.ageLast);
}
