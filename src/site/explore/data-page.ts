/**
 * The data behind all pages: what it covers, whose it is, how to cite and load it, and what each publication changed.
 */

import { downloadPath, gapsPath } from "../../contract/paths.ts";
import type { Publication, PublicationFile } from "../../contract/publications.ts";
import type { Words } from "../../contract/words.ts";
import { citationOf } from "../../engine/export/citation.ts";
import { describeSnapshot } from "../../engine/export/dataset-description.ts";
import { dayOfInstant, instantFromText } from "../../engine/model/calendar.ts";
import { describePrices, type PriceCount, type SourceDescription } from "../../engine/query/describe-prices.ts";
import { changesFileName } from "../../engine/snapshots/snapshot-layout.ts";
import { renderParagraph } from "../pages/elements.ts";
import { type Markup, markup } from "../pages/markup.ts";
import { apiGet, columnKinds, type DataColumn, type DataTable } from "./data-table.ts";
import { makeSections, type Page, type Section } from "./explorer-page.ts";
import type { FeedEntry } from "./feed.ts";
import { freshnessSection } from "./freshness-section.ts";
import type { PageRequest } from "./request.ts";
import { suspiciousSection } from "./suspicious-section.ts";

export function* dataPage(request: PageRequest): Generator<number, Page> {
  const { store, words, site } = request;
  const { snapshot, prices } = store;
  const { files } = site.publications;
  const { sources, marketTypes, productCount, marketCount } = describePrices(store);
  const pricedTypes = marketTypes.filter(({ count }) => count > 0);
  yield store.series.counts.length;
  const lead =
    prices.rowCount === 0
      ? words.say("dataEmpty")
      : words.say("dataLead", {
          prices: words.titled(words.say("priceCount", { count: prices.rowCount })),
          products: words.say("productCount", { count: productCount }),
          markets: words.say("atMarkets", { count: marketCount }),
          months: words.span(request.recorded(store.rowsByTime.at(-1) as number), request.newestRecorded()),
        });
  const suspicious = newestSuspicious(request);
  const sections = yield* makeSections([
    () => freshnessSection(request),
    () => (suspicious.length === 0 ? undefined : suspiciousSection(request, suspicious, {})),
    () => sourcesSection(request, sources),
    () => ({
      id: "types",
      heading: words.say("typeCounts"),
      table: countTable(request, words.say("type"), pricedTypes, ({ name }) => words.type(name)),
      footer: renderParagraph(request.pageLink(words.say("gapsTitle"), gapsPath)),
    }),
    () => (site.draft === undefined ? citeSection(request, sources) : undefined),
    () => downloadsSection(request),
    () => historySection(request),
  ]);
  const served = files
    .filter((file) => file.snapshot === snapshot.id)
    .map((file) => ({ ...file, path: downloadPath(file.snapshot, file.name) }));
  const structuredData =
    site.draft === undefined ? (describeSnapshot(store, served, site.publicUrl) as object) : undefined;
  return {
    title: words.say("theData"),
    lead: renderParagraph(lead, "sentence"),
    sections,
    structuredData,
    entries: () => publicationEntries(request),
  };
}

/** The rows of all suspicious prices, the newest first. */
function newestSuspicious({ store: { prices, suspicious } }: PageRequest): number[] {
  return [...suspicious.rows].sort((a, b) => (prices.recordedAt[b] as number) - (prices.recordedAt[a] as number));
}

/** An entry for each publication that is still stored, with a link to its changes, or to the list of all. */
function* publicationEntries({ words, site }: PageRequest): Generator<number, FeedEntry[]> {
  const { files } = site.publications;
  const snapshots = site.publications.snapshots ?? [];
  const beforeOf = findBefore(snapshots);
  yield 1;
  return snapshots.flatMap((publication): FeedEntry[] => {
    const { id, publishedAt, note } = publication;
    const published = instantFromText(publishedAt);
    if (published === undefined) return [];
    const hasChanges = files.some(({ snapshot, name }) => snapshot === id && name === changesFileName);
    const parts = editionParts(words, publication, beforeOf(publication));
    const link = hasChanges ? downloadPath(id, changesFileName) : undefined;
    const text = [words.say("editionEntry", { id, parts: parts.join(", ") }), note].filter(Boolean).join(" ");
    const title = `${words.say("theData")}, ${id}`;
    return [{ name: id, title, text, link, published, updated: published }];
  });
}

/** Finds the publication that another one followed; undefined where that is not stored, or where it followed none. */
function findBefore(snapshots: readonly Publication[]): (publication: Publication) => Publication | undefined {
  const byId = new Map<string | null, Publication>(snapshots.map((snapshot) => [snapshot.id, snapshot]));
  return ({ parent }) => byId.get(parent);
}

/** The prices of a publication and, where the one before is known, how many these are more or fewer, and corrected. */
function editionParts(words: Words, publication: Publication, before: Publication | undefined): string[] {
  const rowsOf = ({ rows }: Publication): number => rows["prices"] ?? 0;
  const prices = words.say("priceCount", { count: rowsOf(publication) });
  if (before === undefined) return [prices];
  const difference = rowsOf(publication) - rowsOf(before);
  const key = difference === 0 ? "editionSame" : difference > 0 ? "editionMore" : "editionFewer";
  const change = words.say(key, { count: Math.abs(difference) });
  return [prices, change, words.say("correctedCount", { count: correctedIn(publication, before) })];
}

/** A publication that writes all records again has none of the corrections before it in files of their own. */
function correctedIn({ replacedPrices }: Publication, before: Publication): number {
  return Math.max(0, replacedPrices - before.replacedPrices);
}

/** The source whose districts `data/reference` corrects. */
const wfp = "WFP";

/** The sources of the prices, and how many prices each has. */
function sourcesSection(request: PageRequest, sources: readonly SourceDescription[]): Section {
  const { store, words } = request;
  const { columns, ...counts } = countTable(request, words.say("source"), sources);
  const newest = columnKinds<SourceDescription>(request).recorded(words.say("last"), (row) => row.newestRow);
  const attribution = store.snapshot.attribution.map((line) => markup`<li>${withoutFiles(line)}</li>\n`);
  return {
    id: "sources",
    heading: words.say("sourcesHeading"),
    content: markup`<ul>${attribution}</ul>
${sources.some(({ name }) => name === wfp) && renderParagraph(words.say("countiesOfWfp"))}`,
    table: { title: words.say("sourceCounts"), ...counts, columns: [...columns, newest] },
  };
}

/** The bundled reference data names files of its own, which readers of a page do not have. */
function withoutFiles(attribution: string): string {
  return attribution.replace(/,? each named in data\/reference\/[\w-]+\.\w+/, "");
}

/** Returns the number of prices by name. */
function countTable<Row extends PriceCount>(
  request: PageRequest,
  heading: string,
  rows: readonly Row[],
  show: (row: Row) => string = (row) => row.name,
): DataTable<Row> {
  const { text, count } = columnKinds<Row>(request);
  const columns = [text(heading, show), count(request.words.say("samples"), (row) => row.count)];
  return { columns, rows, requests: [apiGet("/dataset")] };
}

function citeSection({ store, words }: PageRequest, sources: readonly PriceCount[]): Section {
  const names = sources.map(({ name }) => name);
  const content = markup`<blockquote>${citationOf(store.snapshot, names)}</blockquote>`;
  return { id: "cite", heading: words.say("citeHeading"), content };
}

function downloadsSection(request: PageRequest): Section {
  const { words, site } = request;
  const { files, filesAreBeingMade } = site.publications;
  const absence = words.say(filesAreBeingMade ? "downloadsBeingMade" : "downloadsNone");
  const section = { id: "downloads", heading: words.say("downloadsHeading") };
  if (files.length === 0) return { ...section, content: renderParagraph(absence) };
  const { text, count } = columnKinds<PublicationFile>(request);
  const showFile = ({ name, snapshot }: PublicationFile): Markup =>
    markup`<a href="${downloadPath(snapshot, name)}">${name}</a>`;
  const table: DataTable<PublicationFile> = {
    rows: files,
    requests: [apiGet("/downloads")],
    columns: [
      text(words.say("file"), showFile),
      count(words.say("rows"), ({ rows }) => rows),
      count(words.say("bytes"), ({ bytes }) => bytes),
      text(words.say("snapshot"), ({ snapshot }) => snapshot),
    ],
  };
  const lead = filesAreBeingMade ? absence : words.say("downloadsLead");
  return { ...section, content: renderParagraph(lead), table };
}

function historySection(request: PageRequest): Section {
  const { store, words, site } = request;
  const { snapshots } = site.publications;
  const servedId = site.draft === undefined ? store.snapshot.id : site.draft.against;
  const section = { id: "history", heading: words.say("historyHeading") };
  if (snapshots === null) return { ...section, content: renderParagraph(words.say("historyUnknown")) };
  const beforeOf = findBefore(snapshots);
  const { text, day, count, number } = columnKinds<Publication>(request);
  const served = markup` <span class="badge">${words.say("served")}</span>`;
  const showId = ({ id }: Publication): Markup => markup`${id}${id === servedId && served}`;
  const showDay = ({ publishedAt }: Publication): string => {
    const instant = instantFromText(publishedAt);
    return instant === undefined ? publishedAt : words.day(dayOfInstant(instant, store.snapshot.utcOffset));
  };
  const rowsColumn = (heading: string, name: string): DataColumn<Publication> => {
    const show = (publication: Publication): Markup => {
      const rows = publication.rows[name] ?? 0;
      const before = beforeOf(publication);
      const difference = rows - (before?.rows[name] ?? 0);
      const change = before !== undefined && markup` <span class="quiet">${signed(words, difference)}</span>`;
      return markup`${words.integer(rows)}${change}`;
    };
    return number(heading, show);
  };
  const table: DataTable<Publication> = {
    rows: snapshots,
    requests: [],
    columns: [
      text(words.say("snapshot"), showId),
      day(words.say("published"), showDay),
      text(words.say("note"), ({ note }) => note ?? ""),
      rowsColumn(words.say("prices"), "prices"),
      count(words.say("corrected"), (publication) => {
        const before = beforeOf(publication);
        return before && correctedIn(publication, before);
      }),
      rowsColumn(words.say("products"), "products"),
      rowsColumn(words.say("markets"), "markets"),
    ],
  };
  return { ...section, content: renderParagraph(words.say("historyLead")), table };
}

function signed(words: Words, difference: number): string {
  return difference > 0 ? `+${words.integer(difference)}` : words.integer(difference).replace("-", "−");
}
