import type { ReadBlock } from "./block-readers.ts";
import { type CodedField, codedFields } from "./price-rows.ts";
import type { RowsOfReader } from "./settle-codes.ts";

/** For each coded field, whether a text may stand in it as far as other files decide that. */
export type KnownReferences = { readonly [Field in CodedField]?: { has(text: string): boolean } };

/** What has been read of the blocks of all files so far; readings arrive in any order. */
export class ReadBlocks {
  readonly #references: KnownReferences;
  readonly #readings: ReadBlock[] = [];
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
   * @returns Whether everything that it refers to is there.
   */
  add(number: number, reading: ReadBlock): boolean {
    this.#readings[number] = reading;
    return codedFields.every((field) => {
      const newTexts = reading.newTexts[field];
      this.textsOf(field, reading.reader).push(...newTexts);
      const known = this.#references[field];
      return known === undefined || newTexts.every((text) => known.has(text));
    });
  }

  /** The texts of a field that a reader has met, in order of its codes. */
  textsOf(field: CodedField, reader: number): string[] {
    this.#texts[field][reader] ??= [];
    return this.#texts[field][reader];
  }

  /** The texts of a field that each reader has met. */
  textsByReader(field: CodedField): readonly (readonly string[])[] {
    return Array.from(this.#texts[field], (texts) => texts ?? []);
  }

  /** Which rows each reader has read, in order; to be asked when all blocks are read. */
  runs(): RowsOfReader[] {
    let rowFirst = 0;
    return this.#readings.map(({ rows, reader }) => {
      const run = { rowFirst, rows, reader };
      rowFirst += rows;
      return run;
    });
  }
}
