import type { Test } from "tap";
import type { Dataset } from "../../src/engine/model/dataset.ts";
import type { AppDependencies } from "../../src/service/http/app-dependencies.ts";
import { type RunningApp, startApp } from "./start-app.ts";

/** An app with a cache of answers. */
export interface CachedApp {
  readonly app: RunningApp;
  /** Searches in the cache, in order: whether they found an answer. */
  readonly searches: boolean[];
}

export async function startCached(t: Test, dataset?: Dataset, deps: Partial<AppDependencies> = {}): Promise<CachedApp> {
  const searches: boolean[] = [];
  const countCacheSearch = (isFound: boolean): void => void searches.push(isFound);
  const app = await startApp(t, dataset, { deps: { answerCacheBytes: 2 ** 24, countCacheSearch, ...deps } });
  return { app, searches };
}
