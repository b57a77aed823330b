/** Finds what a name stands for: exactly, by its key, or nearly, by its distance to other names. */
import leven from "leven";
import { compareTexts, searchRuns } from "../../../engine/model/folded-text.ts";
import { getOrInsert } from "../../../engine/model/get-or-insert.ts";
import { type Fold, looseFold, strictFold } from "./name-key.ts";

/** A record that names can stand for. */
export interface Target {
  /** UUID of a market or product; name of a unit or type of market; number of a county. */
  readonly id: string;
  /** The text that a person sees. */
  readonly shown: string;
  /** The same with its other names: what a person saw before it was renamed. */
  readonly shownBefore?: readonly string[];
  /** Its own name, then others. */
  readonly names: readonly string[];
  /** Given for a market, as is its type. */
  readonly county?: string;
  readonly marketType?: string;
}

/** Tells the targets that count. */
export type TargetTest = (target: Target) => boolean;

/** Share of its letters that a word must have in common with another to be the same one, misspelt. */
const likenessMin = 0.5;

/** The key of a name by a folding. */
type KeyOf = (name: string, fold: Fold) => string;

/** Targets by the keys of one folding. */
class TargetKeys {
  readonly byName = new Map<string, Target[]>();
  readonly byShown = new Map<string, Target[]>();
}

const uuidExpression = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/i;

/** The text of a target for matches.csv: a UUID beside the name stays where that changes. */
export function listedText({ id, shown }: Target): string {
  return uuidExpression.test(id) ? `${shown} ${id}` : shown;
}

export class NameIndex {
  readonly #targets: readonly Target[];
  readonly #keyOf: KeyOf;
  readonly #wordsOf: (name: string) => readonly string[];
  /** The words of the names of each target, made when candidates are first looked for. */
  #targetWords: readonly (readonly (readonly string[])[])[] | undefined;
  /** The same targets by the keys of both foldings. */
  readonly #keys = new Map([strictFold, looseFold].map((fold) => [fold, new TargetKeys()]));

  /**
   * @param keyOf Returns the key that two names have in common that are the same, by a folding.
   * @param wordsOf The words by which candidates are chosen, in alphabetical order.
   */
  constructor(targets: readonly Target[], keyOf: KeyOf, wordsOf: (name: string) => readonly string[] = nameWords) {
    this.#targets = targets;
    this.#wordsOf = wordsOf;
    this.#keyOf = keyOf;
    for (const [fold, { byName, byShown }] of this.#keys) {
      for (const target of targets) {
        for (const key of new Set(target.names.map((name) => keyOf(name, fold)))) {
          getOrInsert(byName, key, () => []).push(target);
        }
        const shown = [target.shown, ...(target.shownBefore ?? [])];
        for (const key of new Set(shown.map((text) => keyOf(text, fold)))) {
          getOrInsert(byShown, key, () => []).push(target);
        }
      }
    }
  }

  /**
   * The targets whose own name has the same key; without any, those with another name that has it. By the strict
   * folding; by the loose one where that finds nothing, so that it changes nothing that was found without it.
   */
  find(name: string, fits: TargetTest = () => true): readonly Target[] {
    const found = this.findBy(strictFold, name, fits);
    return found.length > 0 ? found : this.findBy(looseFold, name, fits);
  }

  /** As `find`, by one folding alone. */
  findBy(fold: Fold, name: string, fits: TargetTest = () => true): readonly Target[] {
    const key = this.#keyOf(name, fold);
    const all = (this.#keys.get(fold)?.byName.get(key) ?? []).filter(fits);
    const own = all.filter(({ names: [first = ""] }) => this.#keyOf(first, fold) === key);
    return own.length > 0 ? own : all;
  }

  /** The targets that have the same words in any order, `gunia la kilo 90` and `90 kg bag`. */
  findByWords(name: string): readonly Target[] {
    const key = this.#wordsOf(name).join(" ");
    return this.#targets.filter(({ names }) => names.some((other) => this.#wordsOf(other).join(" ") === key));
  }

  /**
   * The target that a person names: by id, by what is shown, or by a name that only one has. Beside a UUID the name may
   * be an old one, but not that of another target.
   */
  findNamed(text: string): Target | undefined {
    const uuid = uuidExpression.exec(text)?.[0];
    const byId = this.#targets.find(({ id }) => id.toLowerCase() === (uuid ?? text).toLowerCase());
    if (uuid === undefined) return byId ?? this.#findShown(text);
    const byName = this.#findShown(text.replace(uuid, ""));
    return byName === undefined || byName === byId ? byId : undefined;
  }

  #findShown(text: string): Target | undefined {
    for (const [fold, { byShown }] of this.#keys) {
      const shown = byShown.get(this.#keyOf(text, fold)) ?? [];
      const found = shown.length > 0 ? shown : this.findBy(fold, text);
      if (found.length > 0) return found.length === 1 ? found[0] : undefined;
    }
    return undefined;
  }

  /**
   * The targets with the nearest names, nearest first; equal ones as shown, by code unit.
   *
   * Names are near that have most words in common, misspelt ones in part, whatever their order; a number is never
   * misspelt. Names that differ in their spaces are near as well. Cost: a comparison with every name.
   */
  findNearest(name: string, count: number, fits: TargetTest = () => true): readonly Target[] {
    const words = this.#wordsOf(name);
    this.#targetWords ??= this.#targets.map(({ names }) => names.map(this.#wordsOf));
    const targetWords = this.#targetWords;
    return this.#targets
      .map((target, at) => ({ target, at }))
      .filter(({ target }) => fits(target))
      .map(({ target, at }) => {
        const names = targetWords[at] as readonly (readonly string[])[];
        return { target, distance: Math.min(...names.map((other) => distanceOf(words, other))) };
      })
      .sort((a, b) => a.distance - b.distance || compareTexts(a.target.shown, b.target.shown))
      .slice(0, count)
      .map(({ target }) => target);
  }
}

/** The words of a name in alphabetical order. */
function nameWords(name: string): readonly string[] {
  return searchRuns(name).sort(compareTexts);
}

/** From 0 for the same words to 1: by words (Dice's coefficient) or by the letters of all, whichever is less. */
function distanceOf(a: readonly string[], b: readonly string[]): number {
  const [textA, textB] = [a.join(" "), b.join(" ")];
  const byLetters = leven(textA, textB) / Math.max(textA.length, textB.length, 1);
  const rest = [...b];
  let common = 0;
  for (const word of a) {
    const likeness = rest.map((other) => likenessOf(word, other));
    const most = Math.max(0, ...likeness);
    if (most < likenessMin) continue;
    common += most;
    rest.splice(likeness.indexOf(most), 1);
  }
  const byWords = 1 - (2 * common) / Math.max(a.length + b.length, 1);
  return /\d/.test(textA + textB) ? byWords : Math.min(byWords, byLetters);
}

function likenessOf(a: string, b: string): number {
  if (a === b) return 1;
  if (/\d/.test(a + b)) return 0;
  return 1 - leven(a, b) / Math.max(a.length, b.length);
}
