import { rateSourcesOf } from "../store/exchange-rates.ts";
import { type Column, column } from "./table.ts";

/** The column that says by whose rates the figures of a row were converted. */
export function exchangeRateColumn<Row>(isConverted: (row: Row) => boolean): Column<Row> {
  return column(
    "exchange_rate_source",
    "text?",
    "Where the monthly exchange rates come from that prices were converted with; null where none was.",
    ({ catalogue }) => {
      const sources = rateSourcesOf(catalogue).join("; ");
      return (row) => (isConverted(row) ? sources : null);
    },
  );
}
