/** Finds what a name stands for: exactly, by its key, or nearly, by its distance to other names. */
import leven from "leven";
import { compareTexts, searchRuns } from "../../../engine/model/folded-text.ts";
import { nameKey } from "./name-key.ts";

/** A record that names can stand for. */
export interface Target {
  /** UUID of a market or product; name of a unit or type of market; number of a county. */
  readonly id: string;
  /** The text that a person sees. */
  readonly shown: string;
  /** Its own name, then others. */
  readonly names: readonly string[];
  /** Given for a market, as is its type. */
  readonly county?: string;
  readonly marketType?: string;
}

/** Tells the targets that count. */
export type TargetTest = (target: Target) => boolean;

const uuidExpression = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/i;

/** The text of a target for matches.csv: a UUID beside the name stays where that changes. */
export function listedText({ id, shown }: Target): string {
  return uuidExpression.test(id) ? `${shown} ${id}` : shown;
}

export class NameIndex {
  readonly #targets: readonly Target[];
  readonly #keyOf: (name: string) => string;
  readonly #wordsOf: (name: string) => string;
  /** The names of each target as words in order. */
  readonly #wordTexts: readonly { readonly target: Target; readonly texts: readonly string[] }[];
  /** The same targets by the keys of their names, and of what is shown of them. */
  readonly #byName: ReadonlyMap<string, readonly Target[]>;
  readonly #byShown: ReadonlyMap<string, readonly Target[]>;

  /**
   * @param keyOf Returns the key that two names have in common that are the same.
   * @param wordsOf The words by which candidates are chosen, in alphabetical order.
   */
  constructor(
    targets: readonly Target[],
    keyOf: (name: string) => string = nameKey,
    wordsOf: (name: string) => readonly string[] = nameWords,
  ) {
    this.#targets = targets;
    this.#wordsOf = (name) => wordsOf(name).join(" ");
    this.#wordTexts = targets.map((target) => ({ target, texts: target.names.map(this.#wordsOf) }));
    this.#keyOf = keyOf;
    this.#byName = this.#keyed(({ names }) => names);
    this.#byShown = this.#keyed(({ shown }) => [shown]);
  }

  #keyed(textsOf: (target: Target) => readonly string[]): ReadonlyMap<string, readonly Target[]> {
    const keyed = this.#targets.flatMap((target) =>
      [...new Set(textsOf(target).map(this.#keyOf))].map((key) => ({ key, target })),
    );
    return new Map(
      [...Map.groupBy(keyed, ({ key }) => key)].map(([key, group]) => [key, group.map(({ target }) => target)]),
    );
  }

  /** The targets whose own name has the same key; without any, those with another name that has it. */
  find(name: string, fits: TargetTest = () => true): readonly Target[] {
    const key = this.#keyOf(name);
    const all = (this.#byName.get(key) ?? []).filter(fits);
    const own = all.filter(({ names: [first = ""] }) => this.#keyOf(first) === key);
    return own.length > 0 ? own : all;
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
    const [found, ...others] = this.#byShown.get(this.#keyOf(text)) ?? this.find(text);
    return others.length === 0 ? found : undefined;
  }

  /**
   * The targets with the nearest names, nearest first; equal ones as shown, by code unit. Names are near that differ in
   * few letters, whatever the order of their words. Cost: a comparison with every name.
   */
  findNearest(name: string, count: number, fits: TargetTest = () => true): readonly Target[] {
    const text = this.#wordsOf(name);
    const distanceTo = (other: string): number => leven(text, other) / Math.max(text.length, other.length, 1);
    return this.#wordTexts
      .filter(({ target }) => fits(target))
      .map(({ target, texts }) => ({ target, distance: Math.min(...texts.map(distanceTo)) }))
      .sort((a, b) => a.distance - b.distance || compareTexts(a.target.shown, b.target.shown))
      .slice(0, count)
      .map(({ target }) => target);
  }
}

/** The words of a name in alphabetical order. */
function nameWords(name: string): readonly string[] {
  return searchRuns(name).sort(compareTexts);
}
