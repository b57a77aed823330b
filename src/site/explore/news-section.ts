/** The prices of some products as sentences: of a recent month in the country, and in the county of the reader. */
import { productPath } from "../../contract/paths.ts";
import { monthText } from "../../engine/model/calendar.ts";
import type { CountyRecord } from "../../engine/model/records.ts";
import { describeSubject, type JudgedSubject, marketTypeOf } from "../../engine/query/measures/find-judged.ts";
import { type ChangedSubject, recentMonths } from "../../engine/query/price-news.ts";
import { judgedInCounty, lastMonthOf } from "../../engine/query/state-of-prices.ts";
import { rowsOf } from "../../engine/store/columns.ts";
import type { Store } from "../../engine/store/store.ts";
import { renderParagraph } from "../pages/elements.ts";
import { type Markup, markup } from "../pages/markup.ts";
import type { Words } from "../pages/words.ts";
import { courseOfJudged, courseRequest, renderCourse } from "./course.ts";
import { allMarkets, anomalyRequests, apiGet } from "./data-table.ts";
import type { Section } from "./explorer-page.ts";
import { campNote, judgedTable, showArrow, yearComparison } from "./judgement.ts";
import type { PageRequest } from "./request.ts";

/** Products of a county that the page shows. */
const countyShownMax = 6;

/** The news of the country, each a link with its small line; undefined without any. @param footer Follows them. */
export function newsSection(
  request: PageRequest,
  news: readonly ChangedSubject[],
  footer: Markup,
): Section | undefined {
  const { words } = request;
  const [first] = news;
  if (first === undefined) return undefined;
  const { month } = first.newest;
  const ofMonth = apiGet("/exports/anomalies.csv", { level: "country", month: monthText(month), ...allMarkets });
  const requests = [ofMonth, courseRequest(month)];
  const table = judgedTable(request, { rows: news, shown: news, requests, measures: ["yearBefore"] });
  const items = news.map(
    (found) => markup`<li>${renderSentence(request, found)}
${renderParagraph(behindText(words, found), "quiet")}
${renderCourse(words, month, courseOfJudged(request, found))}</li>\n`,
  );
  const heading = words.say("newsHeading", { month: words.month(month) });
  return { id: "news", heading, content: markup`<ul class="news">${items}</ul>${footer}`, table, foldsTable: true };
}

/** The main products of a county with prices of the last year of the data, the most priced of Kenya first. */
export function* countyNewsSection(request: PageRequest, county: CountyRecord): Generator<number, Section> {
  const { store, words } = request;
  const judged = yield* judgedInCounty(store, county.id);
  const monthFirst = judged.length === 0 ? 0 : lastMonthOf(store) - recentMonths + 1;
  const priceCount = ({ newest }: JudgedSubject): number => rowsOf(store.rowsByProduct, newest.product).length;
  const rows = judged.filter(({ newest }) => newest.month >= monthFirst).sort((a, b) => priceCount(b) - priceCount(a));
  const heading = words.say("countyNewsHeading", { county: county.name });
  const [first] = rows;
  const toCounty = request.countyLink({ id: county.id, name: words.say("allOfCounty", { county: county.name }) });
  const footer = markup`<p>${toCounty}</p>`;
  if (first === undefined) {
    const content = renderParagraph(
      words.say("countyNoNews", { county: county.name, months: recentMonths }),
      "sentence",
    );
    return { id: "county", heading, content, footer };
  }
  const shown = rows.slice(0, countyShownMax);
  const requests = anomalyRequests(store, { level: "county", countyId: county.id }, rows);
  const parameters = { county: county.id };
  const table = judgedTable(request, { rows, shown, requests, measures: ["yearBefore"], parameters });
  const behind = renderParagraph(behindText(words, first), "quiet");
  const content = markup`${renderSentence(request, first, county)}${behind}`;
  return { id: "county", heading, content, table, footer };
}

/** The sentence as a link to the page of its product. */
function renderSentence(request: PageRequest, found: JudgedSubject, county?: CountyRecord): Markup {
  const { store, words } = request;
  const { product, marketType } = describeSubject(store, found);
  const text = newsText(words, store, found, county);
  const link = request.pageLink(text, productPath(product.uuid), { county: county?.id, type: marketType });
  const { yearBefore } = found;
  const change = yearBefore?.month === found.newest.month ? yearBefore.measure.changePercent : 0;
  return markup`<p class="sentence">${showArrow(change)}${link}</p>`;
}

/** `Maize cost 56 KES per kg in March 2026, 14% less than a year before by the median of 11 markets in …` */
export function newsText(words: Words, store: Store, judged: JudgedSubject, county?: CountyRecord): string {
  const { newest } = judged;
  const { product, currency, unit } = describeSubject(store, judged);
  return words.say(county === undefined ? "newsSentence" : "newsSentenceCounty", {
    product: words.product(product),
    price: words.roundPriceOf(newest.median, currency, unit),
    month: words.month(newest.month),
    county: county?.name ?? "",
    comparison: yearComparison(words, judged),
  });
}

/** `retail, 12 prices at 12 markets` */
function behindText(words: Words, found: JudgedSubject): string {
  const { newest } = found;
  const text = words.say("newsBehind", {
    type: words.titled(words.type(marketTypeOf(found))),
    prices: words.say("priceCount", { count: newest.sampleCount }),
    markets: words.say("marketsShort", { count: newest.area?.markets ?? 1 }),
  });
  const camps = campNote(words, found);
  return camps === undefined ? text : `${text}, ${camps}`;
}
