/** What operations are for, in the words of those who look for one. */
import type { Operation } from "../operation.ts";

/** Tasks by the id of their operation; an operation without one has its summary. */
const tasks: Readonly<Record<string, string>> = {
  searchPrices: "Search prices",
  getLatestPrices: "Newest prices",
  queryLatestPrices: "Newest prices of many products",
  getPriceStatistics: "Statistics of one product",
  listSeries: "Which prices are there?",
  listAnomalies: "Is a price unusual?",
  getSeasonality: "The usual year of a price",
  getPrice: "One price",
  listProducts: "Find products",
  searchProducts: "Find products by several fields",
  listProductCategories: "Product categories",
  getProduct: "One product",
  listMarkets: "Find markets",
  getMarket: "One market",
  listCounties: "All counties",
  getCounty: "One county",
  listSubCounties: "Sub-counties and wards",
  listCrops: "All crops",
  listCropCategories: "Crop categories",
  listUnits: "Units and their factors",
  listMarketTypes: "Types of markets",
  exportPricesCsv: "Prices as CSV",
  exportPricesNdjson: "Prices as NDJSON",
  exportStatisticsCsv: "Statistics as CSV",
  exportStatisticsNdjson: "Statistics as NDJSON",
  exportSeriesCsv: "Series as CSV",
  exportSeriesNdjson: "Series as NDJSON",
  exportAnomaliesCsv: "Unusual prices as CSV",
  exportAnomaliesNdjson: "Unusual prices as NDJSON",
  exportProductsCsv: "Products as CSV",
  exportProductsNdjson: "Products as NDJSON",
  exportMarketsCsv: "Markets as CSV",
  exportMarketsNdjson: "Markets as NDJSON",
  exportCountiesCsv: "Counties as CSV",
  exportCountiesNdjson: "Counties as NDJSON",
  exportUnitsCsv: "Units as CSV",
  exportUnitsNdjson: "Units as NDJSON",
  getDataset: "Whose data, how much, how fresh?",
  listDownloads: "Files of whole snapshots",
  downloadFile: "One of these files",
};

export const taskIds: readonly string[] = Object.keys(tasks);

export function taskOf({ operation, summary }: { readonly operation: Operation; readonly summary: string }): string {
  return tasks[operation.id] ?? summary;
}

/** Questions that the example requests of operations answer. */
export const questions: Readonly<Record<string, string>> = {
  getLatestPrices: "What does dry white maize cost now, wholesale?",
  listProducts: "Which products are there, by an English or Swahili word?",
  listSeries: "Which prices of maize are there in Nairobi, from when to when, and how long are the gaps?",
  exportStatisticsCsv: "What did maize cost in Nairobi, month by month, as a table for a data frame?",
  searchPrices: "Which wholesale prices of white maize were recorded in Nairobi since 2020?",
  listAnomalies: "Where was white maize unusually dear for the season in May 2017?",
  getSeasonality: "In which months of a year is white maize usually cheap or dear?",
  listMarkets: "Which wholesale markets are in Nairobi?",
  listUnits: "How many kilograms is a 90 kg bag?",
  getDataset: "Whose data is it, how fresh is it, and how is it cited?",
};
