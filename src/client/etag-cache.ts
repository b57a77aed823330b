/**
 * Answers to GET by their address, so that an equal request costs no more than the question whether anything changed.
 */

export interface KnownAnswer {
  readonly etag: string;
  readonly snapshot: string;
  /** The body. Kept as text: each caller gets objects of its own. */
  readonly text: string;
}

/** Keeps the answers used last, up to a sum of characters. */
export class EtagCache {
  readonly #charactersMax: number;
  /** In order of use, the least recently used first. */
  readonly #answers = new Map<string, KnownAnswer>();
  #characters = 0;

  constructor(charactersMax: number) {
    this.#charactersMax = charactersMax;
  }

  get(target: string): KnownAnswer | undefined {
    const answer = this.#answers.get(target);
    if (answer === undefined) return undefined;
    this.#answers.delete(target);
    this.#answers.set(target, answer);
    return answer;
  }

  set(target: string, answer: KnownAnswer): void {
    this.#drop(target);
    if (answer.text.length > this.#charactersMax) return;
    this.#answers.set(target, answer);
    this.#characters += answer.text.length;
    for (const oldest of this.#answers.keys()) {
      if (this.#characters <= this.#charactersMax) return;
      this.#drop(oldest);
    }
  }

  #drop(target: string): void {
    this.#characters -= this.#answers.get(target)?.text.length ?? 0;
    this.#answers.delete(target);
  }
}
