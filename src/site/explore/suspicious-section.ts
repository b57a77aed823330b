/** A section with suspicious prices and the reason of each. */

import { priceTable } from "../../engine/export/price-table.ts";
import { recordAt } from "../../engine/store/catalogue.ts";
import { suspiciousReasonOf } from "../../engine/store/suspicious-prices.ts";
import { renderParagraph } from "../pages/elements.ts";
import {
  apiGet,
  columnKinds,
  type DataTable,
  exportedRows,
  fromTablet,
  type PriceScope,
  scopeParameters,
} from "./data-table.ts";
import type { Section } from "./explorer-page.ts";
import type { PageRequest } from "./request.ts";

/** Rows that a page shows; the CSV has all. */
const shownMax = 200;

/** @param rows Rows of suspicious prices, in the order of the table. @param scope Where they were looked for. */
export function suspiciousSection(request: PageRequest, rows: readonly number[], scope: PriceScope): Section {
  const { store, words } = request;
  const { catalogue, prices, suspicious } = store;
  const { text, recorded, number, product, market, marketType } = columnKinds<number>(request);
  const marketAt = (row: number) => recordAt(catalogue.markets, prices.markets[row] as number);
  const showPrice = (row: number): string => {
    const currency = prices.currencyCodes[prices.currencies[row] as number] as string;
    const unit = prices.unitNames[prices.units[row] as number] as string;
    return words.priceOf(prices.prices[row] as number, currency, unit);
  };
  const ofProduct = product((row) => recordAt(catalogue.products, prices.products[row] as number));
  const table: DataTable<number> = {
    rows,
    shown: rows.slice(0, shownMax),
    requests: [apiGet("/exports/prices.csv", { ...scopeParameters(scope), suspicious: "true" })],
    csv: exportedRows("prices", priceTable, () => [rows]),
    columns: [
      ...(scope.productUuid === undefined ? [ofProduct] : []),
      recorded(words.say("day"), (row) => row),
      number(words.say("price"), showPrice),
      market(marketAt),
      fromTablet(marketType((row) => marketAt(row).type)),
      text(words.say("why"), (row) => words.say(`suspicious ${suspiciousReasonOf(suspicious, row) ?? "far"}`)),
    ],
  };
  const lead = renderParagraph(words.say("suspiciousLead"));
  return { id: "suspicious", heading: words.say("suspiciousHeading"), content: lead, table };
}
