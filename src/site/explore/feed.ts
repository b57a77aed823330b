/** Atom (RFC 4287): an entry for each month of a product or county that has prices, or for each publication. */
import { type Instant, instantText, monthNumber } from "../../engine/model/calendar.ts";
import type { Store } from "../../engine/store/store.ts";
import { joinMarkup, type Markup, markup } from "../pages/markup.ts";
import { badParameter, type PageRequest } from "./request.ts";

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

/** The feed. @throws {PageProblem} where the page has none, or the service does not know its own address. */
export function* renderFeed(
  request: PageRequest,
  { title, entries }: { readonly title: string; readonly entries?: MakeEntries | undefined },
): Generator<number, string> {
  const { words, store } = request;
  const address = request.publicAddress();
  if (entries === undefined || address === undefined) throw badParameter("feed", "1", "–");
  const made = (yield* entries()).slice(0, entriesMax);
  const updated = made.length === 0 ? store.snapshot.createdAt : Math.max(...made.map((entry) => entry.updated));
  return markup`<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${words.language}">
<id>${address}</id>
<title>${title} · ${words.say("siteName")}</title>
<updated>${instantText(updated as Instant)}</updated>
<author><name>${words.say("siteName")}</name></author>
<link rel="self" type="application/atom+xml" href="${request.publicAddress({ feed: 1 })}"/>
<link rel="alternate" type="text/html" href="${address}"/>
${joinMarkup(
  made.map((entry) => renderEntry(request, address, entry)),
  "\n",
)}
</feed>
`.text;
}

function renderEntry({ site }: PageRequest, address: string, entry: FeedEntry): Markup {
  const { name, title, text, link, published, updated } = entry;
  return markup`<entry>
<id>${address}#${name}</id>
<title>${title}</title>
<link rel="alternate" href="${link === undefined ? address : `${site.publicUrl ?? ""}${link}`}"/>
<published>${instantText(published)}</published>
<updated>${instantText(updated)}</updated>
<summary>${text}</summary>
</entry>`;
}

/** The newest months of some prices, newest first. Cost: reads each price once. */
export function newestMonths({ prices, periods }: Store, rows: Iterable<number>) {
  const { ofDay, labels } = periods.month;
  const byMonth = Map.groupBy(rows, (row) => labels[ofDay[periods.dayCodes[row] as number] as number] as string);
  return [...byMonth]
    .sort(([a], [b]) => (a < b ? 1 : -1))
    .slice(0, entriesMax)
    .map(([name, ofMonth]) => ({
      month: monthNumber(name),
      /** `2026-04`; names its entry. */
      name,
      rows: ofMonth,
      /** The time at which its first price was published. */
      published: ofMonth.reduce((least, row) => Math.min(least, prices.createdAt[row] as number), Infinity) as Instant,
      /** The time at which the last of its prices was changed. */
      updated: ofMonth.reduce((most, row) => Math.max(most, prices.updatedAt[row] as number), 0) as Instant,
    }));
}
