/** The usual year: the price of each calendar month as a part of that of the year, and the prices behind it. */

import { whereText } from "../../contract/price-sentence.ts";
import type { Words } from "../../contract/words.ts";
import { findSeasonality, type SeasonBehind, type SeasonMonth } from "../../engine/query/measures/find-seasonality.ts";
import { isComputed } from "../../engine/query/measures/judge-month.ts";
import { recordAt } from "../../engine/store/catalogue.ts";
import type { Store } from "../../engine/store/store.ts";
import { type Chart, narrowWidth, renderBoth, wideWidth } from "../charts/chart-frame.ts";
import { renderSeasonalChart } from "../charts/seasonal-chart.ts";
import { renderParagraph } from "../pages/elements.ts";
import { markup } from "../pages/markup.ts";
import type { SectionChart } from "./chart-forms.ts";
import { apiGet, columnKinds, type DataTable, scopeParameters } from "./data-table.ts";
import type { Section } from "./explorer-page.ts";
import type { SeriesFigures } from "./monthly-series.ts";
import type { PageRequest } from "./request.ts";

/** Undefined where it cannot be computed. */
export function* seasonSection(request: PageRequest, figures: SeriesFigures): Generator<number, Section | undefined> {
  const { store, words } = request;
  const { code, product, place, marketType } = figures;
  const { indexes, behind } = yield* findSeasonality(store, { product: code, ...place.conditions, marketType });
  const heading = words.say("seasonHeading", { type: words.type(marketType) });
  if (!isComputed<readonly SeasonMonth[]>(indexes) || behind === undefined) return undefined;
  const years = yearsText(words, indexes);
  const chart = usualYear(words, [heading, whereText(store, words, place), years, marketsText(words, behind)], indexes);
  const lead = [words.say("seasonLead"), behindText(store, words, behind, years)].join(" ");
  const scope = { productUuid: product.uuid, marketType, ...place.conditions };
  return {
    id: "season",
    heading,
    content: markup`${renderParagraph(lead)}${renderBoth(chart.draw(narrowWidth), chart.draw(wideWidth))}`,
    charts: [chart],
    table: seasonTable(request, indexes, [apiGet("/prices/seasonality", scopeParameters(scope))]),
    foldsTable: true,
  };
}

/** `14 years`, or `12 to 14 years` where calendar months differ. */
function yearsText(words: Words, indexes: readonly SeasonMonth[]): string {
  const years = indexes.map(({ years }) => years);
  const [least, most] = [Math.min(...years), Math.max(...years)];
  return least === most ? words.say("readoutYears", { count: most }) : words.say("yearsBetween", { least, most });
}

/** Markets that a lead names. */
const namedMarketsMax = 3;

function marketsText(words: Words, { markets }: SeasonBehind): string {
  return words.say("marketsShort", { count: markets.length });
}

function behindText({ catalogue }: Store, words: Words, behind: SeasonBehind, years: string): string {
  const names = behind.markets.map((market) => recordAt(catalogue.markets, market).name);
  const named = names.length <= namedMarketsMax ? ` (${names.sort().join(", ")})` : "";
  return words.say("seasonBehind", {
    first: words.month(behind.first),
    last: words.month(behind.last),
    markets: `${marketsText(words, behind)}${named}`,
    years,
  });
}

function seasonTable(
  request: PageRequest,
  rows: readonly SeasonMonth[],
  requests: DataTable["requests"],
): DataTable<SeasonMonth> {
  const { words } = request;
  const { text, count, price } = columnKinds<SeasonMonth>(request);
  const columns = [
    text(words.say("month"), ({ month }) => words.shortMonth(month)),
    price(words.say("index"), ({ index }) => index),
    price(words.say("least"), ({ min }) => min),
    price(words.say("greatest"), ({ max }) => max),
    count(words.say("years"), ({ years }) => years),
  ];
  return { columns, rows, requests };
}

/** @param named What the chart shows and what it is made of, in a few words each. */
function usualYear(words: Words, named: readonly string[], indexes: readonly SeasonMonth[]): SectionChart {
  const readouts = indexes.map(({ index, min, max, years }, at) => {
    const range = words.say("readoutRange", { least: words.decimal(min), greatest: words.decimal(max) });
    const count = words.say("readoutYears", { count: years });
    return [`${words.longMonth(at + 1)}: ${[words.decimal(index), count, range].join(", ")}`];
  });
  const unit = words.say("seasonUnit");
  const title = [...named, unit].join(", ");
  const draw = (width: number): Chart =>
    renderSeasonalChart({
      title,
      description: named.join(", "),
      unit,
      months: indexes.map(({ index, min, max }) => ({ value: index, low: min, high: max })),
      label: words.say("seasonIndex"),
      bandLabel: words.say("bandLabel"),
      readouts,
      plotHeight: 180,
      width,
      language: words.language,
    });
  const byIndex = indexes.toSorted((a, b) => a.index - b.index);
  const [least, greatest] = [byIndex[0], byIndex.at(-1)].map(
    (one) => one && `${words.longMonth(one.month)} (${words.decimal(one.index)})`,
  );
  const sentence = words.say("seasonSentence", { least: least ?? "", greatest: greatest ?? "" });
  return { name: "usual-year", subtitle: title, sentence, draw };
}
