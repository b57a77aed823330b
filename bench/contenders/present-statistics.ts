/** Figures of groups, as a peer worked them out, → the statistics our endpoint answers with. */

import { type Day, dayText, weekText } from "../../src/engine/model/calendar.ts";
import type { PriceStatisticsBody } from "../../src/service/http/resources/prices/statistics-endpoints.ts";
import type { Answer } from "./contender.ts";
import type { PeerTables } from "./peer-tables.ts";

/** Groupings that the peers answer. */
export type PeerGrouping = Exclude<NonNullable<PriceStatisticsBody["group_by"]>, "quarter" | "year">;

/** One group before rounding. */
export interface PeerGroup {
  /** Day, Monday, month since the year 0, market code or county id. */
  readonly key: number;
  readonly average: number;
  readonly min: number;
  readonly max: number;
  readonly median: number;
  /** At least one. */
  readonly count: number;
  /** Anything for one price. */
  readonly deviation: number;
}

/** How many of the selected prices were converted, and left out. */
export interface PeerSamples {
  readonly converted: number;
  readonly excluded: number;
}

/** A group as a database sums it up. */
export type FigureRow = readonly [
  key: number,
  average: number,
  min: number,
  max: number,
  median: number,
  /** How many prices are in the unit of the statistics. */
  count: number,
  deviation: number,
  /** How many prices the group has. */
  selected: number,
  converted: number,
];

/** The whole answer; `rows` in any order. */
export function presentFigureRows(tables: PeerTables, body: PriceStatisticsBody, rows: readonly FigureRow[]): Answer {
  const groups: PeerGroup[] = [];
  let converted = 0;
  let excluded = 0;
  for (const [key, average, min, max, median, count, deviation, selected, convertedHere] of rows) {
    converted += convertedHere;
    excluded += selected - count;
    if (count > 0) groups.push({ key, average, min, max, median, count, deviation });
  }
  return presentStatistics(tables, body, groups, { converted, excluded });
}

/** The whole answer; `groups` in any order. */
export function presentStatistics(
  tables: PeerTables,
  body: PriceStatisticsBody,
  groups: readonly PeerGroup[],
  { converted, excluded }: PeerSamples,
): Answer {
  const { group_by = "month", start_date, end_date } = body;
  const grouping = group_by as PeerGrouping;
  const code = tables.productCodes.get(body.product_uuid);
  const product = tables.products[code ?? -1];
  const own = tables.statisticsUnits[code ?? -1];
  if (product === undefined || own === undefined) throw new RangeError(`there is no product ${body.product_uuid}`);
  return {
    data: {
      product: { uuid: product.uuid, name: product.name, unit: own.unit },
      period: { start_date, end_date },
      statistics: inOrder(tables, grouping, groups).map((group) => presentGroup(tables, grouping, group)),
      overall: presentOverall(groups),
    },
    meta: {
      converted_samples: converted,
      excluded_samples: excluded,
      currency: own.currency,
      time_zone: tables.snapshot.timeZone,
      snapshot: tables.snapshot.id,
    },
  };
}

function inOrder(tables: PeerTables, grouping: PeerGrouping, groups: readonly PeerGroup[]): PeerGroup[] {
  if (grouping !== "county") return groups.toSorted((a, b) => a.key - b.key);
  const rankOf = ({ key }: PeerGroup): number => tables.countyRanks.get(key) ?? -1;
  return groups.toSorted((a, b) => rankOf(a) - rankOf(b));
}

function presentGroup(tables: PeerTables, grouping: PeerGrouping, group: PeerGroup): object {
  return {
    ...presentKey(tables, grouping, group.key),
    average_price: roundFigure(group.average),
    min_price: roundFigure(group.min),
    max_price: roundFigure(group.max),
    median_price: roundFigure(group.median),
    sample_count: group.count,
    std_deviation: group.count === 1 ? 0 : roundFigure(group.deviation),
  };
}

function presentKey(tables: PeerTables, grouping: PeerGrouping, key: number): object {
  switch (grouping) {
    case "market": {
      const market = tables.markets[key];
      return { period: market?.name, market: { uuid: market?.uuid, name: market?.name } };
    }
    case "county": {
      const name = tables.countyNames.get(key);
      return { period: name, county: { id: key, name } };
    }
    default:
      return { period: timeLabel(grouping, key) };
  }
}

const labels = { day: new Map<number, string>(), week: new Map<number, string>(), month: new Map<number, string>() };

/** Labels are kept, so that no peer makes a text twice. */
function timeLabel(grouping: keyof typeof labels, key: number): string {
  let label = labels[grouping].get(key);
  if (label === undefined) {
    label =
      grouping === "month"
        ? `${String(Math.floor(key / 12)).padStart(4, "0")}-${String((key % 12) + 1).padStart(2, "0")}`
        : grouping === "week"
          ? weekText(key as Day)
          : dayText(key as Day);
    labels[grouping].set(key, label);
  }
  return label;
}

function presentOverall(groups: readonly PeerGroup[]): object {
  let sum = 0;
  let count = 0;
  let min = Infinity;
  let max = -Infinity;
  for (const group of groups) {
    sum += group.average * group.count;
    count += group.count;
    min = Math.min(min, group.min);
    max = Math.max(max, group.max);
  }
  if (count === 0) return { average_price: 0, min_price: 0, max_price: 0, total_samples: 0 };
  return {
    average_price: roundFigure(sum / count),
    min_price: roundFigure(min),
    max_price: roundFigure(max),
    total_samples: count,
  };
}

/** Six digits behind the point. */
function roundFigure(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}
