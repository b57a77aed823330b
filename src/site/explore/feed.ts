/** Atom (RFC 4287): an entry for each month of a product or county that has prices, or for each publication. */
import { v5 } from "uuid";
import { type Instant, instantFromText, instantText, monthNumber } from "../../engine/model/calendar.ts";
import { joinMarkup, type Markup, markup } from "../pages/markup.ts";
import { asPage, badParameter, type PageRequest, periodParameters, type QueryParameters } from "./request.ts";

/** The most entries of a feed: the newest. */
export const entriesMax = 50;

export interface FeedEntry {
  /** Names it within the feed; it never changes. */
  readonly name: string;
  readonly title: string;
  /** Its content in sentences. */
  readonly text: string;
  /** From the root; the page itself when absent. */
  readonly link?: string | undefined;
  readonly published: Instant;
  readonly updated: Instant;
}

/** Makes the entries, newest first. Pages do not need them. */
export type MakeEntries = () => Generator<number, readonly FeedEntry[]>;

/** The feed, the same but for its base where the service knows its own address. @throws {PageProblem} without one. */
export function* renderFeed(
  request: PageRequest,
  { title, entries }: { readonly title: string; readonly entries?: MakeEntries | undefined },
): Generator<number, string> {
  const { words, store, site } = request;
  if (entries === undefined) throw badParameter("feed", "1", "–");
  const made = (yield* entries()).slice(0, entriesMax);
  const updated = made.length === 0 ? store.snapshot.createdAt : Math.max(...made.map((entry) => entry.updated));
  const base = site.publicUrl && markup` xml:base="${site.publicUrl}/"`;
  const idOf = idsOf(request);
  return markup`<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${words.language}"${base}>
<id>${idOf(words.language)}</id>
<title>${title} · ${words.say("siteName")}</title>
<updated>${instantText(updated as Instant)}</updated>
<author><name>${words.say("siteName")}</name></author>
<link rel="self" type="application/atom+xml" href="${request.feedLink()}"/>
<link rel="alternate" type="text/html" href="${request.linkWith(asPage)}"/>
${joinMarkup(
  made.map((entry) => renderEntry(request, entry, idOf(entry.name))),
  "\n",
)}
</feed>
`.text;
}

function renderEntry(request: PageRequest, entry: FeedEntry, id: string): Markup {
  const { title, text, link = request.linkWith(asPage), published, updated } = entry;
  return markup`<entry>
<id>${id}</id>
<title>${title}</title>
<link rel="alternate" href="${link}"/>
<published>${instantText(published)}</published>
<updated>${instantText(updated)}</updated>
<summary>${text}</summary>
</entry>`;
}

/** A namespace of RFC 9562 for the feeds of this project. */
const feedNamespace = "0f6e2d53-6a0e-4d3b-9a4e-2f1c7b8d9e10";

/** The parameters of a page that change none of its prices. */
const shownParameters: QueryParameters = Object.fromEntries(
  [...periodParameters, "view"].map((name) => [name, undefined]),
);

/**
 * Makes ids of the lineage of the data, what the page is about, and a part of it: the same wherever the same data is
 * served, and in each language. The lineage is the product whose record is the oldest: no snapshot names what the data
 * began with, parents are deleted in time, and a source may join that sorts before all others.
 */
function idsOf(request: PageRequest): (part: string) => string {
  const lineage = request.store.catalogue.products
    .map(({ record }) => `${instantText(record.createdAt)} ${record.uuid}`)
    .reduce((oldest, text) => (oldest === "" || text < oldest ? text : oldest), "");
  const subject = request.linkWith({ ...asPage, ...shownParameters }, "en");
  return (part) => `urn:uuid:${v5(JSON.stringify([lineage, subject, part]), feedNamespace)}`;
}

/**
 * When a price was published that was made at a time: by the oldest kept publication since then, as far as that is
 * known; otherwise by the served one.
 */
export function publishedSince({ store, site }: PageRequest, time: Instant): Instant {
  const { createdAt } = store.snapshot;
  const since = (site.publications.snapshots ?? [])
    .map(({ publishedAt }) => instantFromText(publishedAt) ?? createdAt)
    .filter((publishedAt) => publishedAt >= time && publishedAt <= createdAt);
  return Math.min(createdAt, ...since) as Instant;
}

/** The newest months of some prices, newest first. Cost: reads each price once. */
export function newestMonths(request: PageRequest, rows: Iterable<number>) {
  const { prices, periods } = request.store;
  const { ofDay, labels } = periods.month;
  const byMonth = Map.groupBy(rows, (row) => labels[ofDay[periods.dayCodes[row] as number] as number] as string);
  return [...byMonth]
    .sort(([a], [b]) => (a < b ? 1 : -1))
    .slice(0, entriesMax)
    .map(([name, ofMonth]) => {
      const created = ofMonth.reduce((least, row) => Math.min(least, prices.createdAt[row] as number), Infinity);
      const updated = ofMonth.reduce((most, row) => Math.max(most, prices.updatedAt[row] as number), 0);
      return {
        month: monthNumber(name),
        /** `2026-04`; names its entry. */
        name,
        rows: ofMonth,
        /** The publication of its first price. */
        published: publishedSince(request, created as Instant),
        /** The publication of the last change to its prices. */
        updated: publishedSince(request, updated as Instant),
      };
    });
}
