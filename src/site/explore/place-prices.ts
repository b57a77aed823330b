/** Prices of products at places in a table: each with its month and its markets, and its changes with theirs. */

import type { Figure } from "../../contract/price-sentence.ts";
import type { Words } from "../../contract/words.ts";
import { anomalyTable } from "../../engine/export/anomaly-table.ts";
import { blocksOf } from "../../engine/export/table-columns.ts";
import type { MarketRecord, ProductRecord } from "../../engine/model/records.ts";
import type { Population } from "../../engine/model/vocabulary.ts";
import { describeSubject, type JudgedSubject, marketTypeOf } from "../../engine/query/measures/find-judged.ts";
import { isOld } from "../../engine/query/measures/monthly-values.ts";
import { countyPlace, marketPlace, type Place, wholeCountry } from "../../engine/query/place.ts";
import { countyRecord, recordAt } from "../../engine/store/catalogue.ts";
import type { Store } from "../../engine/store/store.ts";
import { type Markup, markup } from "../pages/markup.ts";
import {
  columnKinds,
  type DataColumn,
  type DataTable,
  type ExportedRows,
  exportedRows,
  fromTablet,
} from "./data-table.ts";
import { showChange } from "./figure-text.ts";
import { placeIn } from "./monthly-series.ts";
import type { ApiRequest, PageRequest } from "./request.ts";

/** A price of a product at a market, in a county or in the country. */
export interface PriceRow {
  readonly judged: JudgedSubject;
  /** The population of the question: of an area one of those that pages show. */
  readonly population?: Population;
  /** From the place of the page. */
  readonly kilometres?: number;
}

export interface PriceTableChoice {
  /** What its rows are named by; a table of several products at several markets has both. */
  readonly by: readonly ("product" | "market")[];
  readonly requests: readonly ApiRequest[];
  readonly shownMax?: number;
  /** Folds up all but the first row of each product and type of market. */
  readonly foldsOthers?: boolean;
}

/** Rows that a page shows; the CSV has all. */
const shownMaxUsual = 120;
const olderShownMax = 60;

/** The place that a row is of. */
export function placeOf({ catalogue }: Store, { judged: { newest }, population = "exclude" }: PriceRow): Place {
  if (newest.market !== undefined) return marketPlace(recordAt(catalogue.markets, newest.market));
  const area = newest.countyId === undefined ? wholeCountry : countyPlace(countyRecord(catalogue, newest.countyId));
  return placeIn(area, population === "only" ? "only" : "exclude");
}

/** Rows as the export of anomalies has them. */
export function exportedPrices(rows: readonly PriceRow[]): ExportedRows {
  const entries = rows.map(({ judged, population = "include" }) => ({ ...judged.newest, refugeeCamps: population }));
  return exportedRows("anomalies", anomalyTable, () => blocksOf(entries));
}

/** The price of a row as a figure. */
export function figureOf(store: Store, row: PriceRow): Figure {
  const { month, median, area } = row.judged.newest;
  return {
    ...describeSubject(store, row.judged),
    place: placeOf(store, row),
    month,
    median,
    markets: area?.markets ?? 1,
  };
}

/** Those that are not old, and the older ones, the newest first. */
export function splitOld<Row extends PriceRow>(store: Store, rows: readonly Row[]): { current: Row[]; older: Row[] } {
  const isOldRow = ({ judged }: Row): boolean => isOld(store, judged.newest.month);
  const older = rows.filter(isOldRow).sort((a, b) => b.judged.newest.month - a.judged.newest.month);
  return { current: rows.filter((row) => !isOldRow(row)), older };
}

/** @param rows In their order; older ones are folded up below the others, without changes. */
export function priceTable(
  request: PageRequest,
  rows: readonly PriceRow[],
  { by, requests, shownMax = shownMaxUsual, foldsOthers = false }: PriceTableChoice,
): DataTable<PriceRow> {
  const { store, words } = request;
  const { current, older } = splitOld(store, rows);
  const { number } = columnKinds<PriceRow>(request);
  const changeOf = (name: "yearBefore" | "previous") => (row: PriceRow) =>
    isOld(store, row.judged.newest.month)
      ? undefined
      : showChange(store, words, row.judged[name], row.judged.newest.month);
  const groups = [...Map.groupBy(current, ({ judged }) => `${judged.newest.product} ${marketTypeOf(judged)}`).values()];
  const others = foldsOthers ? groups.flatMap((group) => group.slice(1)) : [];
  return {
    rows,
    shown: foldsOthers ? groups.flatMap((group) => group.slice(0, 1)) : current.slice(0, shownMax),
    folded: [
      { summary: words.say("otherMarkets", { count: others.length }), rows: others.slice(0, shownMax) },
      { summary: words.say("olderPrices", { count: older.length }), rows: older.slice(0, olderShownMax) },
    ].filter(({ rows }) => rows.length > 0),
    requests,
    csv: exportedPrices(rows),
    columns: [
      nameColumn(request, by),
      number(words.say("price"), (row) => showPrice(request, row)),
      number(words.say("changeOnYear"), changeOf("yearBefore")),
      fromTablet(number(words.say("changeOnPrevious"), changeOf("previous"))),
    ],
  };
}

/** The names that tell rows apart, and what else is known of them. */
function nameColumn(request: PageRequest, by: PriceTableChoice["by"]): DataColumn<PriceRow> {
  const { store, words } = request;
  const { text } = columnKinds<PriceRow>(request);
  const [heading = "product"] = by;
  return text(words.say(heading), (row) => {
    const { product, marketType } = describeSubject(store, row.judged);
    const links = by.map((name) =>
      name === "product"
        ? productLink(request, product, placeOf(store, row), marketType)
        : marketLink(request, product, row),
    );
    const notes = notesOf(request, row, by);
    const [first, second] = links;
    const below = notes && markup` <br><span class="quiet">${notes}</span>`;
    return markup`${first}${second && markup` · ${second}`}${below}`;
  });
}

function productLink(request: PageRequest, product: ProductRecord, place: Place, type: string): Markup {
  const { countyId, marketUuid } = place.conditions;
  return request.productLink(product, { county: countyId, market: marketUuid, type: marketUuid ? undefined : type });
}

/** The market, with a link to the product there. */
function marketLink(request: PageRequest, { uuid }: ProductRecord, row: PriceRow): Markup {
  const market = marketOf(request.store, row) as MarketRecord;
  return request.pageLink(market.name, `/explore/products/${uuid}`, { market: market.uuid });
}

function marketOf({ catalogue }: Store, { judged: { newest } }: PriceRow): MarketRecord | undefined {
  return newest.market === undefined ? undefined : recordAt(catalogue.markets, newest.market);
}

/** The distance, the type of a product's markets, and the county of a market. */
function notesOf({ store, words }: PageRequest, row: PriceRow, by: PriceTableChoice["by"]): string {
  const market = marketOf(store, row);
  const isOfOneProduct = !by.includes("product");
  const county = isOfOneProduct && market && countyRecord(store.catalogue, market.countyId).name;
  const kilometres = row.kilometres !== undefined && `${words.integer(Math.round(row.kilometres))} km`;
  const type = !isOfOneProduct && words.type(describeSubject(store, row.judged).marketType);
  return [kilometres, type, county !== market?.name && county].filter(Boolean).join(", ");
}

/** The price, in the container that it is sold in, its month and its markets. */
function showPrice({ store, words }: PageRequest, row: PriceRow): Markup {
  const { product, median, unit, currency, month, markets, place } = figureOf(store, row);
  const packed = packedPrice(store, words, product, median, unit, currency);
  const at = place.kind === "market" ? "" : `, ${words.say("marketsShort", { count: markets })}`;
  return markup`${words.priceOf(median, currency, unit)} <br>
<span class="quiet">${packed && markup`${packed} <br>`}${words.month(month)}${at}</span>`;
}

/** The price of the first container of a product; undefined where it has none that converts. */
export function packedPrice(
  store: Store,
  words: Words,
  { commonUnits }: ProductRecord,
  price: number,
  unit: string,
  currency: string | null,
): string | undefined {
  const { units } = store.catalogue;
  const base = units.get(unit)?.baseUnit;
  const packed = commonUnits.find((name) => name !== unit && name !== base && units.get(name)?.baseUnit === base);
  return packed && words.priceOf(convertUnit(store, price, unit, packed), currency, packed);
}

/** A price per unit as a price per other unit of the same base. A unit that is not known converts to itself alone. */
export function convertUnit({ catalogue }: Store, price: number, from: string, to: string): number {
  const factorOf = (unit: string): number => catalogue.units.get(unit)?.conversionFactor ?? 1;
  return (price / factorOf(from)) * factorOf(to);
}

/** The cheapest first. */
export function cheapestFirst(rows: readonly PriceRow[]): PriceRow[] {
  return rows.toSorted((a, b) => a.judged.newest.median - b.judged.newest.median);
}
