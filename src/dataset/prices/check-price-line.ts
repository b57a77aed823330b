/** The slow path of reading prices: a line that is not ordinary, judged as any record is, by JSON and by schema. */
import { type Instant, instantText } from "../../domain/instant.ts";
import { checkRecord } from "../check-records.ts";
import { type Fault, foundText } from "../problem.ts";
import { lineText, parseRecord } from "../record-texts.ts";
import { instantOf } from "../translate-records.ts";
import type { WirePrice } from "../wire-records.ts";

/** What prices refer to. */
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
}

/** A line that has been judged. */
export interface CheckedPriceLine {
  /** Undefined when the line is no price; its references may not resolve all the same. */
  readonly price: WirePrice | undefined;
  readonly faults: readonly Fault[];
}

/** @param bytes Without its line end. */
export function checkPriceLine(bytes: Buffer, links: PriceLinks): CheckedPriceLine {
  const line = lineText(bytes);
  const { fault, value } = line.fault === undefined ? parseRecord(line.text) : line;
  if (value === undefined) return { price: undefined, faults: [fault as Fault] };
  const checked = checkRecord("prices", value);
  if (checked.faults !== undefined) return { price: undefined, faults: checked.faults };
  return { price: checked.record, faults: [...brokenLinks(checked.record, links)] };
}

function* brokenLinks(price: WirePrice, { products, markets, units, isWhole, recordedAtMax }: PriceLinks) {
  if (isWhole.products && !products.has(price.product_uuid.toLowerCase())) {
    yield brokenReference("product_uuid", price.product_uuid, "product");
  }
  if (isWhole.markets && !markets.has(price.market_uuid.toLowerCase())) {
    yield brokenReference("market_uuid", price.market_uuid, "market");
  }
  if (isWhole.units && !units.has(price.unit)) yield brokenReference("unit", price.unit, "unit");
  if (instantOf(price.recorded_at) > recordedAtMax) {
    const wanted = `a time up to a day after publication, ${instantText(recordedAtMax)}`;
    const found = foundText(price.recorded_at);
    yield { kind: "recorded-late", field: "recorded_at", found, wanted } as const;
  }
}

function brokenReference(field: string, value: string, target: string): Fault {
  const found = `${foundText(value)}, which names no ${target}`;
  return { kind: "reference", field, found, wanted: `a ${target} of this directory` };
}
