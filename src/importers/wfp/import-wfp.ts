/**
 * Turns a CSV export of WFP food prices (Humanitarian Data Exchange, "Kenya - Food Prices") into the record files of a
 * snapshot, joined with the reference data of data/reference:
 *
 *   readExport → collectFacts → buildRecords → files
 *
 * The output depends on the export, its name and the reference data alone: no clock, no locale, no time zone of the
 * process.
 * Records are sorted and identifiers come from the ids of the export, so the same export gives the same bytes.
 */
import { basename } from "node:path";
import { recordLines } from "../../dataset/record-texts.ts";
import {
  manifestFileName,
  optionalTableKinds,
  originsNameOf,
  type RecordKind,
  recordKinds,
  tableFileNames,
} from "../../dataset/snapshot-layout.ts";
import { dayText } from "../../domain/calendar-day.ts";
import { type FolderClaim, type FolderFile, requireFreeFolder, writeWholeFolder } from "../../files/whole-folder.ts";
import { ImportRefusedError } from "../import-refused.ts";
import { buildRecords, type ImportedRecords, originRecords } from "./build-records.ts";
import { type CollectedFacts, collectFacts } from "./collect-facts.ts";
import { type ImportReport, reportImport } from "./import-report.ts";
import { readExport } from "./read-export.ts";
import { leftOutReasons } from "./read-price-row.ts";
import { readReferenceData } from "./reference-data.ts";

export interface WfpImport {
  /** The export. */
  readonly csvPath: string;
  /** Folder to make; it must be new or empty. */
  readonly outputPath: string;
  /** An earlier import in that folder may be replaced. */
  readonly replacesImport?: boolean;
  /** Called with the number of bytes of the export read so far. */
  readonly onBytes?: (bytes: number) => void;
}

/**
 * Imports one export. Either the output folder is complete afterwards or it is as it was.
 *
 * Cost: one pass over the file; memory for every price kept.
 *
 * @throws {ImportRefusedError} when the export is not usable or holds no price.
 * @throws {FolderTakenError} when the folder must not be written to.
 * @throws {DatasetError} when the reference data does not fit its schemas.
 */
export async function importWfp(work: WfpImport): Promise<ImportReport> {
  const { csvPath, outputPath: path, replacesImport: replaces = false, onBytes = () => {} } = work;
  const folder: FolderClaim = { path, fileNames, called: "an earlier import", replaces };
  await requireFreeFolder(folder);
  const reference = await readReferenceData();
  const facts = await collectFacts(readExport(csvPath, onBytes), reference);
  if (facts.prices.size === 0) throw new ImportRefusedError(`${csvPath}: ${noPriceText(facts)}`);
  const records = buildRecords(facts, reference);
  const report = reportImport(facts, records, reference);
  // The export writes a month as its 15th.
  const isMonthly = [...facts.prices.values()].every(({ day }) => dayText(day).endsWith("-15"));
  const manifest = {
    time_zone: "Africa/Nairobi",
    note: `Kenya food prices of the World Food Programme, ${report.dayFirst} to ${report.dayLast}`,
    attribution: reference.attribution,
    sources: reference.priceSources,
    periods: isMonthly ? { WFP: "month" } : {},
  };
  await writeWholeFolder(
    folder,
    recordFiles({ ...records, origins: originRecords(facts, basename(csvPath)) }, manifest),
  );
  return report;
}

const recordFileNames = { ...tableFileNames, prices: "prices.ndjson" };
const originsFileName = originsNameOf(recordFileNames.prices);
const fileNames = [manifestFileName, ...Object.values(recordFileNames), originsFileName];

/** All files of an import, in the order in which they are written. Lines are made while they are written. */
function recordFiles(
  records: ImportedRecords & { readonly origins: readonly object[] },
  manifest: object,
): FolderFile[] {
  const isWritten = (kind: RecordKind): boolean =>
    kind === "prices" || records[kind].length > 0 || !optionalTableKinds.includes(kind);
  const files = recordKinds.filter(isWritten).map((kind) => {
    const name = recordFileNames[kind];
    return { name, pieces: name.endsWith(".ndjson") ? recordLines(records[kind]) : jsonOf(records[kind]) };
  });
  const origins = { name: originsFileName, pieces: recordLines(records.origins) };
  return [{ name: manifestFileName, pieces: jsonOf(manifest) }, ...files, origins];
}

function jsonOf(value: unknown): string[] {
  return [JSON.stringify(value, null, 2), "\n"];
}

function noPriceText({ rowCount, leftOut }: CollectedFacts): string {
  const reasons = [...leftOut].map(([reason, rows]) => `${rows.rowCount} × ${leftOutReasons[reason]}`);
  return `holds no usable price (rows: ${rowCount}${reasons.map((reason) => `; ${reason}`).join("")})`;
}
