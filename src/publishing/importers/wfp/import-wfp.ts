/**
 * Turns a CSV export of WFP food prices (Humanitarian Data Exchange, "Kenya - Food Prices") into the record files of a
 * snapshot, joined with the reference data of data/reference:
 *
 *   readExport → readPriceRow → collectFacts → buildRecords → checkFeed → files
 *
 * The output depends on the export, its name and the reference data alone: no locale, no time zone of the process, of
 * the clock nothing but the last day that is not to come, and the current snapshot only refuses or warns. Records are
 * sorted and identifiers come from the ids of the export, so the same export gives the same bytes.
 */
import { basename } from "node:path";
import { dayOfInstant, dayText, type Instant, kenyanOffset } from "../../../engine/model/calendar.ts";
import { readCurrentIfAny } from "../../../engine/snapshots/current-snapshot.ts";
import type { ProblemList } from "../../../engine/snapshots/problem.ts";
import { recordKinds } from "../../../engine/snapshots/snapshot-layout.ts";
import { readTablesOf } from "../current-tables.ts";
import { ImportRefusedError } from "../import-refused.ts";
import { listLeftOut, noPriceText } from "../left-out-rows.ts";
import { claimRecordFolder, writeRecordFolder } from "../record-folder.ts";
import { buildRecords, originRecords } from "./build-wfp-records.ts";
import { checkFeed, type FeedWarningKind, type KnownFeed } from "./check-feed.ts";
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
  /** The dataset directory whose current snapshot the export is compared with, if there is one. */
  readonly dataDirectory?: string;
  /** Called with what may be wrong and true, before anything is written; it refuses by throwing. */
  readonly onWarnings?: (warnings: ProblemList<FeedWarningKind>) => void;
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
 * @throws {DatasetError} when names of the export are in doubt, the reference data does not fit its schemas, or tables
 *   of the current snapshot cannot be read.
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
  const file = basename(csvPath);
  const known = work.dataDirectory === undefined ? undefined : await readKnownFeed(work.dataDirectory);
  const warnings = checkFeed(file, facts, records, known);
  work.onWarnings?.(warnings);
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
  const origins = originRecords(facts, file);
  await writeRecordFolder(csvPath, folder, { ...records, origins }, manifest);
  return report;
}

/** Undefined where there is no current snapshot. */
async function readKnownFeed(dataDirectory: string): Promise<KnownFeed | undefined> {
  const id = await readCurrentIfAny(dataDirectory);
  if (id === null) return undefined;
  const { tables } = await readTablesOf(dataDirectory, id);
  return {
    products: tables.products.records.map(({ uuid, name, sourceIds }) => ({ uuid, name, source_ids: sourceIds })),
    markets: tables.markets.records.map(({ uuid, name, type, countyId, sourceIds }) => {
      return { uuid, name, type, county_id: countyId, source_ids: sourceIds };
    }),
    rates: tables["exchange-rates"].records,
  };
}

/** The part of a message that says of which country a file without a price of Kenya is. */
function countryText({ otherCountries }: CollectedFacts): string {
  if (otherCountries.size === 0) return "";
  const [first, ...others] = listLeftOut(otherCountries).map(({ reason }) => reason);
  const more = others.length > 0 ? ` and ${others.length} more` : "";
  return `a file of another country (${first}${more}), expected one of Kenya; it `;
}
