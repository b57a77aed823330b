/** Up to six series in one chart and one table, in one unit and one currency. */

import { linesMax } from "../charts/chart-style.ts";
import type { Uuid } from "../domain/ids.ts";
import type { MarketType } from "../domain/vocabulary.ts";
import { renderParagraph } from "../pages/elements.ts";
import { type Markup, markup } from "../pages/markup.ts";
import { findSources } from "../query/find-sources.ts";
import { newestDayAt, placesOfProduct } from "../query/places-of-product.ts";
import { countyRecord, type ProductCode, recordAt } from "../store/catalogue.ts";
import type { Store } from "../store/store.ts";
import { type ComparedSeries, compareParameter, nameOfSeries, readComparedSeries } from "./compare-series.ts";
import { figuresByType, type MonthlyLine, type MonthSpan, type TypeFigures } from "./monthly-figures.ts";
import { monthsSection } from "./months-section.ts";
import { type Page, renderHidden, renderSelect, type Section, sectionRows } from "./page.ts";
import { fixedPeriod, type PeriodChoice, parsePeriod, periodParameters, renderPeriodChoice, spanOf } from "./period.ts";
import { countyPlace, marketPlace, type Place, wholeCountry } from "./place.ts";
import { leftOutText } from "./product-lead.ts";
import {
  badParameter,
  comparePath,
  linkTo,
  type PageRequest,
  placeParameters,
  productPath,
  readText,
  readTexts,
  requireUuid,
} from "./request.ts";
import { newestDayCode } from "./search.ts";
import type { WordKey } from "./words.ts";

/** Choices of a list; further ones are left out. */
const productsMax = 300;
const marketsMax = 120;

/** @throws {PageProblem} */
export function* comparePage(request: PageRequest): Generator<number, Page> {
  const { store, words } = request;
  const chosen = readChosen(request);
  const period = chosen.length > 0 ? parsePeriod(readTexts(request, periodParameters)) : {};
  const lines: MonthlyLine[] = [];
  const problems: Markup[] = [];
  let measure: Pick<TypeFigures, "unit" | "currency"> | undefined;
  for (const series of chosen) {
    const line = yield* readLine(request, series, measure?.unit);
    if (typeof line === "string") {
      problems.push(renderParagraph(line, "note"));
      continue;
    }
    measure ??= line.figures;
    if (line.figures.unit === measure.unit && line.figures.currency === measure.currency) lines.push(line);
    else {
      const values = {
        series: line.label,
        measure: words.measure(line.figures.currency, line.figures.unit),
        wanted: words.measure(measure.currency, measure.unit),
      };
      problems.push(renderParagraph(words.say("notComparable", values), "note"));
    }
  }
  const sections: Section[] = [];
  let span: MonthSpan | undefined;
  if (lines.length > 0) {
    const shown = lines.map(({ figures }) => figures);
    span = spanOf(period, shown);
    const choice = { span, index: period.index };
    sections.push(yield* monthsSection(request, words.say("byMonthHeading"), lines, choice));
    yield sectionRows;
  }
  const isFull = chosen.length >= linesMax;
  const lead = markup`${renderParagraph(words.say("compareLead", { max: linesMax }))}
${renderChosen(request, chosen)}
${problems}
${renderPeriodForm(request, chosen, period)}
${isFull ? renderParagraph(words.say("compareFull", { max: linesMax }), "note") : renderForms(request, chosen)}`;
  const names = lines.map(({ label }) => label);
  const productUuids = lines.map((line) => line.productUuid);
  return {
    title: names.length === 0 ? words.say("compare") : names.join(" · "),
    lead,
    sections,
    description: names.join("; ") || undefined,
    sources: names.length > 0 ? yield* findSources(store, { productUuids }) : undefined,
    fixed: span && fixedPeriod(span),
  };
}

/** The series of the address, each once. @throws {PageProblem} */
function readChosen({ parameters, store }: PageRequest): ComparedSeries[] {
  const texts = [...new Set(parameters.getAll("series").filter((text) => text !== ""))];
  if (texts.length > linesMax) throw badParameter("series", `${texts.length}`, `≤ ${linesMax}`);
  return texts.map((text) => readComparedSeries(store, text));
}

/**
 * @param unit That of the chart, if it is known; a product that does not convert to it has its own.
 * @returns A text that says why there is no line.
 */
function* readLine(
  request: PageRequest,
  series: ComparedSeries,
  unit: string | undefined,
): Generator<number, MonthlyLine | string> {
  const { store, words } = request;
  const { catalogue, measures } = store;
  const { productUuid, marketType, place } = series;
  const code = catalogue.productCodes.get(productUuid) as ProductCode;
  const own = measures[code]?.unit as string;
  const isConvertible =
    unit !== undefined && catalogue.units.get(unit)?.baseUnit === catalogue.units.get(own)?.baseUnit;
  const wantedUnit = isConvertible ? unit : undefined;
  const found = yield* figuresByType(store, productUuid, place, { unit: wantedUnit }, [marketType]);
  const { byType, suspicious } = found;
  const [figures] = byType;
  if (figures === undefined) {
    const name = nameOfSeries(store, words, series);
    const leftOut = leftOutText(store, words, code, found, wantedUnit);
    return leftOut === undefined ? words.say("noPricesOfProduct", { place: `: ${name}` }) : `${name}: ${leftOut}`;
  }
  const { name } = recordAt(catalogue.products, code);
  return { label: nameOfSeries(store, words, series), product: name, productUuid, place, figures, suspicious };
}

/** The parameters that keep what is shown. */
function keptParameters(request: PageRequest, chosen: readonly ComparedSeries[]): [name: string, value: string][] {
  return [
    ...chosen.map((series): [string, string] => ["series", compareParameter(series)]),
    ...Object.entries(readTexts(request, periodParameters)),
    ...(request.keepsLanguage ? [["lang", request.words.language] as [string, string]] : []),
  ];
}

function renderChosen(request: PageRequest, chosen: readonly ComparedSeries[]): Markup | undefined {
  const { store, words } = request;
  if (chosen.length === 0) return renderParagraph(words.say("nothingToCompare"));
  const items = chosen.map((series) => {
    const name = nameOfSeries(store, words, series);
    const others = chosen.filter((other) => other !== series);
    const without = `${comparePath}?${new URLSearchParams(keptParameters(request, others))}`;
    const parameters = { ...placeParameters(series.place.conditions), type: series.marketType };
    return markup`<li><a href="${linkTo(request, productPath(series.productUuid), parameters)}">${name}</a>
<a class="remove" href="${without}" aria-label="${words.say("remove")}: ${name}">${words.say("remove")}</a></li>\n`;
  });
  return markup`<ul class="chosen">${items}</ul>`;
}

/** The form with the period; none before a series is chosen. */
function renderPeriodForm(
  request: PageRequest,
  chosen: readonly ComparedSeries[],
  period: PeriodChoice,
): Markup | undefined {
  if (chosen.length === 0) return undefined;
  const kept = keptParameters(request, chosen)
    .filter(([name]) => name === "series" || name === "lang")
    .map(([name, value]) => renderHidden(name, value));
  return markup`<form class="choices" action="${comparePath}">${kept}${renderPeriodChoice(request.words, period)}
<button>${request.words.say("show")}</button></form>`;
}

/** The forms that add a series: a choice in the list and a button; the product decides which places are in it. */
function renderForms(request: PageRequest, chosen: readonly ComparedSeries[]): Markup {
  const { store, words } = request;
  const { products } = store.catalogue;
  const text = readText(request, "product");
  const product = text === undefined ? chosen.at(-1)?.productUuid : requireUuid("product", text);
  if (product !== undefined && !store.catalogue.productCodes.has(product)) {
    throw badParameter("product", product, "/api/v1/products");
  }
  const hidden = keptParameters(request, chosen).map(([name, value]) => renderHidden(name, value));
  const priced = [...products.entries()].filter(([code]) => newestDayCode(store, code) < store.periods.ages.length);
  const shown = priced.slice(0, productsMax);
  const options = shown.map(([, { record }]) => [record.uuid as string, words.product(record)] as const);
  const more = priced.length - options.length;
  const offered = product === undefined ? [] : continuingTogether(store, product);
  const others = shown.filter(([, { record }]) => !offered.includes(record.uuid));
  const groups = [
    ...offered.flatMap((uuid) => placeGroups(request, uuid)),
    ...renderGroup(
      `${words.say("allProducts")}, ${words.say("allOfKenya")}`,
      others.flatMap(([code, { record }]) =>
        placesOfProduct(store, code as ProductCode).types.map((marketType) => {
          const series = { productUuid: record.uuid, marketType, place: wholeCountry };
          return renderOption(series, nameOfSeries(store, words, series));
        }),
      ),
    ),
  ];
  return markup`<form class="choices" action="${comparePath}">${hidden}
<label>${words.say("chooseSeries")} <select name="series">${groups}</select></label>
<button>${words.say("addSeries")}</button></form>
<form class="choices" action="${comparePath}">${hidden}
${renderSelect("product", words.say("chooseProduct"), options, product ?? "")}
<button>${words.say("show")}</button></form>
${more > 0 && renderParagraph(words.say("moreToCompare", { count: more }), "quiet")}`;
}

/** A product, and those that it continues or that continue it: whoever compares wants their whole course. */
function continuingTogether({ catalogue }: Store, product: Uuid): Uuid[] {
  const others = catalogue.continuations.flatMap(({ productUuid, continuesUuid }) =>
    productUuid === product ? [continuesUuid] : continuesUuid === product ? [productUuid] : [],
  );
  return [...new Set([product, ...others])];
}

/** The market prices of a product, by kind of place. */
function placeGroups({ store, words }: PageRequest, productUuid: Uuid): Markup[] {
  const { catalogue } = store;
  const code = catalogue.productCodes.get(productUuid) as ProductCode;
  const { types, counties, markets } = placesOfProduct(store, code);
  const name = words.product(recordAt(catalogue.products, code));
  const group = (key: WordKey, options: readonly Markup[]) => renderGroup(`${name}: ${words.say(key)}`, options);
  const option = (place: Place, marketType: MarketType, text: string): Markup =>
    renderOption({ productUuid, marketType, place }, `${text}, ${words.type(marketType)}`);
  const ofCounties = counties.flatMap((countyId) =>
    types
      .filter((marketType) => newestDayAt(store, code, { countyId, marketType }) !== undefined)
      .map((marketType) => {
        const place = countyPlace(store, countyId);
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
  const ofCountry = types.map((marketType) => option(wholeCountry, marketType, name));
  return [...group("allOfKenya", ofCountry), ...group("inCounties", ofCounties), ...group("atTheMarkets", ofMarkets)];
}

function renderOption(series: ComparedSeries, text: string): Markup {
  return markup`<option value="${compareParameter(series)}">${text}</option>`;
}

function renderGroup(label: string, options: readonly Markup[]): Markup[] {
  return options.length === 0 ? [] : [markup`<optgroup label="${label}">${options}</optgroup>`];
}
