/** How a unit of the price export is called here. */
export interface WfpUnit {
  /** As the export writes it. */
  readonly unit: string;
  /** Name of a unit in units.ts. */
  readonly name: string;
  /**
   * Commodity ids the name is meant for, where the package depends on the goods: 400 g of bread is a loaf, 400 g of
   * anything else is not. Absent: all goods.
   */
  readonly commodityIds?: readonly number[];
}

/** The units the export is known to use. Any other `<number> KG`, `G`, `L` or `ML` becomes a plain pack of that size. */
export const wfpUnits: readonly WfpUnit[] = [
  { unit: "KG", name: "kg" },
  { unit: "G", name: "g" },
  { unit: "MT", name: "tonne" },
  { unit: "50 KG", name: "50 kg bag" },
  { unit: "90 KG", name: "90 kg bag" },
  { unit: "126 KG", name: "126 kg bag" },
  { unit: "13 KG", name: "13 kg net", commodityIds: [110, 892] },
  { unit: "64 KG", name: "64 kg crate", commodityIds: [114] },
  { unit: "200 G", name: "200 g packet" },
  { unit: "400 G", name: "400 g loaf", commodityIds: [55] },
  { unit: "L", name: "litre" },
  { unit: "ML", name: "ml" },
  { unit: "500 ML", name: "500 ml packet" },
  { unit: "Unit", name: "piece" },
  { unit: "Head", name: "head" },
  { unit: "Bunch", name: "bunch" },
];
