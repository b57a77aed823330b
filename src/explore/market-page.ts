/** A market: what it is, its products with their latest prices, and where it lies. */

import { renderPointMap } from "../charts/point-map.ts";
import type { MarketRecord } from "../domain/records.ts";
import { renderParagraph } from "../pages/elements.ts";
import { type Markup, markup } from "../pages/markup.ts";
import { findSeries, seriesFigures } from "../query/find-series.ts";
import { findSources } from "../query/find-sources.ts";
import { countyRecord, recordAt } from "../store/catalogue.ts";
import type { Page, Section } from "./page.ts";
import { PageProblem, type PageRequest, readText, requireUuid } from "./request.ts";
import { seriesSection } from "./series-section.ts";

/** @throws {PageProblem} */
export function* marketPage(request: PageRequest, uuidText: string): Generator<number, Page> {
  const { store, words } = request;
  const { catalogue } = store;
  const uuid = requireUuid("market", uuidText);
  const code = catalogue.marketCodes.get(uuid);
  if (code === undefined) throw new PageProblem(404, "notFoundMarket", { found: uuid });
  const record = recordAt(catalogue.markets, code);
  const county = countyRecord(catalogue, record.countyId).name;
  const positions = findSeries(store, { marketUuid: uuid }, "last_recorded_at");
  const sentence = words.say("marketSentence", { market: record.name, type: words.type(record.type), county });
  const sections: Section[] = [];
  let newest = words.say("marketWithoutPrices");
  const first = positions[0];
  if (first !== undefined) {
    const products = new Set(Array.from(positions, (at) => seriesFigures(store, at).product)).size;
    const day = words.recorded(store, store.series.newestRows[first] as number);
    newest = words.say("marketNewest", { count: products, day });
    sections.push(
      yield* seriesSection(request, {
        heading: words.say("marketProducts"),
        lead: words.say("ageLead", { last: words.newestRecorded(store) }),
        by: "product",
        positions,
        page: readText(request, "page"),
        path: `/api/v1/prices/series?market_uuid=${uuid}&sort=last_recorded_at&page_size=1000`,
        scope: { marketUuid: uuid },
      }),
    );
  }
  sections.push(placeSection(request, record));
  const description = `${sentence} ${newest}`;
  const sources = yield* findSources(store, { marketUuid: uuid });
  return { title: record.name, lead: renderParagraph(description, "sentence"), sections, description, sources };
}

function placeSection(request: PageRequest, { name, location }: MarketRecord): Section {
  const { words } = request;
  const section = { id: "place", heading: words.say("placeHeading") };
  if (location === null) return { ...section, content: renderParagraph(words.say("placeUnknown")) };
  const { latitude, longitude } = location;
  const lead = words.say("placeLead", {
    latitude: String(latitude),
    longitude: String(longitude),
  });
  return { ...section, content: markup`${renderParagraph(lead)}${renderMap(request, name, location)}` };
}

/** Points of the background are drawn on a grid of this many degrees, so that many markets are few points. */
const backgroundDegrees = 0.2;

function renderMap(
  { store, words }: PageRequest,
  name: string,
  location: { latitude: number; longitude: number },
): Markup {
  const background = new Map<string, { latitude: number; longitude: number }>();
  for (const { record } of store.catalogue.markets) {
    if (record.location === null) continue;
    const latitude = roundTo(record.location.latitude);
    const longitude = roundTo(record.location.longitude);
    background.set(`${latitude} ${longitude}`, { latitude, longitude });
  }
  const chart = { title: words.say("placeHeading"), description: name, background: [...background.values()] };
  return markup`<div class="map">${renderPointMap({ ...chart, points: [{ ...location, name }], width: 320 })}</div>`;
}

function roundTo(degrees: number): number {
  return Math.round(degrees / backgroundDegrees) * backgroundDegrees;
}
