/**
 * Codes 0, 1, 2 … in order of first use, as a reader of the same prices would give them, for texts that are known by
 * their position in a list. Cost of a known one: one look into an array, no hashing of text.
 */
export class FirstUseCodes {
  readonly #listed: readonly string[];
  /** Code by position in the list, plus one; 0 where it has not been used. */
  readonly #codes: Uint32Array;
  readonly #texts: string[] = [];

  /** @param listed Texts that differ from each other. */
  constructor(listed: readonly string[]) {
    this.#listed = listed;
    this.#codes = new Uint32Array(listed.length);
  }

  /** Texts by code; grows as codes are given. */
  get texts(): readonly string[] {
    return this.#texts;
  }

  /**
   * The code of a listed text.
   *
   * @throws {RangeError} when the list has no such position.
   */
  codeOf(position: number): number {
    const known = this.#codes[position] ?? 0;
    if (known !== 0) return known - 1;
    const text = this.#listed[position];
    if (text === undefined) throw new RangeError(`position is ${position}, expected 0 to ${this.#listed.length - 1}`);
    const code = this.codeOfNew(text);
    this.#codes[position] = code + 1;
    return code;
  }

  /** The code of a text that is used for the first and only time; the caller vouches for that. */
  codeOfNew(text: string): number {
    this.#texts.push(text);
    return this.#texts.length - 1;
  }
}
