/** The charts of a page in forms of their own: a file, a frame of other pages, and text to copy; and its card. */

import type { Language } from "../../contract/words.ts";
import { undatedCitation } from "../../engine/export/citation.ts";
import { sourceDetails } from "../../engine/model/dataset.ts";
import type { CountyId, Uuid } from "../../engine/model/ids.ts";
import type { MarketType } from "../../engine/model/vocabulary.ts";
import { allSources } from "../../engine/query/describe-prices.ts";
import type { Series } from "../../engine/query/place.ts";
import type { Store } from "../../engine/store/store.ts";
import { type ChartFile, renderChartFile } from "../charts/chart-file.ts";
import { type Chart, narrowWidth, renderBoth, wideWidth } from "../charts/chart-frame.ts";
import { renderParagraph } from "../pages/elements.ts";
import { type Markup, markup } from "../pages/markup.ts";
import { assets } from "./page-assets.ts";
import { asPage, badParameter, type PageRequest } from "./request.ts";

/** A chart of a section, which is also a file of its own. */
export interface SectionChart {
  /** In the address of the file and in its name. */
  readonly name: string;
  /** Names the figures and their unit. */
  readonly subtitle: string;
  /** Its figures in a sentence, to follow its subtitle; that of its page when absent. */
  readonly sentence?: string | undefined;
  readonly draw: (width: number) => Chart;
}

/** A section with the charts of its content. */
export interface ChartedSection {
  readonly charts?: readonly SectionChart[];
}

/** The parts of a page that every form of its charts has. */
export interface ChartedPage {
  readonly title: string;
  readonly sections: readonly ChartedSection[];
  /** Its content in a sentence, which services show beside its address; the description of the site when absent. */
  readonly description?: string | undefined;
  /** The sources of its prices; all of them when absent. */
  readonly sources?: readonly string[] | undefined;
}

/** The product at a type of market, or the county, that a card is of. */
export interface CardSubject {
  readonly product?: Uuid;
  readonly marketType?: MarketType;
  /** Of the country when undefined. */
  readonly countyId?: CountyId | undefined;
}

/** The card of a series: that of the product in its county, or in the country. */
export function cardOf({ product, marketType, place }: Omit<Series, "code">): CardSubject {
  return { product: product.uuid, marketType, countyId: place.conditions.countyId };
}

/** The name of the file of a card. */
export function cardFileName(language: Language, { product, marketType, countyId }: CardSubject): string {
  const place = countyId === undefined ? "kenya" : `county-${countyId}`;
  return `${[language, product, marketType, place].filter((part) => part !== undefined).join("-")}.png`;
}

/** A chart as SVG. @throws {PageProblem} where the page has no such chart. */
export function chartAsFile(request: PageRequest, page: ChartedPage, name: string): string {
  const { subtitle, draw } = chartNamed(page, name);
  return renderChartFile({ ...fileOf(request, page), subtitle }, draw(wideWidth));
}

/** A chart in a sentence, behind its subtitle; without a chart that has one, the page in a sentence. */
export function sentenceOf({ words }: PageRequest, { description }: ChartedPage, chart?: SectionChart): string {
  if (chart?.sentence !== undefined) return `${chart.subtitle}. ${chart.sentence}`;
  return description ?? words.say("siteDescription");
}

/** A chart alone with its source and a link to its page. @throws {PageProblem} */
export function renderEmbed(request: PageRequest, page: ChartedPage): string {
  const { words } = request;
  const chart = chartNamed(page, request.text("chart") ?? chartsOf(page)[0]?.name ?? "");
  const [narrow, wide] = [chart.draw(narrowWidth), chart.draw(wideWidth)];
  // A chart with ids has one width, and is written once.
  const drawn = narrow.size.width === wide.size.width ? wide : renderBoth(narrow, wide);
  const { title } = page;
  const theme = request.value("theme");
  const address = request.address(asPage);
  // A link leaves the frame: pages that it leads to may not be framed.
  return markup`<!doctype html>
<html lang="${words.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${words.documentTitle(title)}</title>
<base target="_blank">
<link rel="stylesheet" href="${assets.style.address}">
${theme && markup`<link rel="stylesheet" href="${assets[theme].address}">`}
</head>
<body class="embed">
<main>
<h1><a href="${address}">${title}</a></h1>
${renderParagraph(chart.subtitle)}
${drawn}
<p class="quiet">${[...marksOf(request, page), sourceNames(request, page)].join(" ")}
<a href="${address}">${words.say("siteName")}</a></p>
</main>
</body>
</html>
`.text;
}

/**
 * A menu: files of a chart and of its numbers, and what buttons copy. The script shows its buttons.
 *
 * @param anchor Of its section. @param csv A link to the numbers, if the section has some.
 */
export function renderChartActions(
  request: PageRequest,
  page: ChartedPage,
  { anchor, csv }: { readonly anchor: string; readonly csv: Markup | undefined },
  chart: SectionChart,
): Markup {
  const { words, site, store } = request;
  const { name, subtitle } = chart;
  const drawing = request.linkWith({ ...asPage, chart: name });
  const file = `${site.draft === undefined ? "" : "draft-"}${name}-${store.snapshot.id}.png`;
  const button = (text: string, data: Markup): Markup =>
    markup`<button type="button" hidden aria-label="${text}: ${subtitle}"${data}>${text}</button>`;
  const copyButton = (text: string, copied: string, link: string): Markup =>
    button(text, markup` data-copy="${copied}" data-link="${link}" data-copied="${words.say("copied")}"`);
  const address = `${request.address(asPage)}#${anchor}`;
  const ofFrame = request.address({ ...asPage, embed: 1, chart: name });
  const frame = `<iframe src="{link}" title="${attributeText(subtitle)}" ${frameSize}></iframe>`;
  // A draft is not to be cited.
  const copyButtons = site.draft === undefined && [
    copyButton(words.say("copySentence"), `${citedSentence(request, page, chart)} {link}`, address),
    copyButton(words.say("copyLink"), "{link}", address),
    copyButton(words.say("copyFrame"), frame, ofFrame),
  ];
  const [picture, svg] = [words.say("pictureFile"), words.say("drawingFile")];
  const content = markup`<div>${button(picture, markup` data-drawing="${drawing}" data-file="${file}"`)}
<a href="${drawing}" aria-label="${svg}: ${subtitle}">${svg}</a>${csv}${copyButtons}</div>`;
  return markup`<details class="actions"><summary>${words.say("shareOrDownload")}</summary>${content}</details>`;
}

/** A frame is as wide as its page lets it, and high enough for the chart of a phone with its texts. */
const frameSize = 'width="100%" height="560" style="border: 0; max-width: 760px"';

/** The sentence of a chart with what a reader must know of its prices, and the names of its sources. */
function citedSentence(request: PageRequest, page: ChartedPage, chart: SectionChart): string {
  const title = chart.sentence === undefined ? "" : `${page.title} – `;
  const sentence = `${title}${sentenceOf(request, page, chart)}`;
  const ended = /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
  return [ended, ...marksOf(request, page), sourceNames(request, page)].filter(Boolean).join(" ");
}

/** `Source: A, CC BY 4.0; B.`; empty where there are none. */
function sourceNames(request: PageRequest, { sources = allSources(request.store) }: ChartedPage): string {
  const names = sources.map((source) => sourceText(request.store, source));
  return names.length === 0 ? "" : `${request.words.say("source")}: ${names.join("; ")}.`;
}

/** A source by its title, with its licence. */
export function sourceText({ snapshot }: Store, source: string): string {
  const { title, licence } = sourceDetails(snapshot, source);
  return [title ?? source, licence?.id].filter(Boolean).join(", ");
}

/** A text as an attribute of markup that is copied as text. */
function attributeText(text: string): string {
  return markup`${text}`.text;
}

function chartsOf({ sections }: ChartedPage): readonly SectionChart[] {
  return sections.flatMap(({ charts = [] }) => charts);
}

function chartNamed(page: ChartedPage, name: string): SectionChart {
  const charts = chartsOf(page);
  const found = charts.find((chart) => chart.name === name);
  if (found === undefined) throw badParameter("chart", name, charts.map((chart) => chart.name).join(", "));
  return found;
}

/** True if prices of the page are not real. */
export function isGenerated(store: Store, { sources = allSources(store) }: ChartedPage): boolean {
  return sources.some((source) => sourceDetails(store.snapshot, source).generated === true);
}

/** Says that the prices are a draft, or not real, where they are. */
function marksOf({ store, words, site }: PageRequest, page: ChartedPage): string[] {
  return [
    ...(site.draft === undefined ? [] : [words.say("draftMark")]),
    ...(isGenerated(store, page) ? [words.say("generatedNote")] : []),
  ];
}

/** The text around a chart; without the day on which its reader had it, which a file does not know. */
function fileOf(request: PageRequest, page: ChartedPage): Omit<ChartFile, "subtitle"> {
  const { store, words } = request;
  const { title, sources } = page;
  const citation = undatedCitation(store.snapshot, sources ?? allSources(store));
  return {
    title,
    notes: [...marksOf(request, page), `${words.say("source")}: ${citation}`, words.say("noGapFilled")],
  };
}
