/** The path that a client probably meant. */
import { closestMatch } from "leven";
import { apiPrefix } from "../../contract/paths.ts";

/** Longer paths are not compared: the cost grows with their length. */
export const pathCharactersMax = 100;

/** At most this part of the characters behind the prefix, which all have in common, differs. */
const differenceMax = 0.45;

/**
 * The path of a table that is nearest to one that is not in it.
 *
 * @param path Below the prefix, of at most `pathCharactersMax`, without a slash at its end.
 * @param fixed Paths without parameters, those of the request's method first.
 * @returns The first one that goes on where it ends, or the one with the fewest characters to change (Levenshtein);
 *   undefined where none is near. Cost: a comparison with each path.
 */
export function nearestPath(path: string, fixed: readonly string[]): string | undefined {
  const given = path.toLowerCase();
  const longer = fixed.find((one) => one.startsWith(`${given}/`) || one.startsWith(`${given}.`));
  if (longer !== undefined) return longer;
  return closestMatch(given, fixed, { maxDistance: Math.floor((given.length - apiPrefix.length) * differenceMax) });
}
