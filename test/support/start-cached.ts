import type { Test } from "tap";
import type { Dataset } from "../../src/engine/model/dataset.ts";
import { AnswerCache } from "../../src/service/http/answer/answer-cache.ts";
import type { AppDependencies } from "../../src/service/http/app-dependencies.ts";
import { type RunningApp, startApp } from "./start-app.ts";

/** An app with a cache of answers. */
export interface CachedApp {
  readonly app: RunningApp;
  /** As `watchCache` notes them. */
  readonly searches: boolean[];
}

export async function startCached(t: Test, dataset?: Dataset, deps: Partial<AppDependencies> = {}): Promise<CachedApp> {
  const searches = watchCache(t);
  const app = await startApp(t, dataset, { deps: { answerCacheBytes: 2 ** 24, ...deps } });
  return { app, searches };
}

/** The searches in the caches of all apps until the end of a test, in order: whether they found an answer. */
export function watchCache(t: Test): boolean[] {
  const searches: boolean[] = [];
  const { find } = AnswerCache.prototype;
  t.capture(AnswerCache.prototype, "find", function (this: AnswerCache, ...args: Parameters<AnswerCache["find"]>) {
    const found = find.apply(this, args);
    searches.push(found !== undefined);
    return found;
  });
  return searches;
}
