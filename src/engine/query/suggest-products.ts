/** Products whose names resemble a text that no product has. */
import leven from "leven";
import { searchRuns } from "../model/folded-text.ts";
import type { ProductCode, ProductName } from "../store/catalogue.ts";
import type { Store } from "../store/store.ts";

export interface ProductSuggestion {
  readonly product: ProductCode;
  /** The name that resembles the text: its own, or an alternative one. */
  readonly matched: string;
}

/** The most suggestions for a text. */
export const suggestionsMax = 5;

/** One letter in so many may be wrong; one wrong letter is always allowed. */
const lettersPerEdit = 3;

/** A text below this resembles almost every short name. */
const lettersMin = 3;

/** The cost of a comparison of two texts, as so many rows. */
const rowsPerComparison = 10;

/**
 * Finds the products with a name, or neighbouring words of one, at a small edit distance (Levenshtein) from a text.
 * Spaces and punctuation do not count: "sukumawiki" is "Sukuma wiki".
 *
 * @returns At most `suggestionsMax`: by distance, then active ones first, then by folded name and uuid.
 * Cost: a comparison with each part of a name that is about as long as the text.
 */
export function* suggestProducts({ catalogue }: Store, text: string): Generator<number, ProductSuggestion[]> {
  const wanted = searchRuns(text).join("");
  if (wanted.length < lettersMin) return [];
  const limit = Math.max(1, Math.floor(wanted.length / lettersPerEdit));
  const near: (ProductSuggestion & { readonly distance: number; readonly isActive: boolean })[] = [];
  for (const [product, { names, record }] of catalogue.products.entries()) {
    let distance = limit + 1;
    let matched = "";
    let comparisons = 0;
    for (const name of names) {
      comparisons += name.words.length;
      const other = distanceTo(name, wanted, distance);
      if (other < distance) [distance, matched] = [other, name.text];
    }
    if (distance <= limit) near.push({ product: product as ProductCode, matched, distance, isActive: record.isActive });
    yield rowsPerComparison * comparisons;
  }
  return near
    .sort((a, b) => a.distance - b.distance || Number(b.isActive) - Number(a.isActive))
    .slice(0, suggestionsMax)
    .map(({ product, matched }) => ({ product, matched }));
}

/** The distance of the nearest neighbouring words of a name, at most `limit`. */
function distanceTo({ words }: ProductName, wanted: string, limit: number): number {
  let least = limit;
  for (let first = 0; first < words.length; first++) {
    let part = "";
    for (let last = first; last < words.length && part.length < wanted.length + least; last++) {
      part += words[last];
      // No edit distance is below the difference in length.
      if (Math.abs(part.length - wanted.length) >= least) continue;
      least = Math.min(least, leven(part, wanted, { maxDistance: least }));
    }
  }
  return least;
}
