/** The prices of a snapshot as rows for another database, in bounded memory. */
import { priceTable } from "../../engine/export/price-table.ts";
import type { Columns } from "../../engine/export/table-columns.ts";
import { tableText } from "../../engine/export/table-text.ts";
import { walkPrices } from "../../engine/query/walk-prices.ts";
import type { SnapshotId } from "../../engine/snapshots/snapshot-layout.ts";
import { type StreamedRows, type StreamOptions, streamManifestPrices } from "../../engine/snapshots/stream-dataset.ts";
import { buildStore } from "../../engine/store/build-store.ts";
import { PublishedSnapshot } from "./open-published.ts";

/** A judgement about a whole series needs all of its prices, which a stream has not. */
const columnsOfSeries: ReadonlySet<string> = new Set(["suspicious", "suspicious_reason"]);

/** The columns of the export of prices that a price alone decides, in its order. */
export const streamedColumns: Columns<number> = priceTable.filter(({ name }) => !columnsOfSeries.has(name));

export interface RowsRequest extends StreamOptions {
  readonly dataDirectory: string;
  /** The current one when absent. */
  readonly id?: SnapshotId | undefined;
  /** Takes whole lines; the next ones are made when its promise has been fulfilled. */
  readonly write: (text: string) => Promise<void>;
}

export interface RowsReport extends StreamedRows {
  readonly id: SnapshotId;
}

/** Texts are handed on when they have so many characters. */
const textLengthMin = 256 * 1024;

/**
 * Writes the prices of a snapshot as NDJSON, the columns and texts as in its export but for those that need a whole
 * series; in order of the files, within a part of them by product and market. Corrections are applied, withdrawn prices
 * left out.
 *
 * @throws {SnapshotUnavailableError} {DatasetError} when the snapshot cannot be read. What was written until then is to
 * be thrown away.
 * Cost: as `streamManifestPrices`, and the store of a part.
 */
export async function streamRows({ dataDirectory, id, write, ...options }: RowsRequest): Promise<RowsReport> {
  const snapshot = await PublishedSnapshot.readWanted(dataDirectory, id);
  const { manifest, directory } = snapshot;
  const streamed = await streamManifestPrices(
    directory,
    manifest,
    async (part) => {
      const store = buildStore(part);
      let text = "";
      for (const piece of tableText(store, streamedColumns, walkPrices(store, {}), "ndjson")) {
        text += piece;
        if (text.length < textLengthMin) continue;
        await write(text);
        text = "";
      }
      if (text !== "") await write(text);
    },
    options,
  );
  return { id: manifest.id, ...streamed };
}
