/** Finds what a name stands for: exactly, by its key, or nearly, by its distance to other names. */
import leven from "leven";
import { compareTexts, foldedRuns } from "../../domain/folded-text.ts";

/** What a name can stand for. */
export interface Target {
  /** UUID of a market or product; name of a unit or type of market; number of a county. */
  readonly id: string;
  /** How a person sees it; unlike that of any other target. */
  readonly shown: string;
  /** Its own name, then others. */
  readonly names: readonly string[];
  /** Given for a market, as is its type. */
  readonly county?: string;
  readonly marketType?: string;
}

/** Which targets count. */
export type TargetTest = (target: Target) => boolean;

/** Distance of two names of which one has all words of the other: nearer than most misspelt ones. */
const partDistance = 0.15;

export class NameIndex {
  readonly #targets: readonly Target[];
  readonly #keyOf: (name: string) => string;
  readonly #byKey = new Map<string, Target[]>();
  readonly #byShown = new Map<string, Target>();

  /** @param keyOf What two names have in common that are the same. */
  constructor(targets: readonly Target[], keyOf: (name: string) => string) {
    this.#targets = targets;
    this.#keyOf = keyOf;
    for (const target of targets) {
      for (const key of new Set(target.names.map(keyOf))) {
        this.#byKey.getOrInsertComputed(key, () => []).push(target);
      }
      this.#byShown.set(keyOf(target.shown), target);
    }
  }

  /** The targets whose own name has the same key; without any, those with another name that has it. */
  find(name: string, fits: TargetTest = () => true): readonly Target[] {
    const key = this.#keyOf(name);
    const all = (this.#byKey.get(key) ?? []).filter(fits);
    const own = all.filter(({ names: [first = ""] }) => this.#keyOf(first) === key);
    return own.length > 0 ? own : all;
  }

  /** The target that a person names: by id, by what is shown, or by a name that only one has. */
  findNamed(text: string): Target | undefined {
    const byId = this.#targets.find(({ id }) => id.toLowerCase() === text.toLowerCase());
    if (byId !== undefined) return byId;
    const shown = this.#byShown.get(this.#keyOf(text));
    if (shown !== undefined) return shown;
    const named = this.find(text);
    return named.length === 1 ? named[0] : undefined;
  }

  /**
   * The targets with the nearest names, nearest first; equal ones as shown, by code unit.
   *
   * The distance is the number of letters to change (Levenshtein) for each letter of the longer name, whatever the
   * order of words. Cost: a comparison with every name.
   */
  findNearest(name: string, count: number, fits: TargetTest = () => true): readonly Target[] {
    const words = wordsOf(name);
    return this.#targets
      .filter(fits)
      .map((target) => ({
        target,
        distance: Math.min(...target.names.map((other) => distanceOf(words, wordsOf(other)))),
      }))
      .sort((a, b) => a.distance - b.distance || compareTexts(a.target.shown, b.target.shown))
      .slice(0, count)
      .map(({ target }) => target);
  }
}

/** The words of a name in alphabetical order. */
function wordsOf(name: string): readonly string[] {
  return foldedRuns(name).sort(compareTexts);
}

function distanceOf(a: readonly string[], b: readonly string[]): number {
  const [textA, textB] = [a.join(" "), b.join(" ")];
  const distance = leven(textA, textB) / Math.max(textA.length, textB.length, 1);
  const [few, many] = a.length < b.length ? [a, b] : [b, a];
  const isPart = few.length > 0 && few.every((word) => many.includes(word));
  return isPart ? Math.min(distance, partDistance) : distance;
}
