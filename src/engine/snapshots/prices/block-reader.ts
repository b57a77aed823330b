/**
 * Reads blocks of whole lines into the rows of a table that all readers share: ordinary lines by the fast-path parser,
 * each other line, alone, by the slow path.
 */

import { Dictionary } from "../../model/dictionary.ts";
import { writeUuid } from "../../model/ids.ts";
import {
  mapColumns,
  numberColumnNames,
  type PriceRows,
  priceColumnNames,
  priceColumns,
  type TextColumnName,
  textColumnNames,
} from "../../model/price-columns.ts";
import type { PriceRecord } from "../../model/records.ts";
import { missingCode } from "../../model/shared-columns.ts";
import { camelCase } from "../../model/snake-case.ts";
import { lengthsMax } from "../../model/text-lengths.ts";
import { priceFlags } from "../../model/vocabulary.ts";
import { hasHiddenCharacter } from "../input-values.ts";
import { type Problem, ProblemList } from "../problem.ts";
import type { FileBytes } from "./byte-values.ts";
import type { PriceLinks } from "./check-price-line.ts";
import { priceBytesMin } from "./feed-blocks.ts";
import { PriceRecogniser } from "./price-recogniser.ts";
import { type CodeOf, TextInterner } from "./text-interner.ts";

/** The plan that all readers of a table share. */
export interface ReadingPlan {
  /** Memory that blocks lie in; it goes on after each of them by `bytesAfterMax`. */
  readonly memory: SharedArrayBuffer;
  readonly links: PriceLinks;
  /** So many problems of one kind are listed for each block; more are counted. */
  readonly problemsPerKindMax: number;
  /** After more problems in one block the rest of it is not read; all reading ends then. */
  readonly problemsMax: number;
}

/** The table that is filled. */
export interface BlockTable {
  readonly rows: PriceRows<SharedArrayBuffer>;
  /**
   * A byte a row: 1 where the row is deleted: its line is no price or no line needed it (`BlockReader`), a file of
   * higher sequence has its uuid or it repeats one (`finishTable`), or it is replaced or withdrawn
   * (`streamManifestPrices`). 2 (`invalidRow`) where the row is a price with problems, whose uuid may not come again
   * either. Rows with 0 are moved together (finish-table.ts).
   */
  readonly isDeleted: Uint8Array<SharedArrayBuffer>;
}

/** In `isDeleted`: the row has a uuid and problems. */
export const invalidRow = 2;

/** Whole lines in the memory of a plan, the last line end included, and the rows that they fill. */
export interface Block {
  readonly start: number;
  readonly end: number;
  readonly rowFirst: number;
  /**
   * Number of rows that are reserved: as many as lines of at least `priceBytesMin` bytes, or more, see `countRows` of
   * feed-blocks.ts.
   */
  readonly rows: number;
}

/** Texts of each text column, in order of their codes. */
export type ColumnTexts = { readonly [Name in TextColumnName]: readonly string[] };

/** The result of reading a block. */
export interface BlockReading {
  readonly lineCount: number;
  /** Lines that have no row, ascending; lines count from 0. Rows belong to the other lines, in order. */
  readonly linesWithoutRow: readonly number[];
  /** True if codes count from 0: the texts before, if there are any, belong to the blocks before. */
  readonly startsDictionaries: boolean;
  /** Texts that this reader met here first. */
  readonly newTexts: ColumnTexts;
  /** In order of lines; `file` is empty and `line` counts from 0. */
  readonly problems: readonly Problem[];
  /** Number of problems of each kind, those not among `problems` included. */
  readonly problemCounts: ProblemList["counts"];
}

/** A line for the slow path, without its line end. */
interface SlowLine {
  readonly line: number;
  readonly row: number | undefined;
  readonly bytes: Buffer;
}

/** The texts that a reader has met, and what recognises lines with them. */
interface TextReading {
  readonly dictionaries: { readonly [Name in TextColumnName]: Dictionary };
  readonly recogniser: PriceRecogniser;
}

/** The property of a record in memory that has the value of a column. */
const recordFields = mapColumns(priceColumnNames, (name) => camelCase(priceColumns[name].field) as keyof PriceRecord);

const lineFeed = 0x0a;
const flagNames: ReadonlySet<string> = new Set(priceFlags);

/** Reads blocks of whole lines into the rows of a table, which it shares with the other readers. */
export class BlockReader {
  readonly #plan: ReadingPlan;
  readonly #file: FileBytes;
  readonly #bytes: Buffer;
  readonly #table: BlockTable;
  /** Undefined until the first block is read. */
  #texts: TextReading | undefined;

  constructor(plan: ReadingPlan, table: BlockTable) {
    this.#plan = plan;
    this.#file = { bytes: new Uint8Array(plan.memory), view: new DataView(plan.memory) };
    this.#bytes = Buffer.from(plan.memory);
    this.#table = table;
  }

  /** Reads one block into its rows. Blocks are to be given in the order of their rows. */
  async read(block: Block): Promise<BlockReading> {
    const known = this.#texts;
    const texts = known !== undefined && this.#hasRoomFor(block.rows, known) ? known : this.#withoutTexts();
    this.#texts = texts;
    const { dictionaries } = texts;
    const textsBefore = mapColumns(textColumnNames, (name) => dictionaries[name].texts.length);
    const problems = new ProblemList(Number.POSITIVE_INFINITY, this.#plan.problemsPerKindMax);
    const slowLines: SlowLine[] = [];
    const lineCount = this.#readFast(block, texts, slowLines);
    if (slowLines.length > 0) await this.#readSlow(slowLines, texts, problems);
    return {
      lineCount,
      linesWithoutRow: slowLines.filter(({ row }) => row === undefined).map(({ line }) => line),
      startsDictionaries: texts !== known,
      newTexts: mapColumns(textColumnNames, (name) => dictionaries[name].texts.slice(textsBefore[name])),
      problems: problems.problems,
      problemCounts: problems.counts,
    };
  }

  /** Reads the lines that are recognised and collects the others. @returns The number of lines read. */
  #readFast({ start, end, rowFirst, rows }: Block, { recogniser }: TextReading, slowLines: SlowLine[]): number {
    const rowEnd = rowFirst + rows;
    let row = rowFirst;
    let line = 0;
    // A block may have a million lines without a row, each a problem.
    let linesWithoutRow = 0;
    for (let at = start; at < end && linesWithoutRow <= this.#plan.problemsMax; line++) {
      const next = row < rowEnd ? recogniser.read(at, row) : -1;
      if (next !== -1) {
        at = next;
        row++;
        continue;
      }
      const lineEnd = this.#bytes.indexOf(lineFeed, at);
      const hasRow = lineEnd - at >= priceBytesMin;
      if (!hasRow) linesWithoutRow++;
      slowLines.push({ line, row: hasRow ? row++ : undefined, bytes: this.#bytes.subarray(at, lineEnd) });
      at = lineEnd + 1;
    }
    // Rows are left over only where a line is too short for a price, which is a problem: a block without one has none.
    this.#table.isDeleted.fill(1, row, rowEnd);
    return line;
  }

  async #readSlow(slowLines: readonly SlowLine[], texts: TextReading, problems: ProblemList): Promise<void> {
    // Loaded only where a file needs it: a thread that starts with a schema compiler starts late.
    const { checkPriceLine } = await import("./check-price-line.ts");
    for (const { line, row, bytes } of slowLines) {
      if (problems.total > this.#plan.problemsMax) return;
      const { price, faults } = checkPriceLine(bytes, this.#plan.links);
      for (const fault of faults) problems.add({ file: "", line, ...fault });
      if (row === undefined) continue;
      if (price === undefined) this.#table.isDeleted[row] = 1;
      else {
        this.#writeRow(price, row, texts);
        if (faults.length > 0) this.#table.isDeleted[row] = invalidRow;
      }
    }
  }

  /** A row whose references do not resolve has a uuid all the same, which may come again. */
  #writeRow(price: PriceRecord, row: number, { dictionaries }: TextReading): void {
    const { rows } = this.#table;
    const { products, markets } = this.#plan.links;
    writeUuid(rows.uuids, row, price.uuid);
    rows.products[row] = products.get(price.productUuid) ?? -1;
    rows.markets[row] = markets.get(price.marketUuid) ?? -1;
    for (const name of numberColumnNames) rows[name][row] = price[recordFields[name]] as number;
    for (const name of textColumnNames) {
      const text = price[recordFields[name]] as string | null;
      rows[name][row] = text === null ? missingCode(rows[name]) : dictionaries[name].codeOf(text);
    }
  }

  /** Dictionaries start again before one is full, so that a block never meets a full one. */
  #hasRoomFor(rows: number, { dictionaries }: TextReading): boolean {
    return textColumnNames.every(
      (name) => dictionaries[name].texts.length + rows <= missingCode(this.#table.rows[name]),
    );
  }

  #withoutTexts(): TextReading {
    const { rows } = this.#table;
    const { products, markets, units, areHandedIn, recordedAtMax } = this.#plan.links;
    const dictionaries = mapColumns(
      textColumnNames,
      (name) => new Dictionary(priceColumns[name].label, missingCode(rows[name])),
    );
    const { currencies, sources, grades, notes, flags } = dictionaries;
    const interner = (codeOf: CodeOf): TextInterner => new TextInterner(this.#file, codeOf);
    // A text of more code points than `max` has more UTF-16 units; the slow path counts the others.
    const trimmed = (dictionary: Dictionary, max: number): TextInterner =>
      interner((text) => {
        const mayBeRefused = areHandedIn && (text.length > max || hasHiddenCharacter(text));
        const isPlain = text !== "" && text.trim() === text && !mayBeRefused;
        return isPlain ? dictionary.codeOf(text) : -1;
      });
    const interners = {
      products: interner((text) => products.get(text.toLowerCase()) ?? -1),
      markets: interner((text) => markets.get(text.toLowerCase()) ?? -1),
      units: interner((text) => (units.has(text) ? dictionaries.units.codeOf(text) : -1)),
      currencies: interner((text) => (/^[A-Z]{3}$/.test(text) ? currencies.codeOf(text) : -1)),
      sources: trimmed(sources, lengthsMax.name),
      grades: trimmed(grades, lengthsMax.name),
      notes: trimmed(notes, lengthsMax.text),
      flags: interner((text) => (flagNames.has(text) ? flags.codeOf(text) : -1)),
    };
    return { dictionaries, recogniser: new PriceRecogniser(this.#file, rows, interners, recordedAtMax) };
  }
}
