/** Places of an export → their names in a snapshot. */
import { type CountyRow, lettersOf, type MarketRow } from "./reference-data.ts";

/** The facts that a name is made from. */
interface PlaceToName {
  readonly marketId: number;
  readonly name: string;
  readonly countyId: number;
  readonly judgement: MarketRow | undefined;
}

/**
 * Names of places by market id. The words centre and town are spelled in one way ("Merti CENTER" → "Merti Centre"). A
 * county in brackets that only repeats the county of the place is dropped ("Karatina (Nyeri)" → "Karatina"), unless a
 * place in another county would then have the same name ("Wakulima (Nakuru)"). Other brackets say something and stay
 * ("Kalobeyei (Village 1)"). A name decided by hand is taken as it is.
 */
export function namePlaces(
  places: readonly PlaceToName[],
  counties: ReadonlyMap<number, CountyRow>,
): ReadonlyMap<number, string> {
  const named = places.map((place) => {
    const countyName = counties.get(place.countyId)?.name ?? "";
    const judgedName = place.judgement?.name ?? null;
    return { ...place, countyName, judgedName, plain: judgedName ?? plainName(place.name, countyName) };
  });
  const byName = Map.groupBy(named, ({ plain }) => plain);
  return new Map(
    named.map(({ marketId, judgedName, countyId, countyName, plain }) => {
      const isAmbiguous = judgedName === null && byName.get(plain)?.some((other) => other.countyId !== countyId);
      return [marketId, isAmbiguous ? `${plain} (${countyName})` : plain];
    }),
  );
}

/** A name as the export writes it, in the spelling of a snapshot, without brackets that repeat the county. */
export function plainName(written: string, countyName: string): string {
  const name = written.replace(/\bcent(?:er|re)\b/gi, "Centre").replace(/\btown\b/gi, "Town");
  const [, before, bracketed] = /^(.*\S)\s*\(([^()]+)\)$/.exec(name) ?? [];
  return before !== undefined && bracketed !== undefined && lettersOf(bracketed) === lettersOf(countyName)
    ? before
    : name;
}
