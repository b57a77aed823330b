/**
 * Turns a CSV export of WFP food prices (Humanitarian Data Exchange, "Kenya - Food Prices") into the record files of a
 * snapshot, joined with the reference data of data/reference:
 *
 *   readExport → readPriceRow → collectFacts → buildRecords → files
 *
 * The output depends on the export, its name and the reference data alone: no locale, no time zone of the process, and
 * of the clock nothing but the last day that is not to come. Records are sorted and identifiers come from the ids of
 * the export, so the same export gives the same bytes.
 */
import { basename } from "node:path";
import { dayOfInstant, dayText, type Instant, kenyanOffset } from "../../../engine/model/calendar.ts";
import { recordKinds } from "../../../engine/snapshots/snapshot-layout.ts";
import { ImportRefusedError } from "../import-refused.ts";
import { listLeftOut, noPriceText } from "../left-out-rows.ts";
import { claimRecordFolder, writeRecordFolder } from "../record-folder.ts";
import { buildRecords, originRecords } from "./build-wfp-records.ts";
import { type CollectedFacts, collectFacts } from "./collect-facts.ts";
import { leftOutReasons } from "./read-price-row.ts";
import { readExport } from "./read-wfp-export.ts";
import { readReferenceData } from "./reference-data.ts";
import { type ImportReport, reportImport } from "./wfp-report.ts";

export interface WfpImport {
  /** The export. */
  readonly csvPath: string;
  /** Folder to make; it must be new or empty. */
  readonly outputPath: string;
  /** An earlier import in that folder may be replaced. */
  readonly replacesImport?: boolean;
  /** Rows of a later day, in Kenya, are left out. */
  readonly now: Instant;
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
  const folder = await claimRecordFolder(path, replaces, recordKinds);
  const reference = await readReferenceData();
  const facts = await collectFacts(readExport(csvPath, onBytes), reference, dayOfInstant(work.now, kenyanOffset));
  if (facts.prices.size === 0) {
    throw new ImportRefusedError(
      `${csvPath}: ${countryText(facts)}${noPriceText("usable price", facts, leftOutReasons)}`,
    );
  }
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
  const origins = originRecords(facts, basename(csvPath));
  await writeRecordFolder(csvPath, folder, { ...records, origins }, manifest);
  return report;
}

/** The part of a message that says of which country a file without a price of Kenya is. */
function countryText({ otherCountries }: CollectedFacts): string {
  if (otherCountries.size === 0) return "";
  const [first, ...others] = listLeftOut(otherCountries).map(({ reason }) => reason);
  const more = others.length > 0 ? ` and ${others.length} more` : "";
  return `a file of another country (${first}${more}), expected one of Kenya; it `;
}
