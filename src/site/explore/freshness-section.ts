/** A section of the page about the data: how recent the prices of each county are. */

import { countyPath } from "../../contract/paths.ts";
import type { CountyId } from "../../engine/model/ids.ts";
import type { CountyRecord } from "../../engine/model/records.ts";
import { silentDays } from "../../engine/query/find-silent.ts";
import { rowsOf } from "../../engine/store/columns.ts";
import { ageOfRow } from "../../engine/store/periods.ts";
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
  /** Days from that to the newest price of all. */
  readonly age: number;
  readonly prices: number;
  /** Markets with prices, and those of them without one for more than `silentDays`. */
  readonly markets: number;
  readonly silentMarkets: number;
}

/** Undefined without prices. */
export function freshnessSection(request: PageRequest): Section | undefined {
  const { store, words } = request;
  const rows = freshnessOfCounties(store);
  if (rows.length === 0) return undefined;
  const heading = words.say("freshnessHeading");
  const lead = words.say("freshnessLead", { last: request.newestRecorded(), count: silentDays });
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
function freshnessOfCounties({ catalogue, periods, rowsByCounty, rowsByMarket }: Store): CountyFreshness[] {
  return [...catalogue.counties.values()]
    .flatMap((county): CountyFreshness[] => {
      const rows = rowsOf(rowsByCounty, county.id);
      const [newestRow] = rows;
      if (newestRow === undefined) return [];
      const { from, to } = marketsOfCounty(catalogue, county.id);
      const newest = Array.from({ length: to - from }, (_, at) => rowsOf(rowsByMarket, from + at)[0]);
      const ages = newest.flatMap((row) => (row === undefined ? [] : ageOfRow(periods, row)));
      const silentMarkets = ages.filter((age) => age > silentDays).length;
      const age = ageOfRow(periods, newestRow);
      return [{ county, newestRow, age, prices: rows.length, markets: ages.length, silentMarkets }];
    })
    .sort((a, b) => a.age - b.age || a.county.id - b.county.id);
}

function freshnessColumns(request: PageRequest): DataColumn<CountyFreshness>[] {
  const { words } = request;
  const { county, count, recorded } = columnKinds<CountyFreshness>(request);
  return [
    ...county((row) => row.county),
    recorded("last_day", words.say("last"), ({ newestRow }) => newestRow),
    count("age_days", words.say("daysBefore"), ({ age }) => age),
    count("price_count", words.say("samples"), ({ prices }) => prices),
    count("market_count", words.say("markets"), ({ markets }) => markets),
    count("silent_market_count", words.say("silentMarkets"), ({ silentMarkets }) => silentMarkets),
  ];
}

/** A tile for each county, with the days from its newest price to the newest of all. */
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
    const age = found === undefined ? words.say("none") : words.say("days", { count: found.age });
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
