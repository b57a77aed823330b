/** An export beside itself and the current snapshot: names in doubt are refused, what may be true is warned of. */
import type { CountedName } from "../../../engine/model/counted.ts";
import { compareTexts, searchKey } from "../../../engine/model/folded-text.ts";
import { foundText, ProblemList } from "../../../engine/snapshots/problem.ts";
import type { WireRecords } from "../wire-records.ts";
import type { ImportedRecords } from "./build-wfp-records.ts";
import type { CollectedFacts } from "./collect-facts.ts";
import { kilometresFromCounty } from "./distance-from-kenya.ts";

/** The kinds of warnings of an import, in the order of the report, and the words that count warnings of each. */
export const feedWarningNames = {
  renamed: ["product or market with a new name", "products or markets with new names"],
  "point-outside-county": ["place outside its county", "places outside their counties"],
  "rate-jump": ["exchange rate far from the one before", "exchange rates far from the ones before"],
} as const satisfies Readonly<Record<string, CountedName>>;

export type FeedWarningKind = keyof typeof feedWarningNames;

/** The current snapshot, as far as an export is compared with it. */
export interface KnownFeed {
  readonly products: readonly Pick<WireRecords["products"], "uuid" | "name" | "source_ids">[];
  readonly markets: readonly Pick<WireRecords["markets"], "uuid" | "name" | "type" | "county_id" | "source_ids">[];
  readonly rates: readonly Rate[];
}

/** A point may lie so far outside of the outline of its county; none of 229 does in the export of July 2026. */
const kilometresOutsideMax = 10;

/** A rate may differ by so much from that of the month before. The largest step of 20 years is 9.5 %. */
const rateStepMax = 0.2;

/** Rates further apart are not compared. */
const rateMonthsMax = 12;

/**
 * Checks an import before anything is written. Names are the same that differ in case and accents alone.
 *
 * @param file The export, for messages.
 * @param known Undefined where there is no current snapshot.
 * @returns Warnings, by kind.
 * @throws {DatasetError} naming each id of the export with two names, and each name that another record has too: of
 *   products the name alone, of markets that at a county and type.
 */
export function checkFeed(
  file: string,
  facts: CollectedFacts,
  records: ImportedRecords,
  known: KnownFeed | undefined,
): ProblemList<FeedWarningKind> {
  const [own, before] = [namedIn(records, records), known === undefined ? [] : namedIn(known, records)];
  refuseNames(file, facts, own, before);
  const warnings = new ProblemList<FeedWarningKind>();
  const nameBefore = new Map(before.map(({ uuid, name }) => [uuid, name]));
  for (const { field, uuid, name, ids } of own) {
    const wanted = nameBefore.get(uuid) ?? name;
    if (wanted === name) continue;
    warnings.add({ file, kind: "renamed", field, found: foundText(name), wanted: `${foundText(wanted)} (${ids})` });
  }
  for (const { marketId, name, countyId, location, line } of facts.places) {
    const distance = location === null ? 0 : kilometresFromCounty(location, countyId);
    if (distance <= kilometresOutsideMax) continue;
    const county = records.counties.find(({ id }) => id === countyId)?.name;
    const found = `${location?.latitude}, ${location?.longitude}, ${Math.round(distance)} km outside ${county}`;
    const wanted = `a point of ${foundText(name)} (market_id ${marketId}) in that county, or its right admin2`;
    warnings.add({ file, line, kind: "point-outside-county", field: "latitude, longitude", found, wanted });
  }
  for (const { currency, month, rate, other } of rateJumps(records["exchange-rates"], known?.rates ?? [])) {
    const where = other.isKnown ? " in the snapshot" : "";
    const wanted = `at most ${rateStepMax * 100} % from the ${other.rate} of ${other.month}${where}`;
    warnings.add({ file, kind: "rate-jump", field: `${currency} per USD`, found: `${rate} in ${month}`, wanted });
  }
  return warnings;
}

/** A product or market and its name. */
interface Named {
  readonly field: "commodity" | "market";
  readonly uuid: string;
  readonly name: string;
  /** County and type of a market, where only one has a name; of a product empty. */
  readonly place: string;
  /** The ids of sources, for messages. */
  readonly ids: string;
}

function namedIn(
  { products, markets }: Omit<KnownFeed, "rates">,
  { counties }: Pick<ImportedRecords, "counties">,
): Named[] {
  const countyNames = new Map(counties.map(({ id, name }) => [id, name]));
  return [
    ...products.map(({ uuid, name, source_ids }): Named => {
      return { field: "commodity", uuid, name, place: "", ids: (source_ids ?? []).join(", ") };
    }),
    ...markets.map(({ uuid, name, type, county_id, source_ids }): Named => {
      const place = `${countyNames.get(county_id)}, ${type}`;
      return { field: "market", uuid, name, place, ids: (source_ids ?? []).join(", ") };
    }),
  ];
}

/** @throws {DatasetError} with all names that are in doubt. */
function refuseNames(file: string, { secondNames }: CollectedFacts, own: readonly Named[], before: readonly Named[]) {
  const problems = new ProblemList();
  for (const { field, id, line, name, lineFirst, nameFirst } of secondNames) {
    const wanted = `the one name of ${field}_id ${id}, which is ${foundText(nameFirst)} in line ${lineFirst}`;
    problems.add({ file, line, kind: "value", field, found: foundText(name), wanted });
  }
  const keyOf = ({ field, name, place }: Named): string => [field, searchKey(name), place].join("\n");
  const bearers = Map.groupBy([...before, ...own], keyOf);
  for (const named of own) {
    const bearersOfName = bearers.get(keyOf(named)) ?? [];
    const other = bearersOfName[0] as Named;
    // A name that its bearer has in the snapshot already is not new.
    if (other.uuid === named.uuid || bearersOfName.some((one) => one !== named && one.uuid === named.uuid)) continue;
    const shown = [foundText(named.name), named.place, named.ids].filter((text) => text !== "").join(", ");
    const where = before.includes(other) ? "in the snapshot" : "in the export";
    const wanted = `another name than that of ${other.ids || other.uuid} ${where}`;
    problems.add({ file, kind: "duplicate", field: named.field, found: shown, wanted });
  }
  problems.throwIfAny(file);
}

interface Rate {
  readonly currency: string;
  readonly month: string;
  readonly rate: number;
}

/**
 * Rates that are far from one beside them: the one before in the export, and those of the snapshot in the same month,
 * the one before and the one after, where they are of a year.
 */
function* rateJumps(own: readonly Rate[], known: readonly Rate[]) {
  const monthOf = ({ month }: Rate): number => Number(month.slice(0, 4)) * 12 + Number(month.slice(5));
  const isFar = (a: Rate, b: Rate): boolean =>
    Math.abs(monthOf(a) - monthOf(b)) <= rateMonthsMax && Math.abs(a.rate / b.rate - 1) > rateStepMax;
  for (const [at, rate] of own.entries()) {
    const ofCurrency = known
      .filter(({ currency }) => currency === rate.currency)
      .sort((a, b) => compareTexts(a.month, b.month));
    const neighbours = [
      own.slice(0, at).findLast(({ currency }) => currency === rate.currency),
      ofCurrency.find(({ month }) => month === rate.month),
      ofCurrency.findLast(({ month }) => month < rate.month),
      ofCurrency.find(({ month }) => month > rate.month),
    ];
    const other = neighbours.find((neighbour) => neighbour !== undefined && isFar(rate, neighbour));
    if (other !== undefined) yield { ...rate, other: { ...other, isKnown: ofCurrency.includes(other) } };
  }
}
