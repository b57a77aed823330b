/** The medians of the counties over the newest days of the data, as a grid of tiles. */

import type { Chart } from "../charts/chart-frame.ts";
import { countyTiles } from "../charts/county-tiles.ts";
import { renderTileGrid } from "../charts/tile-grid.ts";
import type { Day } from "../domain/calendar-day.ts";
import type { CountyId, Uuid } from "../domain/ids.ts";
import { roundFigure } from "../domain/round-figure.ts";
import type { MarketType } from "../domain/vocabulary.ts";
import { renderParagraph } from "../pages/elements.ts";
import { type Markup, markup } from "../pages/markup.ts";
import { countyRecord } from "../store/catalogue.ts";
import type { Group } from "../store/figures.ts";
import { columnKinds, type DataColumn, type DataTable } from "./data-table.ts";
import { answerStatistics, statisticsRequest, type TypeFigures } from "./monthly-figures.ts";
import type { Section } from "./page.ts";
import { linkWith, type PageRequest } from "./request.ts";

/** Days of the data that a tile covers. */
const countyDays = 60;

/** @param footer What stands below, such as links to other types. */
export function* countiesSection(
  request: PageRequest,
  productUuid: Uuid,
  figures: TypeFigures,
  footer: Markup | undefined,
): Generator<number, Section> {
  const { marketType, unit, currency } = figures;
  const { store, words } = request;
  const dayLast = store.periods.newestDay as Day;
  const dayFirst = (dayLast - countyDays + 1) as Day;
  const question = { productUuid, dayFirst, dayLast, marketType, unit, isSuspicious: false } as const;
  const { groups } = yield* answerStatistics(store, { ...question, grouping: "county" });
  const heading = words.say("countiesHeading", { type: words.type(marketType) });
  const section = { id: "counties", heading, footer };
  const days = { first: words.day(dayFirst), last: words.day(dayLast) };
  if (groups.length === 0) return { ...section, content: renderParagraph(words.say("noCounties", days)) };
  const measure = words.measure(currency, unit);
  const lead = renderParagraph(words.say("countiesLead", { ...days, measure }));
  const table: DataTable<Group> = {
    name: "counties",
    title: heading,
    columns: countyColumns(request, figures),
    rows: groups,
    requests: [statisticsRequest(productUuid, figures, {}, "county", [dayFirst, dayLast])],
  };
  const subtitle = `${heading}, ${measure}`;
  const draw = (hasLinks: boolean): Chart => drawTiles(request, subtitle, groups, figures, hasLinks);
  return {
    ...section,
    content: markup`${lead}<div class="tiles">${draw(true)}</div>`,
    charts: [{ name: "counties", subtitle, draw: () => draw(false) }],
    table,
    foldsTable: true,
  };
}

/** The product in a county, at the type of market that the figures here are of. */
function countyLink(request: PageRequest, county: number, type: MarketType): string {
  return linkWith(request, { county, type, market: undefined, page: undefined });
}

function drawTiles(
  request: PageRequest,
  title: string,
  groups: readonly Group[],
  { marketType, currency, unit }: TypeFigures,
  hasLinks: boolean,
): Chart {
  const { words } = request;
  const byCounty = new Map(groups.map((group) => [group.key, group]));
  const tiles = countyTiles.map(({ id, name, abbreviation, column, row }) => {
    const group = byCounty.get(id);
    const price = group && words.priceOf(group.median, currency, unit);
    const figure =
      group === undefined ? words.say("none") : `${price}, ${words.say("readoutPrices", { count: group.count })}`;
    return {
      column,
      row,
      label: abbreviation,
      value: group === undefined ? null : roundFigure(group.median),
      detail: `${name}: ${figure}`,
      ...(group === undefined || !hasLinks ? {} : { href: countyLink(request, id, marketType) }),
    };
  });
  const chart = {
    title,
    description: groups.map(({ key }) => nameOf(request, key)).join(", "),
    tiles,
    emptyLabel: words.say("none"),
    language: words.language,
  };
  return renderTileGrid(chart);
}

function nameOf({ store }: PageRequest, id: number): string {
  return countyRecord(store.catalogue, id as CountyId).name;
}

function countyColumns(request: PageRequest, { marketType, currency, unit }: TypeFigures): DataColumn<Group>[] {
  const { words } = request;
  const { text, count, price, csv } = columnKinds<Group>(words);
  const link = ({ key }: Group): Markup =>
    markup`<a href="${countyLink(request, key, marketType)}">${nameOf(request, key)}</a>`;
  return [
    text("county", words.say("county"), ({ key }) => nameOf(request, key), link),
    csv("county_id", ({ key }) => key),
    price("median_price", words.say("median"), ({ median }) => median),
    price("min_price", words.say("least"), ({ min }) => min),
    price("max_price", words.say("greatest"), ({ max }) => max),
    count("sample_count", words.say("samples"), (group) => group.count),
    csv("currency", () => currency),
    csv("unit", () => unit),
  ];
}
