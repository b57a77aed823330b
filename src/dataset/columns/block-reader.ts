/**
 * Reads blocks of whole lines into the rows of a table. Several readers, each in its thread, share a table; each block
 * comes with the rows that its lines are to fill.
 */

import type { PriceRows } from "../../domain/price-columns.ts";
import { writeUuid } from "../../domain/uuid-words.ts";
import { instantOf, uuidOf } from "../translate-records.ts";
import type { WirePrice } from "../wire-records.ts";
import { codeOfNothing } from "./coded-fields.ts";
import { type FileBytes, fileBytesOver } from "./file-bytes.ts";
import { PriceRecogniser } from "./price-recogniser.ts";
import { type NewTexts, noPriceTexts, type PriceTexts, takeNewTexts } from "./price-texts.ts";

/** What all readers of a table share. */
export interface ReadingPlan {
  /** Where blocks lie; it goes on behind each of them by `bytesBehindMax`. */
  readonly memory: SharedArrayBuffer;
  /** The table that is filled. */
  readonly table: PriceRows<SharedArrayBuffer>;
  /** Last instant at which a price may be recorded (inclusive). */
  readonly recordedAtMax: number;
}

/** Whole lines in the memory of a plan, the last line end included, and the rows that they fill. */
export interface Block {
  readonly start: number;
  readonly end: number;
  readonly rowFirst: number;
  /** How many lines there are, unless some are too short to be prices. */
  readonly rows: number;
}

export class BlockReader {
  readonly #plan: ReadingPlan;
  readonly #file: FileBytes;
  readonly #texts: PriceTexts;
  readonly #recogniser: PriceRecogniser;

  constructor(plan: ReadingPlan) {
    this.#plan = plan;
    this.#file = fileBytesOver(plan.memory);
    this.#texts = noPriceTexts(this.#file);
    this.#recogniser = new PriceRecogniser(this.#file, plan.table, this.#texts, plan.recordedAtMax);
  }

  /**
   * Reads one block into its rows.
   *
   * @returns The texts that this reader met here first: their codes stand in the rows. Undefined when any line is not a fit
   * price or has no row; then the table is of no use.
   */
  async read(block: Block): Promise<NewTexts | undefined> {
    const odd: OddLine[] = [];
    if (!this.#readOrdinary(block, odd) || (odd.length > 0 && !(await this.#readOdd(odd)))) return undefined;
    return takeNewTexts(this.#texts);
  }

  /** Reads what is ordinary, and notes what is not. */
  #readOrdinary({ start, end, rowFirst, rows }: Block, odd: OddLine[]): boolean {
    let at = start;
    for (let row = rowFirst; row < rowFirst + rows; row++) {
      if (at >= end) return false;
      const next = this.#recogniser.read(at, row);
      if (next !== -1) {
        at = next;
        continue;
      }
      const lineEnd = this.#file.bytes.indexOf(lineFeed, at) + 1;
      odd.push({ row, start: at, end: lineEnd });
      at = lineEnd;
    }
    return at === end;
  }

  async #readOdd(lines: readonly OddLine[]): Promise<boolean> {
    // Loaded only where a file needs it: a thread that starts with a schema compiler starts late.
    const { readOddLines } = await import("./odd-lines.ts");
    const prices = await readOddLines(
      Buffer.concat(lines.map(({ start, end }) => this.#file.bytes.subarray(start, end))),
    );
    return prices?.every((price, index) => this.#writeRow(price, (lines[index] as OddLine).row)) ?? false;
  }

  #writeRow(price: WirePrice, row: number): boolean {
    const rows = this.#plan.table;
    const texts = this.#texts;
    const recordedAt = instantOf(price.recorded_at);
    const products = texts.products.codeOf(price.product_uuid);
    const markets = texts.markets.codeOf(price.market_uuid);
    const units = texts.units.codeOf(price.unit);
    const currencies = texts.currencies.codeOf(price.currency);
    const sources = texts.sources.codeOf(price.source);
    const grades = isThere(price.quality_grade) ? texts.grades.codeOf(price.quality_grade) : codeOfNothing.grades;
    const notes = isThere(price.notes) ? texts.notes.codeOf(price.notes) : codeOfNothing.notes;
    writeUuid(rows.uuids, row, uuidOf(price.uuid));
    rows.products[row] = products;
    rows.markets[row] = markets;
    rows.prices[row] = price.price;
    rows.recordedAt[row] = recordedAt;
    rows.createdAt[row] = instantOf(price.created_at);
    rows.updatedAt[row] = instantOf(price.updated_at);
    rows.units[row] = units;
    rows.currencies[row] = currencies;
    rows.sources[row] = sources;
    rows.grades[row] = grades;
    rows.notes[row] = notes;
    return (
      Math.min(products, markets, units, currencies, sources, grades, notes) >= 0 &&
      recordedAt <= this.#plan.recordedAtMax
    );
  }
}

interface OddLine {
  readonly row: number;
  readonly start: number;
  readonly end: number;
}

const lineFeed = 0x0a;

function isThere<T>(value: T | null | undefined): value is T {
  return value !== null && value !== undefined;
}
