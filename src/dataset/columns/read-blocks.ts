import type { Block } from "./block-reader.ts";
import type { ReadBlock } from "./block-readers.ts";
import { type CodedField, codedFields } from "./coded-fields.ts";
import type { RowsOfReader } from "./settle-codes.ts";

/** For each coded field, whether a text may stand in it as far as other files decide that. */
export type KnownReferences = { readonly [Field in CodedField]?: { has(text: string): boolean } };

/** What has been read of the blocks of all files so far; readings arrive in any order. */
export class ReadBlocks {
  readonly #references: KnownReferences;
  readonly #runs: RowsOfReader[] = [];
  readonly #texts: { readonly [Field in CodedField]: string[][] } = {
    products: [],
    markets: [],
    units: [],
    currencies: [],
    sources: [],
    grades: [],
    notes: [],
  };

  constructor(references: KnownReferences) {
    this.#references = references;
  }

  /**
   * Takes the reading of a block.
   *
   * @param number Counts blocks from 0, in order.
   * @returns Whether everything that it refers to is there.
   */
  add(number: number, { rowFirst, rows }: Block, { reader, newTexts }: ReadBlock): boolean {
    this.#runs[number] = { rowFirst, rows, reader };
    return codedFields.every((field) => {
      const texts = newTexts[field];
      this.#texts[field][reader] ??= [];
      this.#texts[field][reader].push(...texts);
      const known = this.#references[field];
      return known === undefined || texts.every((text) => known.has(text));
    });
  }

  /** The texts of a field that each reader has met, in order of its codes. */
  textsByReader(field: CodedField): readonly (readonly string[])[] {
    return Array.from(this.#texts[field], (texts) => texts ?? []);
  }

  /** Which rows each reader has read, in order; to be asked when all blocks are read. */
  get runs(): readonly RowsOfReader[] {
    return this.#runs;
  }
}
