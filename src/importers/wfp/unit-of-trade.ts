import type { UnitRecord } from "../../domain/records.ts";
import { wfpUnits } from "./reference/wfp-units.ts";

/** A unit of the export under its name here. */
export interface UnitOfTrade {
  readonly name: string;
  /** Set when units.ts does not have the unit, so that it must be added: the record and its category. */
  readonly added: { readonly category: string; readonly unit: UnitRecord } | null;
}

interface Measure {
  readonly category: string;
  readonly baseUnit: string;
  /** How the size is spelled in the name. */
  readonly word: string;
  readonly abbreviation: string;
  /** How many of it make one base unit. */
  readonly perBaseUnit: number;
}

const measures: Readonly<Record<string, Measure>> = {
  KG: { category: "Weight", baseUnit: "kg", word: "kg", abbreviation: "kg", perBaseUnit: 1 },
  G: { category: "Weight", baseUnit: "kg", word: "g", abbreviation: "g", perBaseUnit: 1000 },
  L: { category: "Volume", baseUnit: "litre", word: "litre", abbreviation: "l", perBaseUnit: 1 },
  ML: { category: "Volume", baseUnit: "litre", word: "ml", abbreviation: "ml", perBaseUnit: 1000 },
};

const sizeExpression = /^(\d{1,6}(?:\.\d{1,3})?) ?(KG|G|L|ML)$/;

/**
 * The unit of a price: a known one by name, or a plain pack of the size the export states (`25 KG` → "25 kg pack").
 *
 * @param wfpUnit As the export writes it, case included.
 * @returns Undefined when the text is neither.
 */
export function unitOfTrade(wfpUnit: string, commodityId: number): UnitOfTrade | undefined {
  const known = wfpUnits.find(
    ({ unit, commodityIds }) => unit === wfpUnit && (commodityIds?.includes(commodityId) ?? true),
  );
  if (known !== undefined) return { name: known.name, added: null };

  const [, sizeText, symbol = ""] = sizeExpression.exec(wfpUnit) ?? [];
  const measure = measures[symbol];
  const size = Number(sizeText);
  if (measure === undefined || !(size > 0)) return undefined;
  const { category, baseUnit, word, abbreviation, perBaseUnit } = measure;
  const conversionFactor = size / perBaseUnit;
  // 1 KG is the kilogram, 1 L the litre.
  if (conversionFactor === 1 && perBaseUnit === 1) return { name: baseUnit, added: null };
  const name = `${size} ${word} pack`;
  return {
    name,
    added: { category, unit: { name, abbreviation: `${size} ${abbreviation}`, baseUnit, conversionFactor } },
  };
}
