/** The suspicious prices of a product, and why each is suspicious. */

import { readUuid } from "../domain/uuid-words.ts";
import { renderParagraph } from "../pages/elements.ts";
import type { SuspiciousPrice } from "../query/find-suspicious.ts";
import { columnKinds, type DataTable } from "./data-table.ts";
import type { Section } from "./page.ts";
import { type ProductAtPlace, placeQuery } from "./place.ts";
import type { PageRequest } from "./request.ts";

export function suspiciousSection(
  request: PageRequest,
  { record, place }: ProductAtPlace,
  suspicious: readonly SuspiciousPrice[],
): Section {
  const { store, words } = request;
  const { prices } = store;
  const { text, recorded, price, csv, market, marketType } = columnKinds<SuspiciousPrice>(request);
  const unitOf = ({ row }: SuspiciousPrice): string => prices.unitNames[prices.units[row] as number] as string;
  const currencyOf = ({ row }: SuspiciousPrice): string =>
    prices.currencyCodes[prices.currencies[row] as number] as string;
  const priceOf = ({ row }: SuspiciousPrice): number => prices.prices[row] as number;
  const path = `/api/v1/exports/prices.csv?product_uuid=${record.uuid}${placeQuery(place)}&suspicious=true`;
  const table: DataTable<SuspiciousPrice> = {
    rows: suspicious,
    requests: [{ path }],
    columns: [
      recorded("day", words.say("day"), ({ row }) => row),
      price("price", words.say("price"), priceOf, (row) => words.priceOf(priceOf(row), currencyOf(row), unitOf(row))),
      csv("unit", unitOf),
      csv("currency", currencyOf),
      ...market((row) => row.market),
      marketType((row) => row.market.type),
      text(
        "suspicious_reason",
        words.say("why"),
        ({ reason }) => reason,
        ({ reason }) => words.say(`suspicious ${reason}`),
      ),
      csv("price_uuid", ({ row }) => readUuid(prices.uuids, row)),
    ],
  };
  return {
    id: "suspicious",
    heading: words.say("suspiciousHeading"),
    content: renderParagraph(words.say("suspiciousLead")),
    table,
  };
}
