/** The dataset in the vocabulary of schema.org, which search engines of data read from pages. */
import type { DataDownload, Dataset, WithContext } from "schema-dts";
import { dayOfInstant, dayText, type Instant, instantText } from "../model/calendar.ts";
import { type SnapshotIdentity, sourceDetails } from "../model/dataset.ts";
import { allSources } from "../query/describe-prices.ts";
import type { Store } from "../store/store.ts";
import { datasetName, undatedCitation } from "./citation.ts";

/** A file that holds a table of the snapshot. */
export interface DescribedFile {
  readonly name: string;
  readonly bytes: number;
  /** In hexadecimal. */
  readonly sha256: string;
  /** From the root of the service. */
  readonly path: string;
}

/** The columns that hold what is measured. */
const variables = [
  ["price", "Price of a product at a market on a day, in the currency and the unit of the row"],
  ["price_per_base_unit", "The same for one kilogram, litre or piece"],
] as const;

/**
 * Describes what stays the same from one snapshot to the next, but for new sources.
 *
 * @param publicUrl The address of the service; without it the description has no addresses but those of its sources.
 */
export function describeDataset(
  snapshot: Pick<SnapshotIdentity, "sources">,
  publicUrl: string | undefined,
): WithContext<Dataset> {
  const details = Object.keys(snapshot.sources).map((source) => sourceDetails(snapshot, source));
  const texts = (values: readonly (string | null | undefined)[]): string[] => [
    ...new Set(values.filter((value) => typeof value === "string")),
  ];
  return {
    "@context": "https://schema.org",
    "@type": "Dataset",
    name: datasetName,
    description:
      "Wholesale and retail prices of farm produce at markets of Kenya, with products, markets, units and counties: " +
      "newest prices, statistics by day, week, month, market and county, and how unusual a price is for its season.",
    keywords: ["food prices", "market prices", "agriculture", "Kenya"],
    spatialCoverage: { "@type": "Country", name: "Kenya", identifier: "KE" },
    isAccessibleForFree: true,
    creator: details.map(({ title, url }, at) => ({
      "@type": "Organization",
      name: title ?? (Object.keys(snapshot.sources)[at] as string),
      ...(url !== null && { url }),
    })),
    publisher: { "@type": "Organization", name: datasetName, ...(publicUrl !== undefined && { url: publicUrl }) },
    variableMeasured: variables.map(([name, description]) => ({ "@type": "PropertyValue", name, description })),
    license: texts(details.map(({ licence }) => licence?.url ?? licence?.id)),
    isBasedOn: texts(details.map(({ url, title }) => url ?? title)),
  };
}

/**
 * The dataset of a snapshot.
 *
 * @param files Downloads of the snapshot, where there are any. @param publicUrl As for the dataset.
 */
export function describeSnapshot(
  store: Store,
  files: readonly DescribedFile[],
  publicUrl: string | undefined,
): WithContext<Dataset> {
  const { snapshot, prices, rowsByTime } = store;
  const dayAt = (row: number): string => dayText(dayOfInstant(prices.recordedAt[row] as Instant, snapshot.utcOffset));
  const [newest, oldest] = [rowsByTime[0], rowsByTime.at(-1)];
  return {
    ...(describeDataset(snapshot, publicUrl) as Exclude<WithContext<Dataset>, string>),
    version: snapshot.id,
    identifier: snapshot.id,
    dateModified: instantText(snapshot.createdAt),
    creditText: undatedCitation(snapshot, allSources(store)),
    ...(newest !== undefined && oldest !== undefined && { temporalCoverage: `${dayAt(oldest)}/${dayAt(newest)}` }),
    ...(publicUrl !== undefined &&
      files.length > 0 && { distribution: files.map((file) => describeFile(file, publicUrl)) }),
  };
}

const mediaTypes: Readonly<Record<string, string>> = {
  csv: "text/csv",
  gz: "application/gzip",
  json: "application/json",
  parquet: "application/vnd.apache.parquet",
};

function describeFile({ name, bytes, sha256, path }: DescribedFile, publicUrl: string): DataDownload {
  const encodingFormat = mediaTypes[name.slice(name.lastIndexOf(".") + 1)] as string;
  const contentUrl = publicUrl + path;
  return { "@type": "DataDownload", name, encodingFormat, contentUrl, contentSize: `${bytes} B`, sha256 };
}
