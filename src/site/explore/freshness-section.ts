/** How recent the prices of each county are: a section of the page about the data. */

import { countyPath } from "../../contract/paths.ts";
import type { CountyRecord } from "../../engine/model/records.ts";
import { silentDays } from "../../engine/query/find-silent.ts";
import type { MarketCode } from "../../engine/store/catalogue.ts";
import { rowsOf } from "../../engine/store/columns.ts";
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
    shown: rows,
    requests: [apiGet("/prices/series", { sort: "last_recorded_at", page_size: 1000 })],
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

/** The counties with prices, the newest first, equal ones by id. Cost: a look at each market. */
function freshnessOfCounties({ catalogue, periods, rowsByMarket }: Store): CountyFreshness[] {
  const ageOf = (row: number): number => periods.ages[periods.dayCodes[row] as number] as number;
  const codes = [...catalogue.markets.keys()] as MarketCode[];
  const byCounty = Map.groupBy(codes, (code) => catalogue.marketCounties[code]);
  return [...catalogue.counties.values()]
    .flatMap((county): CountyFreshness[] => {
      const lists = (byCounty.get(county.id) ?? []).map((code) => rowsOf(rowsByMarket, code));
      // The rows of a market are newest first.
      const newest = lists.flatMap(([row]) => row ?? []).sort((a, b) => ageOf(a) - ageOf(b));
      const [newestRow] = newest;
      if (newestRow === undefined) return [];
      const silentMarkets = newest.filter((row) => ageOf(row) > silentDays).length;
      const prices = lists.reduce((sum, { length }) => sum + length, 0);
      return [{ county, newestRow, age: ageOf(newestRow), prices, markets: newest.length, silentMarkets }];
    })
    .sort((a, b) => a.age - b.age || a.county.id - b.county.id);
}

function freshnessColumns(request: PageRequest): DataColumn<CountyFreshness>[] {
  const { words } = request;
  const { text, csv, count, recorded } = columnKinds<CountyFreshness>(request);
  const showCounty = ({ county }: CountyFreshness): Markup => request.countyLink(county);
  return [
    text("county", words.say("county"), ({ county }) => county.name, showCounty),
    csv("county_id", ({ county }) => county.id),
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
  const known = new Map<number, CountyRecord>([...store.catalogue.counties.values()].map((one) => [one.id, one]));
  const tiles = countyTiles.map(({ id, name, abbreviation: label, column, row }): Tile => {
    const [county, found] = [known.get(id), byId.get(id)];
    const age = found === undefined ? words.say("none") : words.say("days", { count: found.age });
    return {
      ...{ column, row, label, value: found?.age ?? null, detail: `${county?.name ?? name}: ${age}` },
      href: county && request.linkTo(countyPath(county.id)),
    };
  });
  const grid = renderTileGrid({ title, description, tiles, emptyLabel: words.say("none"), language: words.language });
  return markup`<div class="tiles">${grid}</div>`;
}
