/** Readable names of the export's categories. A category that is not here is shown in title case as it is written. */
export const productCategories: ReadonlyMap<string, string> = new Map([
  ["cereals and tubers", "Cereals and Tubers"],
  ["meat, fish and eggs", "Meat, Fish and Eggs"],
  ["milk and dairy", "Milk and Dairy"],
  ["miscellaneous food", "Miscellaneous Food"],
  ["non-food", "Non-Food"],
  ["oil and fats", "Oils and Fats"],
  ["pulses and nuts", "Pulses and Nuts"],
  ["vegetables and fruits", "Vegetables and Fruits"],
]);
