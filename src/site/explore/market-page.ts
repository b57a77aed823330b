/** A market: what it is, its products with their latest prices, and where it lies. */

import type { Uuid } from "../../engine/model/ids.ts";
import { findSources } from "../../engine/query/describe-prices.ts";
import { findMarketContinuations, findSeries } from "../../engine/query/find-series.ts";
import { countyRecord, marketOf, recordAt } from "../../engine/store/catalogue.ts";
import { renderParagraph } from "../pages/elements.ts";
import { type Markup, markup } from "../pages/markup.ts";
import { renderCountyMarkets } from "./county-map-section.ts";
import { makeSections, type Page, renderCodes, type Section } from "./explorer-page.ts";
import type { PageRequest } from "./request.ts";
import { seriesSection } from "./series-section.ts";

/** @throws {PageProblem} */
export function* marketPage(request: PageRequest, uuidText: string): Generator<number, Page> {
  const { store, words } = request;
  const { catalogue } = store;
  const { newestRows } = store.series;
  const code = request.marketCode(uuidText, "path");
  const record = recordAt(catalogue.markets, code);
  const scope = { marketUuid: record.uuid };
  const county = countyRecord(catalogue, record.countyId);
  const positions = findSeries(store, scope, "last_recorded_at");
  const sentence = words.say("marketSentence", {
    market: record.name,
    type: words.type(record.type),
    county: county.name,
  });
  const first = positions[0];
  const newest =
    first === undefined
      ? words.say("marketWithoutPrices")
      : words.say("marketNewest", {
          count: new Set(Array.from(positions, (at) => store.prices.products[newestRows[at] as number])).size,
          day: request.recorded(newestRows[first] as number),
        });
  const sections = yield* makeSections([
    () => (first === undefined ? undefined : seriesSection(request, scope, positions)),
    () => placeSection(request, code),
  ]);
  const toCounty = markup`<p>${words.say("county")}: ${request.countyLink(county)}</p>`;
  const description = `${sentence} ${newest}`;
  const codes = renderCodes(words, record.sourceIds ?? []);
  const names = (record.alternativeNames ?? []).join(", ");
  const also = names !== "" && renderParagraph(words.say("alsoCalled", { names }), "quiet");
  const lead = markup`${renderParagraph(description, "sentence")}${toCounty}${also}${codes}`;
  const sources = yield* findSources(store, [scope]);
  const subject = { kind: "market", uuid: record.uuid, name: record.name } as const;
  return { title: record.name, subject, lead, sections, description, sources };
}

function placeSection(request: PageRequest, code: number): Section {
  const { store, words } = request;
  const { uuid, type, location, countyId } = recordAt(store.catalogue.markets, code);
  const { continues, continuedBy } = findMarketContinuations(store.catalogue, uuid);
  const under = (key: "earlierUnder" | "laterUnder", month: string, other: Uuid): Markup => {
    const said = words.say(key, { month: words.month(month), type: words.type(type) });
    return renderParagraph(markup`${said} ${request.marketLink(marketOf(store.catalogue, other))}`);
  };
  const names = [
    continues && under("earlierUnder", continues.lastMonth, continues.continuesUuid),
    continuedBy && under("laterUnder", continuedBy.firstMonth, continuedBy.marketUuid),
  ];
  const section = { id: "place", heading: words.say("placeHeading") };
  if (location === null) return { ...section, content: markup`${names}${renderParagraph(words.say("placeUnknown"))}` };
  const { latitude, longitude } = location;
  const lead = words.say("placeLead", { latitude: String(latitude), longitude: String(longitude) });
  return {
    ...section,
    content: markup`${names}${renderParagraph(lead)}${renderCountyMarkets(request, countyId, [code])}`,
  };
}
