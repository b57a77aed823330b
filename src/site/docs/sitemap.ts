/** `/sitemap.xml` (sitemaps.org): the pages for search engines, each in all of its languages. */
import { countyPath, dataPath, explorerPath, gapsPath, marketPath, productPath } from "../../contract/paths.ts";
import { languages } from "../../contract/words.ts";
import { instantText } from "../../engine/model/calendar.ts";
import { rowsOf } from "../../engine/store/columns.ts";
import type { Store } from "../../engine/store/store.ts";
import { pathIn } from "../pages/frame.ts";
import { joinMarkup, type Markup, markup } from "../pages/markup.ts";

/** The most addresses that the protocol allows in a file. */
const addressesMax = 50_000;

/**
 * The whole file. Cost: a line for each product, market and county in each language.
 *
 * @param documents Paths of pages in English alone.
 * @param store Has the subjects of the pages for people; undefined where these are not served, or there is none.
 */
export function renderSitemap(publicUrl: string, documents: readonly string[], store: Store | undefined): string {
  const ofDocuments = documents.map((path) => markup`<url><loc>${publicUrl}${path}</loc></url>`);
  const ofPages = store === undefined ? [] : pathsOf(store).flatMap((path) => renderPage(publicUrl, path, store));
  const lines = [...ofDocuments, ...ofPages].slice(0, addressesMax);
  return markup`<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">
${joinMarkup(lines, "\n")}
</urlset>
`.text;
}

/** The pages of the explorer, of products and markets those with prices, by their path in English. */
function pathsOf({ catalogue, rowsByProduct, rowsByMarket }: Store): string[] {
  const { products, markets, countiesByName } = catalogue;
  return [
    explorerPath,
    dataPath,
    gapsPath,
    ...products
      .filter((_, code) => rowsOf(rowsByProduct, code).length > 0)
      .map(({ record }) => productPath(record.uuid)),
    ...countiesByName.map(countyPath),
    ...markets.filter((_, code) => rowsOf(rowsByMarket, code).length > 0).map(({ record }) => marketPath(record.uuid)),
  ];
}

function renderPage(publicUrl: string, path: string, { snapshot }: Store): Markup[] {
  const alternates = languages.map((language) => {
    return markup`<xhtml:link rel="alternate" hreflang="${language}" href="${publicUrl}${pathIn(language, path)}"/>`;
  });
  const changed = instantText(snapshot.createdAt);
  return languages.map((language) => {
    const address = publicUrl + pathIn(language, path);
    return markup`<url><loc>${address}</loc><lastmod>${changed}</lastmod>${alternates}</url>`;
  });
}
