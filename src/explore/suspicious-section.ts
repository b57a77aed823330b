/** The suspicious prices of a product, and why each is suspicious. */

import { dayText } from "../domain/calendar-day.ts";
import { readUuid } from "../domain/uuid-words.ts";
import { renderParagraph } from "../pages/elements.ts";
import { markup } from "../pages/markup.ts";
import type { SuspiciousPrice } from "../query/find-suspicious.ts";
import { columnKinds, type DataTable } from "./data-table.ts";
import type { Section } from "./page.ts";
import { type ProductAtPlace, placeQuery } from "./place.ts";
import { linkTo, marketPath, type PageRequest } from "./request.ts";

export function suspiciousSection(
  request: PageRequest,
  { record, place }: ProductAtPlace,
  suspicious: readonly SuspiciousPrice[],
): Section {
  const { store, words } = request;
  const { prices } = store;
  const heading = words.say("suspiciousHeading");
  const { text, day, price, csv } = columnKinds<SuspiciousPrice>(words);
  const unitOf = ({ row }: SuspiciousPrice): string => prices.unitNames[prices.units[row] as number] as string;
  const currencyOf = ({ row }: SuspiciousPrice): string =>
    prices.currencyCodes[prices.currencies[row] as number] as string;
  const priceOf = ({ row }: SuspiciousPrice): number => prices.prices[row] as number;
  const path = `/api/v1/exports/prices.csv?product_uuid=${record.uuid}${placeQuery(place)}&suspicious=true`;
  const table: DataTable<SuspiciousPrice> = {
    name: "suspicious",
    title: heading,
    rows: suspicious,
    requests: [{ method: "GET", path }],
    columns: [
      day(
        "day",
        words.say("day"),
        (row) => dayText(row.day),
        ({ row }) => words.recorded(store, row),
      ),
      price("price", words.say("price"), priceOf, (row) => words.priceOf(priceOf(row), currencyOf(row), unitOf(row))),
      csv("unit", unitOf),
      csv("currency", currencyOf),
      text(
        "market",
        words.say("market"),
        (row) => row.market.name,
        (row) => markup`<a href="${linkTo(request, marketPath(row.market.uuid))}">${row.market.name}</a>`,
      ),
      csv("market_uuid", (row) => row.market.uuid),
      text(
        "market_type",
        words.say("type"),
        (row) => row.market.type,
        (row) => words.type(row.market.type),
      ),
      text(
        "suspicious_reason",
        words.say("why"),
        ({ reason }) => reason,
        ({ reason }) => words.say(`suspicious ${reason}`),
      ),
      csv("price_uuid", ({ row }) => readUuid(prices.uuids, row)),
    ],
  };
  return { id: "suspicious", heading, content: renderParagraph(words.say("suspiciousLead")), table };
}
