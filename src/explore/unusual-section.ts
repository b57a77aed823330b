/** Whether the prices of a product at a location are unusual: a row for each type of market. */

import { monthText } from "../domain/calendar-month.ts";
import { renderParagraph } from "../pages/elements.ts";
import { type Markup, markup } from "../pages/markup.ts";
import type { JudgedSubject } from "../query/measures/find-judged.ts";
import { stateMeasures } from "../query/state-of-prices.ts";
import type { ProductMeasure } from "../store/unit-conversion.ts";
import { columnKinds, type DataTable } from "./data-table.ts";
import { anomalyRequests, judgementColumns, marketTypeOf, showNewest } from "./judgement.ts";
import type { Section } from "./page.ts";
import type { ProductAtPlace } from "./place.ts";
import type { PageRequest } from "./request.ts";

export function unusualSection(
  request: PageRequest,
  { code, record, place }: ProductAtPlace,
  judged: readonly JudgedSubject[],
): Section {
  const { store, words, site } = request;
  const { unit, currency } = store.measures[code] as ProductMeasure;
  const { marketType, price, csv } = columnKinds<JudgedSubject>(request);
  const { change, usual, alps } = judgementColumns<JudgedSubject>(request, (row) => row);
  const shownNewest = (row: JudgedSubject): Markup => showNewest(request, row);
  const table: DataTable<JudgedSubject> = {
    rows: judged,
    requests: anomalyRequests(
      { level: place.kind, productUuid: record.uuid, ...place.conditions },
      judged,
      stateMeasures,
    ),
    columns: [
      marketType(marketTypeOf),
      ...change,
      ...usual,
      ...alps,
      csv("month", ({ newest }) => monthText(newest.month)),
      price("median_price", words.say("median"), ({ newest }) => newest.median, shownNewest),
      csv("sample_count", ({ newest }) => newest.sampleCount),
      csv("suspicious_left_out", ({ newest }) => newest.suspiciousLeftOut),
      csv("unit", () => unit),
      csv("currency", () => currency),
    ],
  };
  const same = place.kind !== "market" && [" ", words.say("sameMarkets")];
  const explained = markup` <a href="${site.docsUrl}/anomalies">${words.say("howComputed")}</a>`;
  const lead = renderParagraph([words.say("unusualLead"), same, explained]);
  return { id: "unusual", heading: words.say("unusualHeading"), content: lead, table };
}
