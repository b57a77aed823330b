/** The place of a market under another name, as answers with `detail` have it. */
import * as s from "../../../contract/schema.ts";
import type { Schema } from "../../../engine/model/json-schema.ts";
import type { MarketRecord } from "../../../engine/model/records.ts";
import { findMarketContinuations } from "../../../engine/query/find-series.ts";
import { type Catalogue, marketOf } from "../../../engine/store/catalogue.ts";

/** @param meaning Which of the two markets it is. */
export function marketContinuation(meaning: string): Schema {
  const schema = s.object(
    "MarketContinuation",
    "Another market of the type and county that is the same place, judged by the publisher of the data.",
    {
      market: s.marketReference,
      last_month: s.text("Last month with a price of the earlier market, such as 2020-12."),
      first_month: s.text("First month with a price of the later market."),
      overlap_months: s.integer("Months in which both have a price.", "months"),
      evidence: s.text("What says that both are one place."),
    },
  );
  return s.nullable(s.meaning(schema, `${meaning} Null where nothing is known.`));
}

/** The place of a market before and after, as such schemas have it. */
export function continuationsOfMarket(catalogue: Catalogue, { uuid }: MarketRecord) {
  const { continues, continuedBy } = findMarketContinuations(catalogue, uuid);
  return {
    continues: continues ? { ...continues, market: marketOf(catalogue, continues.continuesUuid) } : null,
    continuedBy: continuedBy ? { ...continuedBy, market: marketOf(catalogue, continuedBy.marketUuid) } : null,
  };
}
