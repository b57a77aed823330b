/** The dataset in the vocabulary of schema.org, which search engines of data read from pages. */
import type { DataDownload, Dataset, WithContext } from "schema-dts";
import { dayOfInstant, dayText, type Instant, instantText } from "../model/calendar.ts";
import { type SnapshotIdentity, sourceDetails } from "../model/dataset.ts";
import { allSources } from "../query/describe-prices.ts";
import type { Store } from "../store/store.ts";
import { citationOf } from "./citation.ts";

/** A file that holds a table of the snapshot. */
export interface DescribedFile {
  readonly name: string;
  readonly bytes: number;
  /** In hexadecimal. */
  readonly sha256: string;
  /** Its address, which may be relative to the page. */
  readonly url: string;
}

/** Describes what stays the same from one snapshot to the next, but for new sources. */
export function describeDataset(snapshot: Pick<SnapshotIdentity, "sources">): WithContext<Dataset> {
  const details = Object.keys(snapshot.sources).map((source) => sourceDetails(snapshot, source));
  const texts = (values: readonly (string | null | undefined)[]): string[] => [
    ...new Set(values.filter((value) => typeof value === "string")),
  ];
  return {
    "@context": "https://schema.org",
    "@type": "Dataset",
    name: "Kenyan farm produce prices",
    description:
      "Wholesale and retail prices of farm produce at markets of Kenya, with products, markets, units and counties: " +
      "newest prices, statistics by day, week, month, market and county, and how unusual a price is for its season.",
    keywords: ["food prices", "market prices", "agriculture", "Kenya"],
    spatialCoverage: { "@type": "Country", name: "Kenya", identifier: "KE" },
    isAccessibleForFree: true,
    license: texts(details.map(({ licence }) => licence?.url ?? licence?.id)),
    isBasedOn: texts(details.map(({ url, title }) => url ?? title)),
  };
}

/**
 * The dataset of a snapshot.
 *
 * @param files Downloads of the snapshot, where there are any.
 */
export function describeSnapshot(store: Store, files: readonly DescribedFile[]): WithContext<Dataset> {
  const { snapshot, prices, rowsByTime } = store;
  const dayAt = (row: number): string => dayText(dayOfInstant(prices.recordedAt[row] as Instant, snapshot.utcOffset));
  const [newest, oldest] = [rowsByTime[0], rowsByTime.at(-1)];
  return {
    ...(describeDataset(snapshot) as Exclude<WithContext<Dataset>, string>),
    version: snapshot.id,
    dateModified: instantText(snapshot.createdAt),
    creditText: citationOf(snapshot, allSources(store)),
    ...(newest !== undefined && oldest !== undefined && { temporalCoverage: `${dayAt(oldest)}/${dayAt(newest)}` }),
    ...(files.length > 0 && { distribution: files.map(describeFile) }),
  };
}

const mediaTypes: Readonly<Record<string, string>> = {
  csv: "text/csv",
  gz: "application/gzip",
  json: "application/json",
  parquet: "application/vnd.apache.parquet",
};

function describeFile({ name, bytes, sha256, url }: DescribedFile): DataDownload {
  const encodingFormat = mediaTypes[name.slice(name.lastIndexOf(".") + 1)] as string;
  return { "@type": "DataDownload", name, encodingFormat, contentUrl: url, contentSize: `${bytes} B`, sha256 };
}
