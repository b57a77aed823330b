/**
 * The units of trade. Mass and volume convert by definition. The sizes of packages are those the price export states; a
 * customary package, or what a size is called in trade, has its source beside it. A head, a bunch and a piece have no
 * stated weight, so each stands for itself and converts to nothing else.
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
      // https://sokodirectory.com/2023/04/a-2-kilogram-tin-of-maize-hits-ksh-200-in-most-parts-of-kenya/
      { name: "2 kg tin", abbreviation: "gorogoro", baseUnit: "kg", conversionFactor: 2 },
      // Dry onions: https://sokodirectory.com/2016/11/tomato-prices-expected-to-rise-in-december/
      { name: "13 kg net", abbreviation: "13 kg", baseUnit: "kg", conversionFactor: 13 },
      // Irish potatoes, the most that is allowed: https://www.kbc.co.ke/crackdown-ongoing-for-traders-violating-potato-packaging-rule/
      { name: "50 kg bag", abbreviation: "50 kg", baseUnit: "kg", conversionFactor: 50 },
      // Tomatoes: https://www.businessdailyafrica.com/Tomato-prices-drop-25pc-on-increased-supply-after-harvest/539552-2524380-21ly5i/index.html
      { name: "64 kg crate", abbreviation: "64 kg", baseUnit: "kg", conversionFactor: 64 },
      // Maize, beans and other dry grains: https://www.farmbig.net/2020/10/sacks-crates-weighing-scale-farm-produce.html
      { name: "90 kg bag", abbreviation: "90 kg", baseUnit: "kg", conversionFactor: 90 },
      // Irish potatoes: https://www.businessdailyafrica.com/bd/news/counties/agency-enforce-50-kg-irish-potato-bag-rules-3389196
      { name: "110 kg bag", abbreviation: "110 kg", baseUnit: "kg", conversionFactor: 110 },
      // Cabbages: https://sokodirectory.com/2016/11/tomato-prices-expected-to-rise-in-december/
      { name: "126 kg bag", abbreviation: "126 kg", baseUnit: "kg", conversionFactor: 126 },
    ],
  },
  {
    category: "Volume",
    units: [
      { name: "litre", abbreviation: "l", baseUnit: "litre", conversionFactor: 1 },
      { name: "ml", abbreviation: "ml", baseUnit: "litre", conversionFactor: 0.001 },
      { name: "500 ml packet", abbreviation: "500 ml", baseUnit: "litre", conversionFactor: 0.5 },
    ],
  },
  {
    category: "Count",
    units: [
      { name: "piece", abbreviation: "pc", baseUnit: "piece", conversionFactor: 1 },
      { name: "head", abbreviation: "head", baseUnit: "head", conversionFactor: 1 },
      { name: "bunch", abbreviation: "bunch", baseUnit: "bunch", conversionFactor: 1 },
    ],
  },
];
