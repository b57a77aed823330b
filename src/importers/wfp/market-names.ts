import { sameLetters } from "./county-of-district.ts";

/** What a name is made from. */
export interface PlaceToName {
  readonly marketId: number;
  /** As the export writes it, for example `Karatina (Nyeri)`. */
  readonly name: string;
  readonly countyName: string;
  /** Name decided by hand, to be shown as it is; null where there is none. */
  readonly judgedName: string | null;
}

/**
 * Names of market places by id. The words centre and town are spelled in one way ("Merti CENTER" → "Merti Centre"). A
 * county in brackets that only repeats the county of the place is dropped ("Karatina (Nyeri)" → "Karatina"), unless a
 * place in another county would then have the same name ("Wakulima (Nakuru)"). Other brackets say something and stay
 * ("Kalobeyei (Village 1)").
 */
export function namePlaces(places: readonly PlaceToName[]): ReadonlyMap<number, string> {
  const countiesByName = new Map<string, Set<string>>();
  for (const place of places) {
    const name = plainName(place);
    const found = countiesByName.get(name);
    if (found === undefined) countiesByName.set(name, new Set([place.countyName]));
    else found.add(place.countyName);
  }
  return new Map(
    places.map((place) => {
      const name = plainName(place);
      const isAmbiguous = place.judgedName === null && (countiesByName.get(name)?.size ?? 0) > 1;
      return [place.marketId, isAmbiguous ? `${name} (${place.countyName})` : name];
    }),
  );
}

function plainName({ name: written, countyName, judgedName }: PlaceToName): string {
  if (judgedName !== null) return judgedName;
  const name = written.replace(/\bcent(?:er|re)\b/gi, "Centre").replace(/\btown\b/gi, "Town");
  const [, before, bracketed] = /^(.*\S)\s*\(([^()]+)\)$/.exec(name) ?? [];
  return before !== undefined && bracketed !== undefined && sameLetters(bracketed, countyName) ? before : name;
}
