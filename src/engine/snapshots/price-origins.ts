/** Files that say where prices come from: the table, its row and the import, beside the prices file they belong to. */
import { basename } from "node:path";
import { Dictionary } from "../model/dictionary.ts";
import { getOrInsert } from "../model/get-or-insert.ts";
import { readUuid, type Uuid, UuidSet, wordsPerUuid, writeUuid } from "../model/ids.ts";
import { type PriceOrigin, recordFormats } from "../model/records.ts";
import { checkRecord } from "./check-record.ts";
import { foundText, type ProblemList } from "./problem.ts";
import type { UncheckedRecord } from "./record-texts.ts";
import { pricesNameOf, recordKindOf } from "./snapshot-layout.ts";

/** Reports files of origins that stand beside no prices file. @param names All files of the directory. */
export function reportUnpairedOrigins(names: readonly string[], problems: ProblemList): void {
  const all = new Set(names);
  for (const file of names) {
    if (recordKindOf(file) !== "origins" || all.has(pricesNameOf(file))) continue;
    problems.add({ file, kind: "file", found: "origins of no prices file", wanted: unpairedOriginsWanted(file) });
  }
}

/** Returns what a file of origins needs, for messages. */
export function unpairedOriginsWanted(name: string): string {
  return `the prices file ${foundText(basename(pricesNameOf(name)))} beside it`;
}

/** The origin that a record states; undefined where it is none. */
export function toPriceOrigin(record: UncheckedRecord): PriceOrigin | undefined {
  return checkRecord(recordFormats.origins, record).record;
}

/** Origins of a block, so that none is copied while their number grows. */
const blockSize = 65_536;

interface OriginsBlock {
  readonly uuids: Uint32Array;
  readonly rows: Float64Array;
  /** Codes of tables. */
  readonly tables: Uint32Array;
}

/** The table of an origin: all but the uuid and the row. */
type OriginTable = Omit<PriceOrigin, "uuid" | "row">;

/** Origins as they are read: numbers, 28 bytes each, and each table once. */
export class PriceOrigins {
  readonly #blocks: OriginsBlock[] = [];
  readonly #tables = new Dictionary("tables of origins", 0xffff_ffff);
  #count = 0;

  add({ uuid, row, ...table }: PriceOrigin): void {
    const at = this.#count++ % blockSize;
    if (at === 0) {
      const uuids = new Uint32Array(blockSize * wordsPerUuid);
      this.#blocks.push({ uuids, rows: new Float64Array(blockSize), tables: new Uint32Array(blockSize) });
    }
    const block = this.#blocks.at(-1) as OriginsBlock;
    writeUuid(block.uuids, at, uuid);
    block.rows[at] = row;
    block.tables[at] = this.#tables.codeOf(JSON.stringify(table));
  }

  /**
   * The origins of some prices, by uuid; the first that was added of a price counts.
   *
   * Cost: a read of each origin, none without uuids.
   */
  find(uuids: Iterable<Uuid>): ReadonlyMap<Uuid, PriceOrigin> {
    const wanted = new UuidSet([...new Set(uuids)]);
    const found = new Map<Uuid, PriceOrigin>();
    for (const [number, block] of this.#blocks.entries()) {
      const count = Math.min(blockSize, this.#count - number * blockSize);
      for (const at of wanted.rowsIn(block.uuids, count)) {
        const uuid = readUuid(block.uuids, at);
        const table = JSON.parse(this.#tables.texts[block.tables[at] as number] as string) as OriginTable;
        getOrInsert(found, uuid, () => ({ uuid, row: block.rows[at] as number, ...table }));
      }
    }
    return found;
  }
}
