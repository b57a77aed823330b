/** A page of the explorer: its sections, and the frame that all pages share. */

import {
  cardPath,
  dataPath,
  docsPath,
  downloadPath,
  draftReportPath,
  explorerPath,
  generalCardName,
} from "../../contract/paths.ts";
import type { DraftChanges, DraftSubject } from "../../contract/site-values.ts";
import { languages, type Words, wordsOf } from "../../contract/words.ts";
import { citationOf } from "../../engine/export/citation.ts";
import { dayOfInstant, instantText } from "../../engine/model/calendar.ts";
import type { MarketType } from "../../engine/model/vocabulary.ts";
import { allSources } from "../../engine/query/describe-prices.ts";
import { cardPixels } from "../charts/card.ts";
import {
  renderCodeBlock,
  renderDetails,
  renderParagraph,
  renderSearchForm,
  renderSection,
  renderSharing,
  renderStructuredData,
} from "../pages/elements.ts";
import { iconLink, type NavigationLink, renderFrame, type SiteHeader, siteOf } from "../pages/frame.ts";
import { joinMarkup, type Markup, markup } from "../pages/markup.ts";
import {
  type CardSubject,
  type ChartedPage,
  type ChartedSection,
  cardFileName,
  isGenerated,
  renderChartActions,
  sentenceOf,
  sourceText,
} from "./chart-forms.ts";
import { type DataTable, renderDataTable } from "./data-table.ts";
import type { MakeEntries } from "./feed.ts";
import { assets } from "./page-assets.ts";
import { type ApiRequest, type PageRequest, parameterCharactersMax, type QueryParameters } from "./request.ts";

export interface Section extends ChartedSection {
  /** Its anchor; also in the address of the CSV of its table and in the name of that file. */
  readonly id: string;
  readonly heading: string;
  /** Text and chart, above the table. */
  readonly content?: Markup | undefined;
  /** Its numbers. */
  readonly table?: DataTable | undefined;
  /** The requests that give the numbers of a section without a table. */
  readonly requests?: readonly ApiRequest[];
  /** True if the table is folded up, because a chart shows the numbers; or the text that it is folded up under. */
  readonly foldsTable?: boolean | string;
  /** True if the table is beside the content on wide screens. */
  readonly isBeside?: boolean;
  /** Follows the table. */
  readonly footer?: Markup | undefined;
}

export interface Page extends ChartedPage {
  /** Precedes the sections. */
  readonly lead: Markup;
  /** Follows the sections: what few readers look for. */
  readonly foot?: Markup | false | undefined;
  /** The requests that give numbers of the lead that no section has. */
  readonly requests?: readonly ApiRequest[];
  readonly sections: readonly Section[];
  /** The parameters that make its address show the same once there are newer prices. */
  readonly fixed?: QueryParameters | undefined;
  /** JSON-LD for programs, in the head. */
  readonly structuredData?: object | undefined;
  /** The product or market that it is about, by the name that readers know. */
  readonly subject?: (DraftSubject & { readonly name: string }) | undefined;
  /** The words in the field of the search. */
  readonly searched?: string | undefined;
  /** Its card; that of all pages without one of their own when absent. */
  readonly card?: CardSubject | undefined;
  /** The entries of its feed; undefined for a page without one. */
  readonly entries?: MakeEntries | undefined;
  /** True if it says what is wrong with its address, which is then not to be shared. */
  readonly isRefusal?: boolean;
}

/** The cost of making a section, as a number of prices read: a slice. */
export const sectionRows = 100_000;

type MadeSection = Section | undefined;

/** Makes the sections of a page, each in a slice of its own; those with nothing to show are left out. */
export function* makeSections(
  makers: readonly (() => MadeSection | Generator<number, MadeSection>)[],
): Generator<number, Section[]> {
  const sections: Section[] = [];
  for (const make of makers) {
    const made = make();
    const section = made !== undefined && "next" in made ? yield* made : made;
    if (section !== undefined) sections.push(section);
    yield sectionRows;
  }
  return sections;
}

/**
 * Links to what a section can show.
 *
 * @param anchor That of the section. @param choices The changes are those of the address.
 */
export function renderChoice(
  request: PageRequest,
  label: string,
  anchor: string,
  choices: readonly (Omit<NavigationLink, "target"> & { readonly changes: QueryParameters })[],
): Markup {
  const items = choices.map(({ text, changes, isCurrent = false }) => {
    const target = `${request.linkWith(changes)}#${anchor}`;
    return markup` <a href="${target}"${isCurrent && markup` aria-current="true"`}>${text}</a>`;
  });
  return markup`<p class="types">${label}:${items}</p>`;
}

/** Links to the types of market that a section can show; undefined where there is one type only. */
export function renderTypes(
  request: PageRequest,
  anchor: string,
  types: readonly MarketType[],
  chosen: MarketType | undefined,
  changes: QueryParameters = {},
): Markup | undefined {
  if (types.length < 2) return undefined;
  const { words } = request;
  const choices = types.map((type) => {
    return { text: words.type(type), changes: { ...changes, type }, isCurrent: type === chosen };
  });
  return renderChoice(request, words.say("typeOfMarket"), anchor, choices);
}

/** A whole page. */
export function renderPage(request: PageRequest, page: Page): string {
  const { words, site } = request;
  const { title, lead, sections, searched } = page;
  const mark = request.site.draft === undefined ? [] : [words.say("draftMark")];
  return renderFrame({
    language: words.language,
    title: words.documentTitle(...mark, title),
    head: markup`${iconLink}
<link rel="stylesheet" href="${assets.style.address}">
<script src="${assets.script.address}" type="module"></script>
${renderDescription(request, page)}
${page.structuredData && renderStructuredData(page.structuredData)}`,
    site: siteHeader(request),
    header: renderSearchForm(words, request.linkTo(explorerPath), searched),
    main: markup`${draftNote(request, page)}${generatedNote(request, page)}<div id="results" aria-live="polite"></div>
<h1>${title}</h1>
${otherSnapshotNote(request)}
${lead}
${page.entries && site.draft === undefined && renderParagraph(feedOf(request), "feed")}
${sections.map((section) => renderDataSection(request, page, section))}
${page.foot}`,
    footer: renderFooter(request, page),
  });
}

function feedOf(request: PageRequest): Markup {
  return markup`<a href="${request.feedLink()}" type="application/atom+xml">${request.words.say("newPricesFeed")}</a>`;
}

/**
 * The requests to the API that give the numbers of a page, by section, as commands. A page leads to them at its foot.
 */
export function renderRequests(request: PageRequest, { title, requests = [], sections, ...page }: Page): string {
  const { words, site } = request;
  const commandsOf = (sent: readonly ApiRequest[]): Markup[] => sent.map((each) => renderCodeBlock(site.curlOf(each)));
  const shown = sections.flatMap(({ id, heading, table, requests = table?.requests ?? [] }): Section[] => {
    return requests.length === 0 ? [] : [{ id, heading, content: markup`${commandsOf(requests)}` }];
  });
  const docs = markup`<a href="${docsPath}">${words.say("documentation")}</a>`;
  const lead = markup`<p><a href="${request.linkWith({ part: undefined })}">${title}</a></p>
${renderParagraph([words.say("requestVariables"), " ", docs])}
${commandsOf(requests)}`;
  return renderPage(request, { ...page, title: words.say("requestsOf", { title }), lead, sections: shown });
}

/** For search engines and for services through which an address is shared. */
function renderDescription(request: PageRequest, page: Page): Markup {
  const { words, site, store } = request;
  const { title, entries, card, isRefusal = false } = page;
  const text = sentenceOf(request, page);
  const address = isRefusal ? undefined : request.publicAddress();
  const feed =
    entries !== undefined &&
    !isRefusal &&
    markup`
<link rel="alternate" type="application/atom+xml" title="${title}" href="${site.publicUrl}${request.feedLink()}">`;
  const alternates = languages.map((language) => {
    return markup`
<link rel="alternate" hreflang="${language}" href="${request.publicAddress({}, language)}">`;
  });
  const cardName = card === undefined ? generalCardName : cardFileName(words.language, card);
  const picture =
    address !== undefined &&
    markup`${alternates}
<link rel="alternate" hreflang="x-default" href="${request.publicAddress({}, "en")}">
<meta property="og:image" content="${site.publicUrl}${cardPath(store.snapshot.id, cardName)}">
<meta property="og:image:type" content="image/png">
<meta property="og:image:width" content="${cardPixels.width}">
<meta property="og:image:height" content="${cardPixels.height}">
<meta property="og:image:alt" content="${card === undefined ? words.say("siteDescription") : text}">
<meta name="twitter:card" content="summary_large_image">`;
  return markup`${renderSharing({ title, text, siteName: words.say("siteName"), address })}${feed}${picture}`;
}

/**
 * Says that nothing of a draft is published, and how much it changes, as a whole and of the subject of the page;
 * undefined for published data.
 */
function draftNote({ words, site }: PageRequest, { subject }: Page): Markup | undefined {
  const { draft } = site;
  if (draft === undefined) return undefined;
  const { against, added } = draft;
  const warnings = words.say("warningCount", { count: draft.warnings });
  const changes =
    against === undefined
      ? words.say("draftAlone", { changes: words.say("addedCount", { count: added }), warnings })
      : words.say("draftChanges", { against, changes: changesText(words, draft), warnings });
  const ofSubject =
    subject &&
    words.say("draftOfSubject", { name: subject.name, changes: changesText(words, draft.changesOf(subject)) });
  const report = markup`<a href="${draftReportPath}" lang="en" hreflang="en">${words.say("draftReport")}</a>`;
  const mark = markup`<strong>${words.say("draftMark")}.</strong>`;
  return markup`<p class="note draft">${joinMarkup([mark, changes, ofSubject, report], " ")}</p>`;
}

/** `3 prices added, 1 corrected, 0 removed` */
function changesText(words: Words, { added, corrected, gone }: DraftChanges): string {
  return [
    words.say("addedCount", { count: added }),
    words.say("correctedCount", { count: corrected }),
    words.say("removedCount", { count: gone }),
  ].join(", ");
}

/** Says that prices of the page are not real; undefined where they are. */
function generatedNote({ store, words }: PageRequest, page: Page): Markup | undefined {
  if (!isGenerated(store, page)) return undefined;
  return markup`<p class="note"><strong>${words.say("generatedNote")}</strong></p>`;
}

/** Says that the address was made for a snapshot that is not served. */
function otherSnapshotNote(request: PageRequest): Markup | undefined {
  const { words, store } = request;
  // Not by `request.text`: a page that says what is wrong with an address must not fail for it again.
  const wanted = request.parameters.get("snapshot")?.slice(0, parameterCharactersMax);
  if (wanted === undefined || wanted === store.snapshot.id) return undefined;
  const text = words.say("otherSnapshot", { wanted, served: store.snapshot.id });
  const downloads = markup`<a href="${request.linkTo(dataPath)}#downloads">${words.say("downloadsHeading")}</a>`;
  return renderParagraph([text, " ", downloads], "note");
}

function siteHeader(request: PageRequest): SiteHeader {
  const { words, path } = request;
  const other = languages.find((language) => language !== words.language) ?? words.language;
  const [target, text] = [request.linkWith({}, other), wordsOf(other).say("language")];
  const more = markup`<a class="language" lang="${other}" hreflang="${other}" href="${target}">${text}</a>`;
  return { ...siteOf(words, (page) => request.linkTo(page), path), more };
}

function renderDataSection(request: PageRequest, page: Page, section: Section): Markup {
  const { id, heading, content, charts = [], table, foldsTable = false, isBeside = false, footer } = section;
  const title = table?.title ?? heading;
  const numbers = table && renderDataTable(request, table, title);
  const summary = foldsTable === true ? request.words.say("numbers") : foldsTable;
  const shown = summary && numbers ? renderDetails(summary, numbers) : numbers;
  const link =
    table?.csv &&
    markup`<a href="${request.tableLink(id)}">${request.words.say("csvOf", { name: table.csv.name })}</a>`;
  const actions = charts.map((chart, at) => {
    return renderChartActions(request, page, { anchor: id, csv: at === 0 ? link : undefined }, chart);
  });
  const csv = link && charts.length === 0 && markup`<p class="sources">\n${link}</p>`;
  const both = isBeside
    ? markup`<div class="beside"><div>${content}${actions}</div><div><h3>${title}</h3>${shown}\n${csv}</div></div>`
    : markup`${content}${actions}\n${shown}\n${csv}`;
  return renderSection(id, heading, markup`${both}\n${footer}`);
}

function renderFooter(request: PageRequest, { sources = allSources(request.store), fixed = {} }: Page): Markup {
  const { words, store, site } = request;
  const { snapshot, prices } = store;
  const day = words.day(dayOfInstant(snapshot.createdAt, snapshot.utcOffset));
  const toRequests = request.linkWith({ part: "requests" });
  const requestsLink = markup`<a href="${toRequests}" rel="nofollow">${words.say("requestsOfPage")}</a>`;
  const developers = renderParagraph(requestsLink, "screen-only");
  // A draft is not to be cited, and no other service has its figures.
  if (site.draft !== undefined) {
    const line = words.say("draftLine", { snapshot: snapshot.id, day });
    return markup`${renderParagraph([words.say("noGapFilled"), " ", line])}${developers}`;
  }
  const line =
    prices.rowCount === 0
      ? words.say("snapshotLineEmpty", { snapshot: snapshot.id, day })
      : words.say("snapshotLine", { snapshot: snapshot.id, day, last: request.newestRecorded() });
  const named = sources.map((source) => markup`<li>${sourceText(store, source)}</li>`);
  const same = request.linkWith({ ...fixed, snapshot: snapshot.id });
  const file = "prices.csv.gz";
  const edition = markup`<a href="${same}">${words.say("linkToEdition", { snapshot: snapshot.id })}</a>`;
  const download = markup`<a href="${downloadPath(snapshot.id, file)}">${file}</a>`;
  const downloads = markup`<a href="${request.linkTo(dataPath)}#downloads">${words.say("downloadsOfEdition")}</a>`;
  const time = markup`<time datetime="${instantText(snapshot.createdAt)}">${line}</time>`;
  return markup`<p class="print-only address">${request.address()}</p>
${renderParagraph([words.say("noGapFilled"), " ", time])}
${sources.length > 0 && markup`<p>${words.say("sourcesOfPage")}</p><ul>${named}</ul>`}
<p>${words.say("citeAs")}: <cite>${citationOf(snapshot, sources)}</cite></p>
<p class="screen-only">${edition}. ${words.say("editionMeaning")} ${download}, ${downloads}</p>
${developers}`;
}

/** The codes that other data has for a market or product, as one small line; false without codes. */
export function renderCodes(words: Words, codes: readonly string[]): Markup | false {
  return codes.length > 0 && renderParagraph(words.say("sourceCodes", { codes: codes.join(", ") }), "quiet");
}
