/** A section of the page about the data: how recent the prices of each county are. */

import { countyPath } from "../../contract/paths.ts";
import { type MonthNumber, monthOf } from "../../engine/model/calendar.ts";
import type { CountyId } from "../../engine/model/ids.ts";
import type { CountyRecord } from "../../engine/model/records.ts";
import { currentMonths, isOld } from "../../engine/query/measures/monthly-values.ts";
import { lastMonthOf } from "../../engine/query/state-of-prices.ts";
import { rowsOf } from "../../engine/store/columns.ts";
import { dayOfRow } from "../../engine/store/periods.ts";
import { marketsOfCounty } from "../../engine/store/runs.ts";
import type { Store } from "../../engine/store/store.ts";
import { countyTiles, renderTileGrid, type Tile } from "../charts/county-map.ts";
import { renderParagraph } from "../pages/elements.ts";
import { type Markup, markup } from "../pages/markup.ts";
import { apiGet, columnKinds, type DataColumn, type DataTable } from "./data-table.ts";
import type { Section } from "./explorer-page.ts";
import type { PageRequest } from "./request.ts";

interface CountyFreshness {
  readonly county: CountyRecord;
  /** The row of its newest price. */
  readonly newestRow: number;
  /** Months from that to the newest price of all. */
  readonly age: number;
  readonly prices: number;
  /** Markets with prices, and those of them whose newest one is old. */
  readonly markets: number;
  readonly silentMarkets: number;
}

/** Undefined without prices. */
export function freshnessSection(request: PageRequest): Section | undefined {
  const { store, words } = request;
  const rows = freshnessOfCounties(store);
  if (rows.length === 0) return undefined;
  const heading = words.say("freshnessHeading");
  const lead = words.say("freshnessLead", { last: request.newestRecorded(), count: currentMonths });
  const table: DataTable<CountyFreshness> = {
    rows,
    requests: [apiGet("/exports/series.csv", { sort: "last_recorded_at" })],
    columns: freshnessColumns(request),
  };
  return {
    id: "freshness",
    heading,
    content: markup`${renderParagraph(lead)}${renderTiles(request, heading, lead, rows)}`,
    table,
    foldsTable: true,
  };
}

/** The counties with prices, the newest first, equal ones by id. Cost: reads the newest price of each market. */
function freshnessOfCounties(store: Store): CountyFreshness[] {
  const { catalogue, periods, rowsByCounty, rowsByMarket } = store;
  const monthAt = (row: number): MonthNumber => monthOf(dayOfRow(periods, row));
  return [...catalogue.counties.values()]
    .flatMap((county): CountyFreshness[] => {
      const rows = rowsOf(rowsByCounty, county.id);
      const [newestRow] = rows;
      if (newestRow === undefined) return [];
      const { from, to } = marketsOfCounty(catalogue, county.id);
      const newest = Array.from({ length: to - from }, (_, at) => rowsOf(rowsByMarket, from + at)[0]);
      const months = newest.flatMap((row) => (row === undefined ? [] : monthAt(row)));
      const silentMarkets = months.filter((month) => isOld(store, month)).length;
      const age = lastMonthOf(store) - monthAt(newestRow);
      return [{ county, newestRow, age, prices: rows.length, markets: months.length, silentMarkets }];
    })
    .sort((a, b) => a.age - b.age || a.county.id - b.county.id);
}

function freshnessColumns(request: PageRequest): DataColumn<CountyFreshness>[] {
  const { words } = request;
  const { county, count, recorded } = columnKinds<CountyFreshness>(request);
  return [
    county((row) => row.county),
    recorded(words.say("last"), ({ newestRow }) => newestRow),
    count(words.say("monthsBeforeNewest"), ({ age }) => age),
    count(words.say("samples"), ({ prices }) => prices),
    count(words.say("markets"), ({ markets }) => markets),
    count(words.say("silentMarkets"), ({ silentMarkets }) => silentMarkets),
  ];
}

/** A tile for each county, with the months from its newest price to the newest of all. */
function renderTiles(
  request: PageRequest,
  title: string,
  description: string,
  rows: readonly CountyFreshness[],
): Markup {
  const { store, words } = request;
  const byId = new Map<number, CountyFreshness>(rows.map((row) => [row.county.id, row]));
  const tiles = countyTiles.map(({ id, name, abbreviation: label, column, row }): Tile => {
    const county = store.catalogue.counties.get(id as CountyId);
    const found = byId.get(id);
    const age = found === undefined ? words.say("none") : words.say("monthCount", { count: found.age });
    return {
      column,
      row,
      label,
      value: found?.age ?? null,
      detail: `${county?.name ?? name}: ${age}`,
      href: found && request.linkTo(countyPath(found.county.id)),
    };
  });
  const grid = renderTileGrid({ title, description, tiles, emptyLabel: words.say("none"), language: words.language });
  return markup`<div class="tiles">${grid}</div>`;
}
