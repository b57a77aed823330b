/** A published snapshot as files for other programs: a table, or all of it as record files. */

import { type TableFilter, type TableName, withTable } from "../../engine/export/select-table.ts";
import { tableParquet } from "../../engine/export/table-parquet.ts";
import { type FormulaForm, type TextFormat, tableText } from "../../engine/export/table-text.ts";
import {
  type FilePieces,
  type FolderClaim,
  type FolderFile,
  requireFreeFolder,
  writeWholeFolder,
} from "../../engine/files/whole-folder.ts";
import { writeWholeFile } from "../../engine/files/write-whole-file.ts";
import { type Instant, instantText } from "../../engine/model/calendar.ts";
import { readUuid } from "../../engine/model/ids.ts";
import { missingCode } from "../../engine/model/shared-columns.ts";
import { walkPrices } from "../../engine/query/walk-prices.ts";
import { optionalParts } from "../../engine/snapshots/manifest.ts";
import { recordLines } from "../../engine/snapshots/record-texts.ts";
import {
  decisionFileNames,
  manifestFileName,
  optionalTableKinds,
  type SnapshotId,
  type TableKind,
  tableFileNames,
} from "../../engine/snapshots/snapshot-layout.ts";
import type { BytesObserver } from "../../engine/snapshots/stored-file.ts";
import { tableRecords } from "../../engine/snapshots/table-records.ts";
import { recordAt } from "../../engine/store/catalogue.ts";
import { textOf } from "../../engine/store/shared-texts.ts";
import type { Store } from "../../engine/store/store.ts";
import { PublishedSnapshot } from "./open-published.ts";
import { decisionFiles, recordFileText, tableKinds } from "./record-files.ts";

export interface ExportRequest {
  readonly dataDirectory: string;
  /** The current one when absent. */
  readonly id: SnapshotId | undefined;
  /** A new file, or for records a new or an empty folder. */
  readonly outputPath: string;
  readonly onBytes?: BytesObserver | undefined;
}

export interface TableRequest extends ExportRequest {
  readonly table: TableName;
  readonly filter: TableFilter;
  readonly format: TextFormat | "parquet";
  readonly formulas: FormulaForm;
}

export interface ExportReport {
  readonly id: SnapshotId;
  readonly bytes: number;
}

/**
 * Writes a table of a snapshot to a file.
 *
 * @throws {FolderTakenError} when the path is taken.
 * @throws {ExportRefusedError} when the filter asks for what is not there.
 * @throws {SnapshotUnavailableError} {DatasetError} when the snapshot cannot be opened.
 */
export async function exportTable(request: TableRequest): Promise<ExportReport> {
  const snapshot = await PublishedSnapshot.readWanted(request.dataDirectory, request.id);
  const store = await snapshot.openStore(request.onBytes);
  const { table, filter, format, formulas } = request;
  const pieces = withTable<FilePieces>(store, table, filter, (columns, blocks, partOf) =>
    format === "parquet"
      ? tableParquet(store, columns, blocks, partOf)
      : tableText(store, columns, blocks, format, formulas),
  );
  return { id: snapshot.manifest.id, bytes: await writeWholeFile(request.outputPath, pieces) };
}

const pricesFileName = "prices.ndjson";

/**
 * Writes a snapshot as a folder of record files that can be edited and published, with all corrections applied and
 * without the prices that are withdrawn, which its file of withdrawals still names. Published as they are, they give
 * the same answers.
 *
 * @throws as `exportTable`.
 */
export async function exportRecords(request: ExportRequest): Promise<ExportReport> {
  const tables = Object.values(tableFileNames);
  const fileNames = [manifestFileName, pricesFileName, ...tables, ...Object.values(decisionFileNames)];
  const folder: FolderClaim = { path: request.outputPath, fileNames, called: "record files" };
  await requireFreeFolder(folder);
  const snapshot = await PublishedSnapshot.readWanted(request.dataDirectory, request.id);
  const store = await snapshot.openStore(request.onBytes);
  const decisions = decisionFiles(await snapshot.readDecisions(), 0);
  const made = decisions.map(({ entry: { name }, content }) => ({ name, pieces: [content] }));
  const files = [...recordFiles(store), ...made];
  return { id: snapshot.manifest.id, bytes: await writeWholeFolder(folder, files) };
}

function recordFiles(store: Store): FolderFile[] {
  const { snapshot, catalogue } = store;
  const { timeZone: time_zone, note, attribution } = snapshot;
  const header = { time_zone, ...(note === null ? {} : { note }), attribution, ...optionalParts(snapshot) };
  const records = tableRecords(catalogue);
  const tableFile = <Kind extends TableKind>(kind: Kind): FolderFile => {
    return { name: tableFileNames[kind], pieces: [recordFileText<Kind>(kind, records[kind])] };
  };
  const isWritten = (kind: TableKind): boolean => records[kind].length > 0 || !optionalTableKinds.includes(kind);
  return [
    { name: manifestFileName, pieces: [JSON.stringify(header, null, 2), "\n"] },
    ...tableKinds.filter(isWritten).map(tableFile),
    { name: pricesFileName, pieces: recordLines(priceRecords(store)) },
  ];
}

/** All prices by product, oldest first. */
function* priceRecords(store: Store): Generator<object> {
  const { catalogue, prices } = store;
  const instant = (column: Float64Array, row: number): string => instantText(column[row] as Instant);
  for (const block of walkPrices(store, {})) {
    for (const row of block) {
      const note = prices.notes[row] as number;
      yield {
        uuid: readUuid(prices.uuids, row),
        product_uuid: recordAt(catalogue.products, prices.products[row] as number).uuid,
        market_uuid: recordAt(catalogue.markets, prices.markets[row] as number).uuid,
        price: prices.prices[row],
        unit: prices.unitNames[prices.units[row] as number],
        currency: prices.currencyCodes[prices.currencies[row] as number],
        recorded_at: instant(prices.recordedAt, row),
        source: prices.sourceNames[prices.sources[row] as number],
        // Undefined without one, and then JSON has no such field.
        quality_grade: prices.gradeNames[prices.grades[row] as number],
        notes: note === missingCode(prices.notes) ? undefined : textOf(prices.noteTexts, note),
        price_flag: prices.flagNames[prices.flags[row] as number],
        created_at: instant(prices.createdAt, row),
        updated_at: instant(prices.updatedAt, row),
      };
    }
  }
}
