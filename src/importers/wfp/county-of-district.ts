import { foldText } from "../../domain/folded-text.ts";
import { counties } from "./reference/counties.ts";

/** Other names of counties, and former districts that lie wholly in one county. */
const otherNames: Readonly<Record<string, number>> = {
  "Nairobi City": 47,
  "Nairobi County": 47,
  // Districts until 2013: Ijara is now a sub-county of Garissa, Moyale one of Marsabit.
  Ijara: 7,
  Moyale: 10,
};

const countyIdByName: ReadonlyMap<string, number> = new Map([
  ...counties.map(({ id, name }): [string, number] => [letters(name), id]),
  ...Object.entries(otherNames).map(([name, id]): [string, number] => [letters(name), id]),
]);

/**
 * The number of the county that the export's `admin2` names, or undefined. Case, accents, spaces, hyphens, slashes and
 * apostrophes do not matter: "Tharaka Nithi", "MURANGA" and "Elgeyo/Marakwet" are found.
 */
export function countyOfDistrict(admin2: string): number | undefined {
  return countyIdByName.get(letters(admin2));
}

/** Tells whether two names are the same but for case, accents and everything that is not a letter. */
export function sameLetters(a: string, b: string): boolean {
  return letters(a) === letters(b);
}

function letters(name: string): string {
  return foldText(name).replace(/[^a-z]/g, "");
}
