/** A string interner: texts ↔ codes 0, 1, 2 … in order of first appearance. */
export class Dictionary {
  readonly #codes = new Map<string, number>();
  /** Texts by code. */
  readonly texts: string[] = [];
  readonly #sizeMax: number;
  readonly #name: string;

  /**
   * @param name The kind of texts, for the error message.
   * @param sizeMax Number of codes that the column has room for.
   */
  constructor(name: string, sizeMax: number) {
    this.#name = name;
    this.#sizeMax = sizeMax;
  }

  /**
   * The code of a text, given to it now if it is new.
   *
   * @throws {RangeError} when the dictionary is full.
   */
  codeOf(text: string): number {
    const known = this.#codes.get(text);
    if (known !== undefined) return known;
    const code = this.texts.length;
    if (code >= this.#sizeMax) {
      throw new RangeError(`${this.#name}: more than ${this.#sizeMax} different texts; "${text}" has no place`);
    }
    this.#codes.set(text, code);
    this.texts.push(text);
    return code;
  }
}
