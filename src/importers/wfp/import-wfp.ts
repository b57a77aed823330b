/**
 * Turns a CSV export of WFP food prices (Humanitarian Data Exchange, "Kenya - Food Prices") into the record files of a
 * snapshot, joined with the reference data beside this file:
 *
 *   readExport → collectFacts → buildRecords → recordFiles → writeRecordFolder
 *
 * The output depends on the export alone: no clock, no locale, no time zone of the process. It is sorted, identifiers
 * come from the ids of the export, and so the same export gives the same bytes.
 */
import { buildRecords } from "./build-records.ts";
import { type CollectedFacts, collectFacts } from "./collect-facts.ts";
import { ImportRefusedError } from "./import-refused-error.ts";
import { type ImportReport, reportOfImport } from "./import-report.ts";
import { leftOutReasons } from "./price-fact.ts";
import { readExport } from "./read-export.ts";
import { recordFiles } from "./record-files.ts";
import { attribution } from "./reference/attribution.ts";
import { checkOutputFolder, writeRecordFolder } from "./write-record-folder.ts";

export interface WfpImport {
  /** The export. */
  readonly csvPath: string;
  /** Folder to make; it must be new or empty. */
  readonly outputPath: string;
  /** An earlier import in that folder may be replaced. */
  readonly replacesImport?: boolean;
  /** Told how many bytes of the export have been read so far. */
  readonly onBytes?: (bytes: number) => void;
}

/**
 * Imports one export. Either the output folder is complete afterwards or it is as it was.
 *
 * Cost: one pass over the file; memory for every price kept.
 *
 * @throws {ImportRefusedError} when the export is not usable, holds no price, or the folder must not be written to.
 */
export async function importWfp(work: WfpImport): Promise<ImportReport> {
  const { csvPath, outputPath, replacesImport = false, onBytes = () => {} } = work;
  await checkOutputFolder(outputPath, replacesImport);
  const facts = await collectFacts(readExport(csvPath, onBytes));
  if (facts.prices.size === 0) throw new ImportRefusedError(`${csvPath}: ${noPriceText(facts)}`);
  const records = buildRecords(facts);
  const report = reportOfImport(facts, records);
  const note = `Kenya food prices of the World Food Programme, ${report.dayFirst} to ${report.dayLast}`;
  await writeRecordFolder(outputPath, recordFiles(records, { note, attribution }), replacesImport);
  return report;
}

function noPriceText({ rowCount, leftOut }: CollectedFacts): string {
  const reasons = [...leftOut].map(([reason, rows]) => `${rows.rowCount} × ${leftOutReasons[reason]}`);
  return `holds no usable price (rows: ${rowCount}${reasons.map((reason) => `; ${reason}`).join("")})`;
}
