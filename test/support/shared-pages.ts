/** An app whose pages have one product, and what tests read in these pages. */
import type { Test } from "tap";
import type { AppDependencies, ReadCard } from "../../src/service/http/app-dependencies.ts";
import { noCards, type ReceivedAnswer, type RunningApp, type SentHeaders, startApp } from "./start-app.ts";
import { testPages } from "./test-pages.ts";
import { tinyDataset, uuidOf } from "./tiny-dataset.ts";

export const dataset = tinyDataset({
  products: [{ name: `Maize <b>"{link}"`, alternativeNames: ["Mahindi"] }],
  prices: ["2025-01-15", "2025-12-15", "2026-01-15"].map((day) => ({ recordedAt: `${day}T09:00:00+03:00` })),
});
export const product = `/explore/products/${uuidOf("product", 1)}`;
export const publicUrl = "https://prices.example.org";

export function start(
  t: Test,
  { publicUrl, ...deps }: Partial<AppDependencies> = {},
  readCard: ReadCard = noCards,
): Promise<RunningApp> {
  const explorer = testPages({ publicUrl, listPublications: async () => [], readCard });
  return startApp(t, dataset, { deps: { ...deps, publicUrl, explorer } });
}

export function get(app: RunningApp, path: string, headers: SentHeaders = {}): Promise<ReceivedAnswer> {
  return app.send({ method: "GET", path, headers });
}

/** Values of attributes of elements, by a pattern of what stands before them. */
export function attributesOf(html: string, before: RegExp): string[] {
  return [...html.matchAll(new RegExp(`${before.source}="([^"]*)"`, "g"))].map(([, value = ""]) =>
    value.replaceAll("&amp;", "&"),
  );
}
