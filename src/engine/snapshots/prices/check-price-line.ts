/** The slow path of reading prices: a line that is not ordinary, judged as any record is, by JSON and by schema. */
import { type Instant, instantText } from "../../model/calendar.ts";
import { type PriceRecord, recordFormats } from "../../model/records.ts";
import { readRecord } from "../check-record.ts";
import { inputFaults } from "../input-values.ts";
import { type Fault, fieldFault, foundText } from "../problem.ts";
import { lineText, type UncheckedRecord } from "../record-texts.ts";

/** The records that prices refer to. */
export interface PriceLinks {
  /** Position by uuid. */
  readonly products: ReadonlyMap<string, number>;
  readonly markets: ReadonlyMap<string, number>;
  /** Names. */
  readonly units: ReadonlySet<string>;
  /** False for a table with refused records: references into it are not judged. */
  readonly isWhole: { readonly products: boolean; readonly markets: boolean; readonly units: boolean };
  /** Last instant at which a price may be recorded (inclusive). */
  readonly recordedAtMax: Instant;
  /** True if the files are handed in: published ones may have texts that are refused since. */
  readonly areHandedIn: boolean;
}

/** A line that has been judged. */
export interface CheckedPriceLine {
  /** Undefined when the line is no price; its references may not resolve all the same. */
  readonly price: PriceRecord | undefined;
  readonly faults: readonly Fault[];
}

/** @param bytes Without its line end. */
export function checkPriceLine(bytes: Buffer, links: PriceLinks): CheckedPriceLine {
  // A copy, because isUtf8 and toString want memory of one thread.
  const { record, faults, written = {} } = readRecord(recordFormats.prices, lineText(Buffer.from(bytes)));
  if (record === undefined) return { price: undefined, faults };
  const refused = links.areHandedIn ? inputFaults(recordFormats.prices, written) : [];
  return { price: record, faults: [...brokenLinks(record, written, links), ...refused] };
}

/** @param written The price as it stands in the file, for messages. */
function* brokenLinks(
  { productUuid, marketUuid, unit, recordedAt }: PriceRecord,
  written: UncheckedRecord,
  { products, markets, units, isWhole, recordedAtMax }: PriceLinks,
): Generator<Fault, void> {
  if (isWhole.products && !products.has(productUuid)) yield brokenReference("product_uuid", "product", written);
  if (isWhole.markets && !markets.has(marketUuid)) yield brokenReference("market_uuid", "market", written);
  if (isWhole.units && !units.has(unit)) yield brokenReference("unit", "unit", written);
  if (recordedAt > recordedAtMax) {
    const wanted = `a time up to a day after publication, ${instantText(recordedAtMax)}`;
    yield fieldFault("recorded-late", "recorded_at", foundText(written["recorded_at"]), wanted);
  }
}

function brokenReference(field: string, target: string, written: UncheckedRecord): Fault {
  const found = `${foundText(written[field])}, which names no ${target}`;
  return fieldFault("reference", field, found, `a ${target} of this directory`);
}
