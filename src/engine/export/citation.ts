/** The line under which others cite prices of a snapshot. */

import { dayOfInstant, dayText } from "../model/calendar.ts";
import { counted } from "../model/counted.ts";
import { type SnapshotIdentity, type SourceDetails, sourceDetails } from "../model/dataset.ts";

/** The name of the dataset, which is that of its pages in English. */
export const datasetName = "Food prices in Kenya";

/** The most characters of a citation: what reference lists and captions have room for. */
export const citationCharactersMax = 300;

/** Texts of a citation about a source, in full first, then shorter and shorter. */
const sourceForms: readonly ((source: string, details: SourceDetails) => string)[] = [
  (source, { title, url, licence }) => listed([title ?? source, url, licence?.id, licence?.url]),
  (source, { title, url, licence }) => listed([title ?? source, url ?? licence?.url, licence?.id]),
  (source, { title, licence }) => listed([title ?? source, licence?.id]),
  (source, { licence }) => listed([source, licence?.id]),
];

/**
 * A citation of prices: their sources with address and licence, then the snapshot, the day of its publication by the
 * clocks of its time zone, and a gap for the reader's own date.
 *
 * @param sources Sources of the prices, in the order in which they are named.
 * @returns At most `citationCharactersMax` characters: where that is too few, addresses are left out first, then
 * sources at the end.
 */
export function citationOf(snapshot: SnapshotIdentity, sources: readonly string[]): string {
  const { id, createdAt, utcOffset } = snapshot;
  const published = dayText(dayOfInstant(createdAt, utcOffset));
  const title = `${datasetName}, snapshot ${id}, published ${published}, accessed <date>.`;
  if (sources.length === 0) return title;
  const room = citationCharactersMax - title.length - " ".length;
  for (const form of sourceForms) {
    const text = ended(sources.map((source) => form(source, sourceDetails(snapshot, source))).join("; "));
    if (text.length <= room) return `${text} ${title}`;
  }
  // No more fit than there is room for.
  for (let named = Math.min(sources.length - 1, room); named > 0; named--) {
    const text = ended(listed([...sources.slice(0, named), `and ${sources.length - named} more`]));
    if (text.length <= room) return `${text} ${title}`;
  }
  return `${counted(sources.length, "source")}. ${title}`;
}

/** The same for what does not know when it is read, as a file of a chart. */
export function undatedCitation(...cited: Parameters<typeof citationOf>): string {
  return citationOf(...cited).replace(", accessed <date>", "");
}

/** The addresses of the licences of some sources, each once. */
export function licenceUrls(snapshot: SnapshotIdentity, sources: readonly string[]): string[] {
  const urls = sources.map((source) => sourceDetails(snapshot, source).licence?.url);
  return [...new Set(urls.filter((url) => url !== null && url !== undefined))];
}

function listed(parts: readonly (string | null | undefined)[]): string {
  return parts.filter((part) => part !== null && part !== undefined).join(", ");
}

function ended(text: string): string {
  return text.endsWith(".") ? text : `${text}.`;
}
