/**
 * Reads blocks of whole lines into the rows of a table. Several readers, each in its thread, share a table: each reads
 * its block into rows of its own first, and puts them into the table when the blocks before have been put there. Nobody
 * needs to know beforehand how many lines a block has.
 */
import { writeUuid } from "../../domain/uuid-words.ts";
import { instantOf, uuidOf } from "../translate-records.ts";
import type { WirePrice } from "../wire-records.ts";
import { type FileBytes, fileBytesOver } from "./file-bytes.ts";
import { PriceRecogniser } from "./price-recogniser.ts";
import { codeOfNothing, copyPriceRows, ownPriceRows, type PriceRows } from "./price-rows.ts";
import { type NewTexts, noPriceTexts, type PriceTexts, takeNewTexts } from "./price-texts.ts";

/** What all readers of a table share. */
export interface ReadingPlan {
  /** Where blocks lie; it goes on behind each of them by `bytesBehindMax`. */
  readonly memory: SharedArrayBuffer;
  /** How many bytes a block has at most. */
  readonly blockBytesMax: number;
  /** The table that is filled; its size is the number of rows announced. */
  readonly table: PriceRows<SharedArrayBuffer>;
  /** See `turnOf`. */
  readonly turn: Int32Array<SharedArrayBuffer>;
  /** Last instant at which a price may be recorded (inclusive). */
  readonly recordedAtMax: number;
}

/** Whole lines in the memory of a plan, the last line end included. */
export interface Block {
  /** Counts from 0 over all files. */
  readonly number: number;
  readonly start: number;
  readonly end: number;
}

/** What one block held. */
export interface BlockReading {
  readonly rows: number;
  /** Texts that this reader met here first. The codes in the table are those of the reader that read the block. */
  readonly newTexts: NewTexts;
}

/** The places of `ReadingPlan.turn`: whose turn it is, how many rows the table has, whether all is given up. */
const nextBlock = 0;
const rowsInTable = 1;
const isGivenUp = 2;

/** The turn at the start: block 0, no rows. */
export function firstTurn(): Int32Array<SharedArrayBuffer> {
  return new Int32Array(new SharedArrayBuffer(3 * Int32Array.BYTES_PER_ELEMENT));
}

/** Lets readers that wait for their turn end without having had it. */
export function giveUpTurns(turn: Int32Array<SharedArrayBuffer>): void {
  Atomics.store(turn, isGivenUp, 1);
  // Whoever waits does so on this place, and looks at the other one when it wakes.
  Atomics.notify(turn, nextBlock);
}

/** Should a wake-up ever be missed, this long later it is noticed. */
const waitMilliseconds = 100;

/** Bytes of the shortest line that can be a price: all texts of one letter, what is unknown left out. */
const priceLineBytesMin =
  JSON.stringify({
    uuid: "0".repeat(36),
    product_uuid: "0".repeat(36),
    market_uuid: "0".repeat(36),
    price: 1,
    unit: "u",
    currency: "KES",
    recorded_at: "2026-01-01T00:00:00Z",
    source: "s",
    created_at: "2026-01-01T00:00:00Z",
    updated_at: "2026-01-01T00:00:00Z",
  } satisfies WirePrice).length + 1;

export class BlockReader {
  readonly #plan: ReadingPlan;
  readonly #file: FileBytes;
  readonly #rowsMax: number;
  readonly #rows: PriceRows;
  readonly #texts: PriceTexts;
  readonly #recogniser: PriceRecogniser;

  constructor(plan: ReadingPlan) {
    this.#plan = plan;
    this.#file = fileBytesOver(plan.memory);
    this.#texts = noPriceTexts(this.#file);
    this.#rowsMax = Math.floor(plan.blockBytesMax / priceLineBytesMin);
    this.#rows = ownPriceRows(this.#rowsMax + 1);
    this.#recogniser = new PriceRecogniser(this.#file, this.#rows, this.#texts, plan.recordedAtMax);
  }

  /**
   * Reads one block into the table.
   *
   * @returns Undefined when any line is not a fit price or finds no room; then the table is of no use.
   */
  async read(block: Block): Promise<BlockReading | undefined> {
    const odd: OddLine[] = [];
    const rows = this.#readOrdinary(block, odd);
    if (rows === undefined || (odd.length > 0 && !(await this.#readOdd(odd)))) return undefined;
    const row = this.#takeTurn(block.number, rows);
    if (row === undefined) return undefined;
    copyPriceRows(this.#rows, rows, this.#plan.table, row);
    return { rows, newTexts: takeNewTexts(this.#texts) };
  }

  /** Reads what is ordinary, and notes what is not. */
  #readOrdinary({ start, end }: Block, odd: OddLine[]): number | undefined {
    let row = 0;
    for (let at = start; at < end; row++) {
      // More lines than the block could hold prices: some line is none.
      if (row > this.#rowsMax) return undefined;
      const next = this.#recogniser.read(at, row);
      if (next !== -1) {
        at = next;
        continue;
      }
      const lineEnd = this.#file.bytes.indexOf(lineFeed, at) + 1;
      odd.push({ row, start: at, end: lineEnd });
      at = lineEnd;
    }
    return row;
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
    const rows = this.#rows;
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

  /** Waits until all blocks before are in the table, and takes the next `rows` rows of it. Never waits for block 0. */
  #takeTurn(number: number, rows: number): number | undefined {
    const { turn, table } = this.#plan;
    for (;;) {
      if (Atomics.load(turn, isGivenUp) !== 0) return undefined;
      const next = Atomics.load(turn, nextBlock);
      if (next === number) break;
      Atomics.wait(turn, nextBlock, next, waitMilliseconds);
    }
    const row = Atomics.load(turn, rowsInTable);
    if (row + rows > table.prices.length) return undefined;
    Atomics.store(turn, rowsInTable, row + rows);
    Atomics.store(turn, nextBlock, number + 1);
    Atomics.notify(turn, nextBlock);
    return row;
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
