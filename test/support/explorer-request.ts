/** Pages of the explorer as their room makes them, without HTTP. */

import { explorerPath } from "../../src/contract/paths.ts";
import type { Publications } from "../../src/contract/publications.ts";
import { type Language, wordsOf } from "../../src/contract/words.ts";
import type { Store } from "../../src/engine/store/store.ts";
import { type ApiRequest, PageRequest } from "../../src/site/explore/request.ts";

export interface ExplorerRequestOptions {
  readonly language?: Language;
  readonly publications?: Publications;
  /** Writes a request of a table; a test can collect them with it. */
  readonly curlOf?: (request: ApiRequest) => string;
}

/** @param target Path below the explorer with query string. */
export function explorerRequest(
  store: Store,
  target: string,
  {
    language = "en",
    publications = { snapshots: [], files: [], filesAreBeingMade: false },
    curlOf = ({ path, body }) => `${body ? "POST" : "GET"} "${path}" \\\n  ${JSON.stringify(body ?? {})}`,
  }: ExplorerRequestOptions = {},
): PageRequest {
  const url = new URL(`http://localhost${explorerPath}${target}`);
  return new PageRequest(store, wordsOf(language), url.pathname, url.searchParams, { curlOf, publications });
}

/** Does all of some work. */
export function finish<Result>(work: Generator<number, Result>): Result {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
    if (!Number.isFinite(step.value)) throw new Error(`the work yielded ${step.value}, expected a number of rows`);
  }
}
