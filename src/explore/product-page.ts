/** A product: what it costs and whether that is much, month by month, over the year, over the counties, and at its markets. */

import { type Day, dayText } from "../domain/calendar-day.ts";
import type { ProductRecord } from "../domain/records.ts";
import { marketTypes } from "../domain/vocabulary.ts";
import { renderParagraph } from "../pages/elements.ts";
import { type Markup, markup } from "../pages/markup.ts";
import { findSeries } from "../query/find-series.ts";
import { newestDayAt, placesOfProduct } from "../query/places-of-product.ts";
import { countyRecord, type ProductCode, recordAt } from "../store/catalogue.ts";
import type { Store } from "../store/store.ts";
import { compareParameter } from "./compare-series.ts";
import { countiesSection } from "./counties-section.ts";
import { columnKinds, type DataTable } from "./data-table.ts";
import { figuresByType, type ProductFigures, type TypeFigures } from "./monthly-figures.ts";
import { type MonthlyLine, monthsSection } from "./months-section.ts";
import { type Page, renderSelect, type Section, sectionRows } from "./page.ts";
import { readSpan, renderPeriodChoice } from "./period.ts";
import { type Place, placeSuffix, productAtPlace, readPlace } from "./place.ts";
import { countrySentence, excludedSentence, oldDaysMin, productSentence, usualSentence } from "./product-line.ts";
import { newestRecordedText, recordedText } from "./recorded-text.ts";
import {
  badParameter,
  comparePath,
  linkTo,
  linkWith,
  PageProblem,
  type PageRequest,
  productLink,
  productPath,
  readChoice,
  readText,
  requireUuid,
} from "./request.ts";
import { seasonSection } from "./season-section.ts";
import { seriesSection } from "./series-section.ts";

/** @throws {PageProblem} */
export function* productPage(request: PageRequest, uuidText: string): Generator<number, Page> {
  const { store, words } = request;
  const uuid = requireUuid("product", uuidText);
  const code = store.catalogue.productCodes.get(uuid);
  if (code === undefined) throw new PageProblem(404, "notFoundProduct", { found: uuid });
  const record = recordAt(store.catalogue.products, code);
  const place = readPlace(request);
  const unit = readUnit(request, code);
  const figures = yield* figuresByType(store, code, place, unit);
  const { byType } = figures;
  // A link to another place keeps the type, which that place may not have.
  const chosenType = readChoice(request, "type", marketTypes);
  const chosen = byType.find(({ marketType }) => marketType === chosenType) ?? byType[0];
  const lead = yield* renderLead(request, code, record, place, figures, chosen);
  const sections: Section[] = [];
  if (chosen !== undefined) {
    const lines = byType.map((figures) => lineOf(request, record, place, figures));
    const line = lineOf(request, record, place, chosen);
    const otherTypes = typeLinks(request, byType, chosen);
    sections.push(monthsSection(request, words.say("byMonthHeading"), lines, readSpan(request, byType)));
    yield sectionRows;
    sections.push(seasonSection(request, line, otherTypes("season")));
    yield sectionRows;
    if (place.kind !== "market") sections.push(yield* countiesSection(request, code, chosen, otherTypes("counties")));
    yield sectionRows;
  }
  const positions = findSeries(store, { productUuids: [uuid], ...place.conditions }, "last_recorded_at");
  if (positions.length > 0) {
    sections.push(
      yield* seriesSection(request, {
        heading: words.say("marketsHeading"),
        lead: words.say("marketsLead", { count: positions.length }),
        by: "market",
        positions,
        path: seriesPath(uuid, place),
      }),
    );
  }
  yield sectionRows;
  const related = relatedProducts(store, code);
  if (related.length > 0) sections.push(relatedSection(request, code, related));
  return { title: productAtPlace(words, record, place), lead, sections };
}

function seriesPath(uuid: string, { conditions: { countyId, marketUuid } }: Place): string {
  const county = countyId === undefined ? "" : `&county_id=${countyId}`;
  const market = marketUuid === undefined ? "" : `&market_uuid=${marketUuid}`;
  return `/api/v1/prices/series?product_uuid=${uuid}${county}${market}&sort=last_recorded_at&page_size=1000`;
}

function lineOf(
  { words }: PageRequest,
  { name, uuid }: ProductRecord,
  place: Place,
  figures: TypeFigures,
): MonthlyLine {
  return { label: words.type(figures.marketType), product: name, productUuid: uuid, place, figures };
}

/** A unit that the product's statistics convert to; undefined for their own. @throws {PageProblem} */
function readUnit(request: PageRequest, code: ProductCode): string | undefined {
  const text = readText(request, "unit");
  if (text === undefined) return undefined;
  const units = unitsOf(request.store, code);
  if (!units.includes(text)) throw badParameter("unit", text, units.join(", "));
  return text;
}

function unitsOf({ catalogue, measures }: Store, code: ProductCode): string[] {
  const own = measures[code]?.unit as string;
  const base = catalogue.units.get(own)?.baseUnit;
  const same = [...catalogue.units.values()].filter(({ baseUnit }) => baseUnit === base);
  return [own, ...same.map(({ name }) => name).filter((name) => name !== own)];
}

function* renderLead(
  request: PageRequest,
  code: ProductCode,
  record: ProductRecord,
  place: Place,
  { byType, excluded }: ProductFigures,
  chosen: TypeFigures | undefined,
): Generator<number, Markup> {
  const { store, words } = request;
  const parts: Markup[] = [];
  for (const [at, figures] of byType.entries()) {
    const sentence = yield* productSentence(store, words, code, record, place, figures);
    parts.push(renderParagraph(sentence, at === 0 ? "sentence" : undefined));
  }
  const excludedText = excludedSentence(store, words, code, excluded, chosen?.unit);
  if (chosen === undefined && excluded > 0) {
    parts.push(renderParagraph(excludedText, "sentence"));
  } else if (chosen === undefined) {
    parts.push(renderParagraph(words.say("noPricesOfProduct", { place: placeSuffix(words, place) }), "sentence"));
  } else {
    const judgement = [usualSentence(words, chosen)];
    if (place.kind !== "country") judgement.push(yield* countrySentence(store, words, code, chosen));
    parts.push(
      markup`<p class="judgement"><strong>${words.say("isThatMuch")}</strong> ${words.titled(words.type(chosen.marketType))}: ${judgement.join(" ")}</p>`,
    );
    parts.push(...renderOld(request, code, place));
    if (excluded > 0) parts.push(renderParagraph(excludedText, "quiet"));
  }
  const names = record.alternativeNames ?? [];
  if (names.length > 0) parts.push(renderParagraph(words.say("alsoCalled", { names: names.join(", ") }), "quiet"));
  const compared = chosen && compareParameter({ productUuid: record.uuid, marketType: chosen.marketType, place });
  const compare =
    compared !== undefined &&
    markup`<p><a href="${linkTo(request, comparePath, { series: compared })}">${words.say("compareThis")}</a></p>`;
  return markup`${parts}
${renderChoices(request, code, place)}
${compare}`;
}

/** Says that the prices end long before those of the data, and which product goes on. */
function renderOld(request: PageRequest, code: ProductCode, place: Place): Markup[] {
  const { store, words } = request;
  const newest = newestDayAt(store, code, place.conditions) ?? (store.periods.newestDay as Day);
  const days = store.periods.newestDay - newest;
  if (days < oldDaysMin) return [];
  const country =
    place.kind !== "country" &&
    markup` <a href="${linkTo(request, request.path)}">${words.say("pricesOfOtherPlaces")}</a>`;
  const note = words.say("oldPrices", { count: days, last: newestRecordedText(request) });
  const continuing = relatedProducts(store, code).filter(({ continues }) => continues);
  const links = continuing.map(({ product, newestRow }) => {
    const record = recordAt(store.catalogue.products, product);
    const text = words.say("continuedBy", { product: words.product(record), last: recordedText(request, newestRow) });
    return markup` <a href="${linkTo(request, productPath(record.uuid))}">${text}</a>`;
  });
  return [markup`<p class="note">${note}${country}${links}</p>`];
}

/** The form with the place, the period and the unit. */
function renderChoices(request: PageRequest, code: ProductCode, place: Place): Markup {
  const { store, words } = request;
  const units = unitsOf(store, code).map((name) => [name, words.unit(name)] as const);
  const type = readText(request, "type");
  return markup`<form class="choices" action="${request.path}">
${place.kind === "market" ? renderMarket(request, place) : renderCounties(request, code, place)}
${renderPeriodChoice(request)}
${units.length > 1 && renderSelect("unit", words.say("unit"), units, readText(request, "unit") ?? "")}
${type !== undefined && markup`<input type="hidden" name="type" value="${type}">`}
${request.keepsLanguage && markup`<input type="hidden" name="lang" value="${words.language}">`}
<button>${words.say("show")}</button>
</form>`;
}

/** The field with the counties that have prices. */
function renderCounties({ store, words }: PageRequest, code: ProductCode, { conditions }: Place): Markup {
  const counties = placesOfProduct(store, code).counties.map(
    (id) => [String(id), countyRecord(store.catalogue, id).name] as const,
  );
  const chosen = conditions.countyId === undefined ? "" : String(conditions.countyId);
  return renderSelect("county", words.say("county"), [["", words.say("pricesOfOtherPlaces")], ...counties], chosen);
}

/** The market that the form keeps, with a way out of it. */
function renderMarket(request: PageRequest, { name, conditions: { marketUuid } }: Place): Markup {
  const { words } = request;
  return markup`<input type="hidden" name="market" value="${marketUuid}">
<span>${words.say("market")}: ${name} <a href="${linkTo(request, request.path)}">${words.say("pricesOfOtherPlaces")}</a></span>`;
}

/** Links to the other types of market; undefined where there is one type only. */
function typeLinks(
  request: PageRequest,
  byType: readonly TypeFigures[],
  chosen: TypeFigures,
): (anchor: string) => Markup | undefined {
  const { words } = request;
  return (anchor) => {
    if (byType.length < 2) return undefined;
    const links = byType.map(({ marketType }) => {
      const current = marketType === chosen.marketType && markup` aria-current="true"`;
      return markup` <a href="${linkWith(request, { type: marketType })}#${anchor}"${current}>${words.type(marketType)}</a>`;
    });
    return markup`<p class="types">${words.say("typeOfMarket")}:${links}</p>`;
  };
}

/** A product with the same stem of the name. */
export interface RelatedProduct extends DaysOfProduct {
  readonly product: ProductCode;
  /** Whether it begins later and has newer prices. */
  readonly continues: boolean;
}

/** The name up to the bracket that names the variety. */
function stemOf(foldedName: string): string {
  return (foldedName.split("(")[0] as string).trim();
}

/** The other products with prices that share the stem of the name, the newest first. Cost: a look at every product. */
export function relatedProducts(store: Store, code: ProductCode): RelatedProduct[] {
  const { products } = store.catalogue;
  const stem = stemOf(products[code]?.foldedName ?? "");
  const own = daysOfProduct(store, code);
  return [...products.entries()]
    .filter(([other, { foldedName }]) => other !== code && stemOf(foldedName) === stem)
    .flatMap(([other]): RelatedProduct[] => {
      const days = daysOfProduct(store, other);
      if (days === undefined) return [];
      const continues = own !== undefined && days.dayFirst > own.dayFirst && days.dayLast > own.dayLast;
      return [{ product: other as ProductCode, ...days, continues }];
    })
    .sort((a, b) => b.dayLast - a.dayLast || a.product - b.product);
}

interface DaysOfProduct {
  readonly oldestRow: number;
  readonly newestRow: number;
  readonly dayFirst: Day;
  readonly dayLast: Day;
  readonly count: number;
}

function daysOfProduct(
  { periods: { newestDay, ages, dayCodes }, rowsByProduct: { offsets, rows } }: Store,
  product: number,
): DaysOfProduct | undefined {
  const from = offsets[product] as number;
  const to = offsets[product + 1] as number;
  if (from === to) return undefined;
  const [oldestRow, newestRow] = [rows[to - 1] as number, rows[from] as number];
  const dayOf = (row: number): Day => (newestDay - (ages[dayCodes[row] as number] as number)) as Day;
  return { oldestRow, newestRow, dayFirst: dayOf(oldestRow), dayLast: dayOf(newestRow), count: to - from };
}

function relatedSection(request: PageRequest, code: ProductCode, related: readonly RelatedProduct[]): Section {
  const { store, words } = request;
  const heading = words.say("relatedHeading");
  const recordOf = ({ product }: RelatedProduct): ProductRecord => recordAt(store.catalogue.products, product);
  const { day, text, count, csv } = columnKinds<RelatedProduct>(words);
  const badge = markup` <span class="badge">${words.say("continues")}</span>`;
  const link = (row: RelatedProduct): Markup => markup`${productLink(request, recordOf(row))}${row.continues && badge}`;
  const searched = encodeURIComponent(stemOf(store.catalogue.products[code]?.foldedName ?? ""));
  const table: DataTable<RelatedProduct> = {
    name: "related",
    title: heading,
    rows: related,
    requests: [{ method: "GET", path: `/api/v1/products?search=${searched}&page_size=100` }],
    columns: [
      text("product", words.say("product"), (row) => recordOf(row).name, link),
      csv("product_uuid", (row) => recordOf(row).uuid),
      day(
        "first_day",
        words.say("first"),
        ({ dayFirst }) => dayText(dayFirst),
        ({ oldestRow }) => recordedText(request, oldestRow),
      ),
      day(
        "last_day",
        words.say("last"),
        ({ dayLast }) => dayText(dayLast),
        ({ newestRow }) => recordedText(request, newestRow),
      ),
      count("price_count", words.say("samples"), (row) => row.count),
    ],
  };
  return { id: "related", heading, content: renderParagraph(words.say("relatedLead")), table };
}
