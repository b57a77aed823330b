/** The path that a client probably meant. */
import { closestMatch } from "leven";

/** Longer paths are not compared: the cost grows with their length. */
const pathCharactersMax = 100;

/** At most this part of the characters differs. */
const differenceMax = 0.3;

/**
 * The path of a table that is nearest to one that is not in it.
 *
 * @param path As sent.
 * @param fixed Paths without parameters, those of the request's method first.
 * @param matches Returns whether a path is in the table.
 * @returns The same path without a slash at its end or in lower case where that is in the table; otherwise the first
 *   one that goes on where it ends, or the one with the fewest characters to change (Levenshtein); undefined where none
 *   is near. Cost: a comparison with each path, of at most 100 characters.
 */
export function nearestPath(
  path: string,
  fixed: readonly string[],
  matches: (path: string) => boolean,
): string | undefined {
  if (path.length > pathCharactersMax) return undefined;
  const plain = path.replace(/\/+/g, "/").replace(/\/$/, "");
  const spelled = [plain, plain.toLowerCase()].find((one) => one !== path && matches(one));
  if (spelled !== undefined) return spelled;
  const given = plain.toLowerCase();
  const longer = fixed.find((one) => one.startsWith(`${given}/`) || one.startsWith(`${given}.`));
  if (longer !== undefined) return longer;
  return closestMatch(given, fixed, { maxDistance: Math.floor(given.length * differenceMax) });
}
