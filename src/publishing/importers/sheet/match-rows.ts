/** Rows with fields → rows whose names stand for records. */
import { isLonger, lengthsMax } from "../../../engine/model/text-lengths.ts";
import type { Fault } from "../../../engine/snapshots/problem.ts";
import { type Cell, cellText } from "./cells.ts";
import type { CurrencyMark } from "./currency.ts";
import { cellFault, type FieldRow, type LeftOutRow, type PricelessRow } from "./field-rows.ts";
import type { Mapping } from "./mapping.ts";
import type { Resolution } from "./match-answers.ts";
import { type NameKind, skipWord } from "./matches-file.ts";
import type { Target } from "./name-index.ts";
import { splitPriceCell, splitUnitCell } from "./price-cell.ts";
import type { Area, NameResolver } from "./resolve-names.ts";

/** A name without a match is undefined, and among the unmatched ones of the resolver. */
export interface MatchedRow extends FieldRow {
  /** Of the row, else of its market. */
  readonly marketType: string | undefined;
  readonly market: Target | undefined;
  readonly product: Target | undefined;
  readonly unit: Target | undefined;
  /** The cell of the price without a unit. */
  readonly amount: Cell;
  /** The currency before the unit in its cell, `KES/kg`; else null. */
  readonly currencyOfUnit: CurrencyMark | null;
  /** The faults of names that are missing or too long, and of a unit that the price contradicts. */
  readonly faults: readonly Fault[];
}

type MatchMapping = Pick<Mapping, "columns" | "currencies">;

/** Matches the names of each row. Rows that give no price stay as they are. */
export function* matchRows(
  rows: Iterable<FieldRow | PricelessRow>,
  mapping: MatchMapping,
  resolver: NameResolver,
): Generator<MatchedRow | PricelessRow> {
  for (const row of rows) yield "cells" in row ? matchRow(row, mapping, resolver) : row;
}

function matchRow(row: FieldRow, mapping: MatchMapping, resolver: NameResolver): MatchedRow | LeftOutRow {
  const { line, cells } = row;
  const faults: Fault[] = [];
  const resolve = (kind: NameKind, cell: Cell, area: Area = {}): Resolution => {
    const name = nameIn(cell);
    const sign = kind === "unit" ? undefined : /[²³¹⁰-₉①-⓿❶-➓]/u.exec(name ?? "")?.[0];
    if (sign !== undefined) {
      faults.push(cellFault(mapping, row, kind, cell, `a name without ${JSON.stringify(sign)}, as footnotes have it`));
      return undefined;
    }
    if (name !== undefined) return resolver.resolve(kind, name, line, area);
    const isOptional = kind === "county" || kind === "market_type";
    const wanted = `the name of a ${kind.replace("_", " ")}, at most ${lengthsMax.name} characters`;
    if (cell !== null || !isOptional) faults.push(cellFault(mapping, row, kind, cell, wanted));
    return undefined;
  };
  const county = resolve("county", cells.county);
  const marketType = resolve("market_type", cells.market_type);
  const area = { county: targetOf(county), marketType: targetOf(marketType) };
  const isAreaKnown =
    (cells.county === null || county !== undefined) && (cells.market_type === null || marketType !== undefined);
  // Without its county and type a market would be looked up among others.
  const market = isAreaKnown ? resolve("market", cells.market, area) : undefined;
  const product = resolve("product", cells.product);
  const { amount, unit: unitOfPrice } = splitPriceCell(cells.price);
  const { unit: unitCell, mark } = splitUnitCell(cells.unit, mapping.currencies);
  const unit = resolve("unit", unitCell ?? unitOfPrice, { product: targetOf(product) });
  const otherUnit = unitOfPrice === null ? unit : resolve("unit", unitOfPrice, { product: targetOf(product) });
  if ([county, marketType, market, product, unit, otherUnit].includes(skipWord))
    return { line, leftOut: "skipped_name" };
  if (typeof unit === "object" && typeof otherUnit === "object" && unit.id !== otherUnit.id) {
    faults.push(cellFault(mapping, row, "price", cells.price, `a price per ${unit.id}, the unit of the row`));
  }
  return {
    ...row,
    marketType: area.marketType?.id ?? targetOf(market)?.marketType,
    market: targetOf(market),
    product: targetOf(product),
    unit: targetOf(unit),
    amount,
    currencyOfUnit: mark,
    faults,
  };
}

/** The text of a cell as a name; undefined where it can be none. */
function nameIn(cell: Cell): string | undefined {
  const text = cellText(cell);
  return text !== undefined && !isLonger(text, lengthsMax.name) ? text.replace(/\s+/g, " ") : undefined;
}

function targetOf(resolution: Resolution): Target | undefined {
  return typeof resolution === "object" ? resolution : undefined;
}
