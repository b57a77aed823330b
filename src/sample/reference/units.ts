import type { UnitCategoryRecord, UnitRecord } from "../../domain/records.ts";

/** The units of a sample: three bases that others convert to, and two units that stand for themselves. */
export const unitCategories: readonly UnitCategoryRecord[] = [
  {
    category: "Weight",
    units: [
      unit("kg", "kg", "kg", 1),
      unit("g", "g", "kg", 0.001),
      unit("tonne", "t", "kg", 1000),
      unit("200 g packet", "200 g", "kg", 0.2),
      unit("2 kg tin", "gorogoro", "kg", 2),
      unit("13 kg net", "13 kg", "kg", 13),
      unit("50 kg bag", "50 kg", "kg", 50),
      unit("64 kg crate", "64 kg", "kg", 64),
      unit("90 kg bag", "90 kg", "kg", 90),
    ],
  },
  {
    category: "Volume",
    units: [
      unit("litre", "l", "litre", 1),
      unit("500 ml", "500 ml", "litre", 0.5),
      unit("20 litre jerrycan", "20 l", "litre", 20),
    ],
  },
  {
    category: "Count",
    units: [
      unit("piece", "pc", "piece", 1),
      unit("dozen", "doz", "piece", 12),
      unit("tray of 30", "tray", "piece", 30),
      unit("head", "head", "head", 1),
      unit("bunch", "bunch", "bunch", 1),
    ],
  },
];

/** All of them in one list. */
export const units: readonly UnitRecord[] = unitCategories.flatMap((category) => category.units);

function unit(name: string, abbreviation: string, baseUnit: string, conversionFactor: number): UnitRecord {
  return { name, abbreviation, baseUnit, conversionFactor };
}
