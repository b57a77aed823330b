/** Places of an export → their names in a snapshot. */
import type { PlaceFacts } from "./collect-facts.ts";
import { type CountyRow, lettersOf } from "./reference-data.ts";

/** The facts that a name is made from. */
type PlaceToName = Pick<PlaceFacts, "marketId" | "name" | "countyId" | "judgement">;

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

function plainName(written: string, countyName: string): string {
  const name = written.replace(/\bcent(?:er|re)\b/gi, "Centre").replace(/\btown\b/gi, "Town");
  const [, before, bracketed] = /^(.*\S)\s*\(([^()]+)\)$/.exec(name) ?? [];
  return before !== undefined && bracketed !== undefined && lettersOf(bracketed) === lettersOf(countyName)
    ? before
    : name;
}
