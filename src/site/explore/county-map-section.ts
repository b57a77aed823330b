/**
 * Maps of counties: the newest median of a product in each county, with a list, the cheapest first; and one county with
 * its markets.
 */

import { countyPath, productPath } from "../../contract/paths.ts";
import { firstDayOf, type MonthNumber, monthText } from "../../engine/model/calendar.ts";
import type { CountyId } from "../../engine/model/ids.ts";
import { describeSubject } from "../../engine/query/measures/find-judged.ts";
import { alpsClasses } from "../../engine/query/measures/judge-month.ts";
import { type CountyNewest, lastMonthOf, newestByCounty } from "../../engine/query/state-of-prices.ts";
import { countyRecord, recordAt } from "../../engine/store/catalogue.ts";
import { roundFigure } from "../../engine/store/figures.ts";
import type { Store } from "../../engine/store/store.ts";
import { shortNumber } from "../charts/chart-frame.ts";
import {
  type CountyArea,
  countyTiles,
  type MapPoint,
  renderCountyMap,
  renderCountyPoints,
} from "../charts/county-map.ts";
import { renderParagraph } from "../pages/elements.ts";
import { type Markup, markup } from "../pages/markup.ts";
import type { Words } from "../pages/words.ts";
import type { SectionChart } from "./chart-forms.ts";
import { renderChoice } from "./choices.ts";
import { anomalyRequests, columnKinds, type DataTable, fromDesktop, fromTablet } from "./data-table.ts";
import type { Section } from "./explorer-page.ts";
import { convertUnit, dashNote, judgementColumns, oldMonths, showMonth } from "./judgement.ts";
import type { SeriesFigures } from "./monthly-series.ts";
import { colourings, type PageRequest, windowNames, windows } from "./request.ts";

type Window = (typeof windowNames)[number];

type Colouring = (typeof colourings)[number];

/** The county with the Ilemi Triangle. */
const turkana = 23;

/** The series of the map, as far as the map needs it. */
type MappedFigures = Pick<SeriesFigures, "product" | "marketType" | "unit" | "currency">;

/** With the median in the unit of the map. */
interface CountyRow extends CountyNewest {
  readonly name: string;
  readonly median: number;
}

/**
 * @param heading The heading of the section; the anchor is `counties`.
 * @param others Precedes the map: links to other types, or a choice of products.
 * @returns undefined where no county has a figure. @throws {PageProblem}
 */
export function* countyMapSection(
  request: PageRequest,
  figures: MappedFigures,
  heading: string,
  others: Markup | undefined,
): Generator<number, Section | undefined> {
  const { store, words } = request;
  const requested = request.value("window");
  const found = yield* newestByCounty(store, figures.product.uuid, figures.marketType);
  const all = found.map((each): CountyRow => {
    const { unit } = describeSubject(store, each.judged);
    const { name } = countyRecord(store.catalogue, each.county);
    return { ...each, name, median: convertUnit(store, each.judged.newest.median, unit, figures.unit) };
  });
  if (all.length === 0) return undefined;
  const within = (window: Window): CountyRow[] => all.filter(({ age }) => age < windows[window]);
  const window = requested ?? windowNames.find((name) => name !== "3m" && within(name).length > 0) ?? "all";
  const rows = within(window);
  const lead = words.say("countiesLead", { unit: words.currencyPerUnit(figures.currency, figures.unit) });
  const hasClass = rows.some(({ judged }) => judged.alps !== undefined);
  const chosen = request.value("map") ?? "median";
  const colouring = chosen === "class" && !hasClass ? "median" : chosen;
  const table = countyTable(request, figures, rows, window, colouring);
  const choices = renderChoices(request, window, colouring, hasClass);
  const maps = rows.length === 0 ? undefined : mapsOf(request, figures, heading, rows, colouring);
  const map = maps?.drawn ?? renderParagraph(words.say("noCounties"));
  return {
    id: "counties",
    heading,
    content: markup`${others}${renderParagraph(lead)}${choices}${map}`,
    ...(maps && { charts: [maps.chart], table, isBeside: true }),
    footer: renderParagraph(words.say("ilemiNote"), "quiet"),
  };
}

function countyTable(
  request: PageRequest,
  { product, marketType, unit, currency }: MappedFigures,
  rows: readonly CountyRow[],
  window: Window,
  colouring: Colouring,
): DataTable<CountyRow> {
  const { store, words } = request;
  const { county, day, count, price, csv } = columnKinds<CountyRow>(request);
  const link = ({ county, name }: CountyRow): Markup =>
    request.pageLink(name, productPath(product.uuid), { county, type: marketType });
  const month = ({ judged }: CountyRow): MonthNumber => judged.newest.month;
  const shownMonth = (row: CountyRow): Markup => showMonth(request, month(row));
  const shownFirst = windows[window] === Infinity ? undefined : firstDayOf(lastMonthOf(store) - windows[window] + 1);
  const scope = { productUuid: product.uuid, marketType, recordedSince: shownFirst };
  const judged = rows.map((row) => row.judged);
  const judgedShown = colouring === "class" ? judged : [];
  return {
    title: words.say("cheapestCounties"),
    rows,
    requests: [
      ...anomalyRequests(store, { ...scope, level: "county" }, judged),
      ...anomalyRequests(store, { ...scope, level: "market" }),
    ],
    note: dashNote(words, judgedShown, ["alps"]),
    columns: [
      ...county((row) => ({ id: row.county, name: row.name }), link),
      price("median_price", words.say("median"), ({ median }) => median),
      day("month", words.say("month"), (row) => monthText(month(row)), shownMonth),
      csv("age_months", ({ age }) => age),
      ...judgementColumns<CountyRow>(request, (row) => row.judged, ["alps"], judgedShown),
      fromDesktop(count("sample_count", words.say("samples"), (row) => row.judged.newest.sampleCount)),
      fromTablet(count("market_count", words.say("markets"), ({ markets }) => markets.length)),
      csv("currency", () => currency),
      csv("unit", () => unit),
    ],
  };
}

/** Links to the other colours and windows. @param hasClass True if a county has a class. */
function renderChoices(request: PageRequest, window: Window, colouring: Colouring, hasClass: boolean): Markup {
  const { words } = request;
  const colours = colourings
    .filter((name) => name !== "class" || hasClass)
    .map((map) => ({ text: words.say(`map ${map}`), changes: { map }, isCurrent: map === colouring }));
  const ofWindows = windowNames.map((name) => {
    return { text: words.say(`periodChoice ${name}`), changes: { window: name }, isCurrent: name === window };
  });
  const toColours = renderChoice(request, words.say("colourShows"), "counties", colours);
  const toWindows = renderChoice(request, words.say("period"), "counties", ofWindows);
  return markup`${toColours}${toWindows}`;
}

/** The map, whose counties with a price lead to their pages; and the map as a file, without links. */
function mapsOf(
  request: PageRequest,
  { unit, currency }: MappedFigures,
  title: string,
  rows: readonly CountyRow[],
  colouring: Colouring,
): { readonly drawn: Markup; readonly chart: SectionChart } {
  const { store, words } = request;
  const { valueOf: figureOf, labelOf } = legendOf(words, colouring);
  const byCounty = new Map<number, CountyRow>(rows.map((row) => [row.county, row]));
  const areas = countyTiles.map(({ id, name }) => {
    const row = byCounty.get(id);
    const value = row === undefined ? null : figureOf(row);
    const isFading = row !== undefined && value !== null && colouring !== "age";
    const fading = (isFading ? oldMonths.filter((months) => row.age > months).length : 0) as CountyArea["fading"];
    const detail = row && detailText(words, row, words.priceOf(row.median, currency, unit));
    return {
      id,
      value,
      fading,
      detail: `${row?.name ?? name}: ${detail ?? words.say("none")}`,
      href: row && request.linkTo(countyPath(row.county)),
    };
  });
  const [first = "", last = ""] = [rows[0], rows.at(-1)].map((row) => row && `${row.name} ${words.price(row.median)}`);
  const unitText = colouring === "median" && words.currencyPerUnit(currency, unit);
  const marketCount = new Set(rows.flatMap(({ markets }) => markets)).size;
  const behind = words.say("marketsShort", { count: marketCount });
  const named = [title, words.say(`map ${colouring}`), unitText, words.say("allOfKenya"), behind];
  const chart = {
    title: named.filter(Boolean).join(", "),
    description: words.say("countiesDescription", { count: rows.length, first, last }),
    language: words.language,
    labelOf,
    emptyLabel: words.say(colouring === "class" ? "notJudged" : "none"),
  };
  const points = rows.flatMap(({ markets }) => pointsOf(store, markets));
  const fadingLabels = oldMonths.map((count) => words.say("moreMonthsBefore", { count }));
  const map = { ...chart, points, fadingLabels };
  const unlinked = areas.map((area) => ({ ...area, href: undefined }));
  return {
    drawn: renderCountyMap({ ...map, areas }),
    chart: {
      name: "counties",
      subtitle: chart.title,
      // It has prices, which other colours do not show.
      sentence: colouring === "median" ? chart.description : undefined,
      draw: () => renderCountyMap({ ...map, areas: unlinked }),
    },
  };
}

/** The figure that a colour shows, and its text in the legend. */
function legendOf(words: Words, colouring: Colouring) {
  const number = (value: number): string => shortNumber(value, words.language);
  const classText = (value: number): string => words.say(`class ${alpsClasses[value] ?? "normal"}`);
  if (colouring === "median") {
    return { valueOf: ({ median }: CountyRow) => roundFigure(median), labelOf: undefined };
  }
  if (colouring === "age") {
    const labelOf = (from: number): string => `≥ ${number(from)} ${words.say("months")}`;
    return { valueOf: ({ age }: CountyRow) => age, labelOf };
  }
  const classOf = ({ judged: { alps } }: CountyRow) =>
    alps === undefined ? null : alpsClasses.indexOf(alps.measure.class);
  return { valueOf: classOf, labelOf: classText };
}

/** `46.39 KES per kg, October 2025, 3 prices, 2 markets` */
function detailText(words: Words, { judged: { newest, alps }, markets }: CountyRow, price: string): string {
  const month = words.month(newest.month);
  const prices = words.say("priceCount", { count: newest.sampleCount });
  const texts = [price, month, prices, words.say("marketsShort", { count: markets.length })];
  return [...texts, ...(alps === undefined ? [] : [words.say(`class ${alps.measure.class}`)])].join(", ");
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
