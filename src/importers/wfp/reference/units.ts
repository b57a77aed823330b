/**
 * The units of trade. Mass and volume convert by definition; the weights of bags, crates and nets are those the price
 * export states or Kenyan trade agrees on (Ministry of Agriculture, quoted by the press). A head, a bunch and a piece have
 * no stated weight, so each stands for itself and converts to nothing else.
 */
import type { UnitCategoryRecord } from "../../../domain/records.ts";

/** In the order in which they are shown: base units first, then ordinary ones, then packages. */
export const unitCategories: readonly UnitCategoryRecord[] = [
  {
    category: "Weight",
    units: [
      { name: "kg", abbreviation: "kg", baseUnit: "kg", conversionFactor: 1 },
      { name: "g", abbreviation: "g", baseUnit: "kg", conversionFactor: 0.001 },
      { name: "tonne", abbreviation: "t", baseUnit: "kg", conversionFactor: 1000 },
      { name: "200 g packet", abbreviation: "200 g", baseUnit: "kg", conversionFactor: 0.2 },
      { name: "400 g loaf", abbreviation: "400 g", baseUnit: "kg", conversionFactor: 0.4 },
      { name: "2 kg tin", abbreviation: "gorogoro", baseUnit: "kg", conversionFactor: 2 },
      { name: "13 kg net", abbreviation: "13 kg", baseUnit: "kg", conversionFactor: 13 },
      { name: "50 kg bag", abbreviation: "50 kg", baseUnit: "kg", conversionFactor: 50 },
      { name: "64 kg crate", abbreviation: "64 kg", baseUnit: "kg", conversionFactor: 64 },
      { name: "90 kg bag", abbreviation: "90 kg", baseUnit: "kg", conversionFactor: 90 },
      { name: "110 kg bag", abbreviation: "110 kg", baseUnit: "kg", conversionFactor: 110 },
      { name: "126 kg bag", abbreviation: "126 kg", baseUnit: "kg", conversionFactor: 126 },
    ],
  },
  {
    category: "Volume",
    units: [
      { name: "litre", abbreviation: "l", baseUnit: "litre", conversionFactor: 1 },
      { name: "ml", abbreviation: "ml", baseUnit: "litre", conversionFactor: 0.001 },
      { name: "500 ml packet", abbreviation: "500 ml", baseUnit: "litre", conversionFactor: 0.5 },
      { name: "20 litre jerrycan", abbreviation: "20 l", baseUnit: "litre", conversionFactor: 20 },
    ],
  },
  {
    category: "Count",
    units: [
      { name: "piece", abbreviation: "pc", baseUnit: "piece", conversionFactor: 1 },
      { name: "dozen", abbreviation: "doz", baseUnit: "piece", conversionFactor: 12 },
      { name: "tray of 30", abbreviation: "tray", baseUnit: "piece", conversionFactor: 30 },
      { name: "head", abbreviation: "head", baseUnit: "head", conversionFactor: 1 },
      { name: "bunch", abbreviation: "bunch", baseUnit: "bunch", conversionFactor: 1 },
    ],
  },
];
