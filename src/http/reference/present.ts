import type { MarketTypeRecord, UnitCategoryRecord } from "../../domain/records.ts";

/** A category of units as answered. */
export function presentUnitCategory({ category, units }: UnitCategoryRecord): object {
  return {
    category,
    units: units.map(({ name, abbreviation, baseUnit, conversionFactor }) => ({
      name,
      abbreviation,
      base_unit: baseUnit,
      conversion_factor: conversionFactor,
    })),
  };
}

/** A market type as answered. */
export function presentMarketType({ type, description, characteristics }: MarketTypeRecord): object {
  return { type, description, characteristics };
}
