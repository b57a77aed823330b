/** What the data lacks: the sought goods without a current price, and how much of each year has prices. */

import { dataPath } from "../../contract/paths.ts";
import { marketTypes } from "../../engine/model/vocabulary.ts";
import { isOld } from "../../engine/query/measures/monthly-values.ts";
import { type ProductYear, yearsWithPrices } from "../../engine/query/years-with-prices.ts";
import { recordAt } from "../../engine/store/catalogue.ts";
import { renderParagraph } from "../pages/elements.ts";
import { markup } from "../pages/markup.ts";
import { apiGet, columnKinds } from "./data-table.ts";
import { makeSections, type Page, type Section, sectionRows } from "./explorer-page.ts";
import type { PageRequest } from "./request.ts";
import soughtGoods from "./sought-goods.json" with { type: "json" };

/** Years that the table of a type shows, in those of its first products. */
const yearsShownMax = 1500;

/** Names of products that a sentence has; it counts the others. */
const namesMax = 60;

export function* gapsPage(request: PageRequest): Generator<number, Page> {
  const { words, store } = request;
  const years = yield* yearsWithPrices(store);
  const byType = Map.groupBy(years, ({ marketType }) => marketType);
  const sought = soughtWithoutPrice(request, years);
  const unpriced = withoutPrices(request, years);
  yield sectionRows;
  const lead = markup`${renderParagraph(words.say(years.length === 0 ? "dataEmpty" : "gapsLead"), "sentence")}
${sought.length > 0 && renderParagraph(words.say("gapsSought", { goods: sought.join(", ") }))}
${unpriced.length > 0 && renderParagraph(words.say("gapsUnpriced", { products: unpriced.join(", ") }))}
<p>${request.pageLink(words.say("theData"), dataPath)}</p>`;
  const sections = yield* makeSections(
    marketTypes.flatMap((type) => {
      const ofType = byType.get(type);
      return ofType === undefined ? [] : () => typeSection(request, ofType);
    }),
  );
  return { title: words.say("gapsTitle"), lead, sections };
}

/** The goods of `sought-goods.json` without a price outside refugee camps that is not old. */
function soughtWithoutPrice({ words, store }: PageRequest, years: readonly ProductYear[]): string[] {
  const current = years.filter(({ outside }) => [...outside].some((month) => !isOld(store, month)));
  return soughtGoods.flatMap(({ goods, names, marketType }) => {
    const isNamed = new RegExp(names, "i");
    const isHere = current.some((year) => {
      const { name } = recordAt(store.catalogue.products, year.product);
      return (marketType === undefined || year.marketType === marketType) && isNamed.test(name);
    });
    return isHere ? [] : goods[words.language];
  });
}

/** Products of the catalogue without a price, at most `namesMax` and the number of the others. */
function withoutPrices({ words, store }: PageRequest, years: readonly ProductYear[]): string[] {
  const priced = new Set<number>(years.map(({ product }) => product));
  const others = store.catalogue.products.filter((_, code) => !priced.has(code));
  const names = others.slice(0, namesMax).map(({ record }) => words.product(record));
  return others.length > namesMax ? [...names, `+ ${words.integer(others.length - namesMax)}`] : names;
}

/** @param years Those of a type, by product. */
function typeSection(request: PageRequest, years: readonly ProductYear[]): Section {
  const { words, store } = request;
  const { text, count } = columnKinds<ProductYear>(request);
  const [{ marketType }] = years as [ProductYear];
  const rows = years.slice(0, yearsShownMax);
  const counts = { shown: rows.length, count: years.length };
  const byProduct = Map.groupBy(rows, ({ product }) => product);
  return {
    id: marketType.toLowerCase(),
    heading: words.titled(words.type(marketType)),
    content: markup`${rows.length < years.length && renderParagraph(words.say("gapsCut", counts))}`,
    table: {
      columns: [
        text(words.say("year"), ({ year }) => String(year)),
        count(words.say("monthsOutsideCamps"), ({ outside }) => outside.size),
        count(words.say("monthsInCamps"), ({ inCamps }) => inCamps.size),
        count(words.say("inCounties"), ({ counties }) => counties.size),
      ],
      rows,
      shown: [],
      folded: [...byProduct].map(([product, rows]) => ({
        summary: words.product(recordAt(store.catalogue.products, product)),
        rows,
      })),
      requests: [apiGet("/exports/series.csv", { market_type: marketType })],
    },
  };
}
