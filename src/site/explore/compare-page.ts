/** Up to six series in one chart and one table, in one unit and one currency. */

import { comparePath, productPath } from "../../contract/paths.ts";
import { nameOfSeries, whereText } from "../../contract/price-sentence.ts";
import type { WordKey } from "../../contract/words.ts";
import type { MarketType } from "../../engine/model/vocabulary.ts";
import { findSources } from "../../engine/query/describe-prices.ts";
import { countyPlace, marketPlace, type Place, type Series, wholeCountry } from "../../engine/query/place.ts";
import { newestDayAt, placesOfProduct } from "../../engine/query/places-of-product.ts";
import { countyRecord, type ProductCode, recordAt } from "../../engine/store/catalogue.ts";
import { rowsOf } from "../../engine/store/columns.ts";
import type { Store } from "../../engine/store/store.ts";
import { linesMax } from "../charts/chart-style.ts";
import { renderForm, renderHidden, renderParagraph, renderSelect } from "../pages/elements.ts";
import { type Markup, markup } from "../pages/markup.ts";
import { cardOf } from "./chart-forms.ts";
import { makeSections, type Page } from "./explorer-page.ts";
import {
  baseUnitOf,
  findFigures,
  leftOutText,
  placeIn,
  placeParameters,
  populations,
  pricesOf,
  seriesParameter,
} from "./monthly-series.ts";
import {
  fixedPeriod,
  type MonthlyLine,
  monthsSection,
  type PeriodChoice,
  readPeriod,
  renderPeriodChoice,
  spanOf,
} from "./months-section.ts";
import { badParameter, type PageRequest, periodParameters } from "./request.ts";

/** Choices of a list; further ones are left out. */
const productsMax = 300;
const marketsMax = 120;

/** @throws {PageProblem} */
export function* comparePage(request: PageRequest): Generator<number, Page> {
  const { store, words } = request;
  const chosen = readChosen(request);
  const period: PeriodChoice = chosen.length > 0 ? readPeriod(request) : {};
  const lines: MonthlyLine[] = [];
  const problems: Markup[] = [];
  for (const series of chosen) {
    const found = yield* findLine(request, series, lines[0]);
    if (typeof found === "string") problems.push(renderParagraph(found, "note"));
    else lines.push(found);
  }
  const span = lines.length > 0 ? spanOf(period, lines) : undefined;
  const sections = yield* makeSections([
    () => span && monthsSection(request, lines, { id: "months", heading: words.say("byMonthHeading"), span }),
  ]);
  const lead = markup`${renderParagraph(words.say("compareLead", { max: linesMax }))}
${renderChosen(request, chosen)}
${problems}
${renderQuestion(request, chosen, period)}`;
  const names = lines.map(({ label }) => label);
  return {
    title: words.say("compareTitle"),
    lead,
    sections,
    card: lines[0] && cardOf(lines[0]),
    description: names.join("; ") || undefined,
    sources: names.length > 0 ? yield* findSources(store, lines.map(pricesOf)) : undefined,
    fixed: span && fixedPeriod(span),
  };
}

/** Keeps the place of a series that was removed. */
const noSeries = "-";

/** A series with the colour of its line. */
type ChosenSeries = Series & Pick<MonthlyLine, "colour">;

/**
 * The series of the address, each once. The place of a series in the address is its colour. What has no place below
 * `linesMax` has the first colour that is free.
 *
 * @throws {PageProblem}
 */
function readChosen(request: PageRequest): ChosenSeries[] {
  const places = request.parameters.getAll("series");
  const texts = [...new Set(places.filter((text) => text !== noSeries))];
  if (texts.length > linesMax) throw badParameter("series", `${texts.length}`, `≤ ${linesMax}`);
  const free = Array.from({ length: linesMax }, (_, at) => at).filter((at) => !texts.includes(places[at] ?? ""));
  const series = texts.map((text): ChosenSeries => {
    const place = places.indexOf(text);
    return { ...request.series(text), colour: place < linesMax ? place : (free.shift() as number) };
  });
  const added = addedSeries(request, series);
  return added === undefined ? series : [...series, { ...added, colour: free.shift() as number }];
}

/**
 * All of Kenya of the product that the address adds, where no series is of it yet; where the address has neither, of
 * the product with most prices, so that there is a chart to add to.
 *
 * @throws {PageProblem}
 */
function addedSeries(request: PageRequest, chosen: readonly Series[]): Series | undefined {
  const { store } = request;
  const text = request.text("product");
  if (text === undefined && (chosen.length > 0 || store.prices.rowCount === 0)) return undefined;
  const code = text === undefined ? withMostPrices(store) : request.productCode(text, "parameter");
  if (chosen.length >= linesMax || chosen.some((series) => series.code === code)) return undefined;
  const product = recordAt(store.catalogue.products, code);
  const dayAt = ({ place, marketType }: Omit<Series, "code">): number =>
    newestDayAt(store, code, { ...place.conditions, marketType }) ?? -Infinity;
  const all = populations.flatMap((population) => {
    const place = placeIn(wholeCountry, population);
    return placesOfProduct(store, code).types.map((marketType) => ({ code, product, marketType, place }));
  });
  const [first] = all.filter((series) => dayAt(series) > -Infinity).sort((a, b) => dayAt(b) - dayAt(a));
  return first;
}

/** The product with most prices; the first of equal ones. Cost: reads the number of prices of each product. */
function withMostPrices({ rowsByProduct: { offsets } }: Store): ProductCode {
  let most = 0;
  const countOf = (code: number): number => (offsets[code + 1] as number) - (offsets[code] as number);
  for (let code = 1; code < offsets.length - 1; code++) if (countOf(code) > countOf(most)) most = code;
  return most as ProductCode;
}

/**
 * @param first The first line of the chart, whose unit and currency the others must have, if there is one.
 * @returns A text that says why there is no line.
 */
function* findLine(
  { store, words }: PageRequest,
  series: ChosenSeries,
  first: MonthlyLine | undefined,
): Generator<number, MonthlyLine | string> {
  const ownBase = baseUnitOf(store, store.statisticsUnits[series.code]?.unit);
  // A product that does not convert to the unit of the chart has its own.
  const unit = baseUnitOf(store, first?.unit) === ownBase ? first?.unit : undefined;
  const found = yield* findFigures(store, { ...series, unit });
  const { refugeeCamps } = series.place.conditions;
  const figures = found.series.find(({ place }) => place.conditions.refugeeCamps === refugeeCamps);
  const label = nameOfSeries(store, words, series);
  if (figures === undefined) {
    const leftOut = leftOutText(words, found);
    return leftOut === undefined ? words.say("noPricesOfProduct", { place: `: ${label}` }) : `${label}: ${leftOut}`;
  }
  if (first === undefined || (figures.unit === first.unit && figures.currency === first.currency)) {
    return { ...figures, label, colour: series.colour };
  }
  const perUnit = words.currencyPerUnit(figures.currency, figures.unit);
  return words.say("notComparable", {
    series: label,
    unit: perUnit,
    wanted: words.currencyPerUnit(first.currency, first.unit),
  });
}

/** The series of an address, each at the place of its colour. */
function seriesParameters(chosen: readonly ChosenSeries[]): URLSearchParams {
  const byColour: string[] = [];
  for (const series of chosen) byColour[series.colour] = seriesParameter(series);
  return new URLSearchParams(Array.from(byColour, (text = noSeries) => ["series", text]));
}

function renderChosen(request: PageRequest, chosen: readonly ChosenSeries[]): Markup | undefined {
  const { words } = request;
  if (chosen.length === 0) return renderParagraph(words.say("nothingToCompare"));
  const period = Object.fromEntries(periodParameters.map((name) => [name, request.text(name)]));
  const items = chosen.map((series) => {
    const name = nameOfSeries(request.store, words, series);
    const others = chosen.filter((other) => other !== series);
    const without = request.linkTo(comparePath, period, seriesParameters(others));
    const parameters = { ...placeParameters(series.place.conditions), type: series.marketType };
    return markup`<li>${request.pageLink(name, productPath(series.product.uuid), parameters)}
<a class="remove" href="${without}" aria-label="${words.say("remove")}: ${name}">${words.say("remove")}</a></li>\n`;
  });
  return markup`<ul class="chosen">${items}</ul>`;
}

/**
 * The form has the period and, below `linesMax` series, two lists of what can be added, with one button. The list of
 * products adds the product in all of Kenya; the list below it adds one of the series of the last product.
 */
function renderQuestion(request: PageRequest, chosen: readonly ChosenSeries[], period: PeriodChoice): Markup {
  const { words } = request;
  const kept = [...seriesParameters(chosen)].map(([name, value]) => renderHidden(name, value));
  const isFull = chosen.length >= linesMax;
  const fields = markup`${kept}
${!isFull && renderAdded(request, chosen)}
${chosen.length > 0 && renderPeriodChoice(words, period)}`;
  return markup`${renderForm(request, request.linkTo(comparePath), fields)}
${isFull && renderParagraph(words.say("compareFull", { max: linesMax }), "note")}`;
}

/** The lists of what can be added. */
function renderAdded(request: PageRequest, chosen: readonly ChosenSeries[]): Markup {
  const { store, words } = request;
  const { products } = store.catalogue;
  const code = chosen.at(-1)?.code;
  const priced = [...products.entries()].filter(([code]) => rowsOf(store.rowsByProduct, code).length > 0);
  const shown = priced.slice(0, productsMax);
  const options = shown.map(([, { record }]) => [record.uuid as string, words.product(record)] as const);
  const more = priced.length - options.length;
  const groups =
    code === undefined ? [] : continuingTogether(store, code).flatMap((each) => placeGroups(request, each));
  const none = markup`<option value="">${words.say("none")}</option>`;
  const places = markup`<label>${words.say("chooseSeries")} <select name="series">${none}${groups}</select></label>`;
  return markup`${renderSelect("product", words.say("chooseProduct"), [["", words.say("none")], ...options], "")}
${groups.length > 0 && places}
${more > 0 && renderParagraph(words.say("moreToCompare", { count: more }), "quiet")}`;
}

/** A product, and those that it continues or that continue it: a comparison needs their whole course. */
function continuingTogether({ catalogue: { continuations, productCodes } }: Store, product: number): number[] {
  const others = continuations.flatMap(({ productUuid, continuesUuid }) => {
    const codes = [productUuid, continuesUuid].map((uuid) => productCodes.get(uuid) as number);
    return codes.includes(product) ? codes : [];
  });
  return [...new Set([product, ...others])];
}

/** The market prices of a product, by kind of place. */
function placeGroups({ store, words }: PageRequest, code: number): Markup[] {
  const { catalogue } = store;
  const product = recordAt(catalogue.products, code);
  const { types, counties, markets } = placesOfProduct(store, code);
  const name = words.product(product);
  const group = (key: WordKey, options: readonly Markup[]) => renderGroup(`${name}: ${words.say(key)}`, options);
  const option = (place: Place, marketType: MarketType, text: string): Markup =>
    renderOption({ product, marketType, place }, `${text}, ${words.type(marketType)}`);
  const ofCounties = counties.flatMap((countyId) =>
    types
      .filter((marketType) => newestDayAt(store, code, { countyId, marketType }) !== undefined)
      .map((marketType) => {
        const place = countyPlace(countyRecord(catalogue, countyId));
        return option(place, marketType, place.name);
      }),
  );
  const ofMarkets = markets.slice(0, marketsMax).map((market) => {
    const record = recordAt(catalogue.markets, market);
    const county = countyRecord(catalogue, record.countyId).name;
    const text = record.name.includes(county) ? record.name : `${record.name} (${county})`;
    return option(marketPlace(record), record.type, text);
  });
  const more = markets.length - ofMarkets.length;
  if (more > 0) ofMarkets.push(markup`<option disabled>${words.say("moreToCompare", { count: more })}</option>`);
  const ofCountry = types.flatMap((marketType) =>
    populations
      .filter((refugeeCamps) => newestDayAt(store, code, { refugeeCamps, marketType }) !== undefined)
      .map((refugeeCamps) => {
        const place = placeIn(wholeCountry, refugeeCamps);
        return option(place, marketType, `${name} ${whereText(store, words, place)}`);
      }),
  );
  return [...group("allOfKenya", ofCountry), ...group("inCounties", ofCounties), ...group("atTheMarkets", ofMarkets)];
}

function renderOption(series: Omit<Series, "code">, text: string): Markup {
  return markup`<option value="${seriesParameter(series)}">${text}</option>`;
}

function renderGroup(label: string, options: readonly Markup[]): Markup[] {
  return options.length === 0 ? [] : [markup`<optgroup label="${label}">${options}</optgroup>`];
}
