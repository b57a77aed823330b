/** Whether the prices of a product at a location are unusual: a row for each type of market. */

import { monthText } from "../domain/calendar-month.ts";
import { roundFigure } from "../domain/round-figure.ts";
import { renderParagraph } from "../pages/elements.ts";
import { markup } from "../pages/markup.ts";
import type { JudgedSubject } from "../query/measures/find-judged.ts";
import type { ProductMeasure } from "../store/unit-conversion.ts";
import { columnKinds, type DataTable } from "./data-table.ts";
import { anomalyRequests, judgementColumns, marketTypeOf } from "./judgement.ts";
import type { Section } from "./page.ts";
import type { ProductAtPlace } from "./place.ts";
import type { PageRequest } from "./request.ts";

export const shownMeasures = ["yearBefore", "fiveYears", "alps"] as const;

export function unusualSection(
  { store, words, site }: PageRequest,
  { code, record, place }: ProductAtPlace,
  judged: readonly JudgedSubject[],
): Section {
  const heading = words.say("unusualHeading");
  const { unit, currency } = store.measures[code] as ProductMeasure;
  const { text, day, count, price, csv } = columnKinds<JudgedSubject>(words);
  const { change, usual, alps } = judgementColumns<JudgedSubject>(words, (row) => row);
  const table: DataTable<JudgedSubject> = {
    name: "unusual",
    title: heading,
    rows: judged,
    requests: anomalyRequests(
      { level: place.kind, productUuid: record.uuid, ...place.conditions },
      judged,
      shownMeasures,
    ),
    columns: [
      text("market_type", words.say("type"), marketTypeOf, (row) => words.type(marketTypeOf(row))),
      ...change,
      ...usual,
      ...alps,
      day(
        "month",
        words.say("month"),
        ({ newest }) => monthText(newest.month),
        ({ newest }) => words.month(monthText(newest.month)),
      ),
      price(
        "median_price",
        words.say("median"),
        ({ newest }) => roundFigure(newest.median),
        ({ newest }) => words.priceOf(newest.median, currency, unit),
      ),
      count("sample_count", words.say("samples"), ({ newest }) => newest.sampleCount),
      csv("suspicious_left_out", ({ newest }) => newest.suspiciousLeftOut),
      csv("unit", () => unit),
      csv("currency", () => currency),
    ],
  };
  const same = place.kind !== "market" && [" ", words.say("sameMarkets")];
  const explained = markup` <a href="${site.docsUrl}/anomalies">${words.say("howComputed")}</a>`;
  const lead = renderParagraph([words.say("unusualLead"), same, explained]);
  return { id: "unusual", heading, content: lead, table };
}
