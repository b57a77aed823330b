/** The questions that the start page and `/llms.txt` answer with a request each. */
import type { Endpoint } from "../../contract/endpoint.ts";

/** Questions that the example requests of operations answer. */
export const questions: Readonly<Record<string, string>> = {
  getPricesNow: "What does maize cost now in Nakuru or nearest to it, asked and answered in Swahili?",
  getLatestPrices: "What does dry white maize cost now, wholesale?",
  listProducts: "Which products are there, by an English or Swahili word?",
  listSeries: "Which prices of maize are there in Nairobi, from when to when, and how long are the gaps?",
  exportStatisticsCsv: "What did maize cost in Nairobi, month by month, as a table for a data frame?",
  searchPrices: "Which wholesale prices of white maize were recorded in Nairobi since 2020?",
  listAnomalies: "Where was white maize unusually dear for the season in May 2017?",
  getSeasonality: "In which months of a year is white maize usually cheap or dear?",
  listMarkets: "Which wholesale markets are in Nairobi?",
  getDataset: "Whose data is it, how fresh is it, and how is it cited?",
};

/** The questions whose operation is served. */
export function readerQuestions(
  endpoints: readonly Endpoint[],
): { readonly question: string; readonly endpoint: Endpoint }[] {
  return Object.entries(questions).flatMap(([id, question]) =>
    endpoints.filter((endpoint) => endpoint.id === id).map((endpoint) => ({ question, endpoint })),
  );
}
