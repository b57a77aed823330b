/** The routes of the documents that describe the service; they need no key. Each is rendered for its first request. */

import { hash } from "node:crypto";
import { byteText } from "../../contract/byte-text.ts";
import { endpointName } from "../../contract/endpoint.ts";
import { docsPath, explorerPath, gapsPath } from "../../contract/paths.ts";
import type { HeaderList } from "../../contract/reply-body.ts";
import type { DescribedData, Document } from "../../contract/site-values.ts";
import type { Store } from "../../engine/store/store.ts";
import { emptyReply, type Reply } from "./answer/reply.ts";
import type { RouteParts } from "./handle-request.ts";
import type { Context } from "./request/context.ts";
import type { Route } from "./router.ts";

const startPath = "/";
const descriptionPath = "/openapi.json";

/** Addresses of a viewer that there is no more lead to the reference. */
const formerTryPath = `${docsPath}/try`;

/** What the data lacks is a page of the explorer; a service without that describes its series. */
const docsGapsPath = `${docsPath}/gaps`;
const docsSeriesPath = `${docsPath}/series`;

/** The paths under which requests for documents are counted. */
export const countedDocumentPaths: readonly string[] = [startPath, descriptionPath, docsPath];

/** The pages of /docs and their files count as one; files that browsers and search engines fetch, as the start. */
function countedPath(path: string): string {
  if (path === descriptionPath) return path;
  return path === docsPath || path.startsWith(`${docsPath}/`) ? docsPath : startPath;
}

/** Routes of all documents, and of the root, which leads to the pages for people or to the documentation. */
export function documentRoutes(
  documents: readonly Document[],
  hasExplorer: boolean,
  { tagOf, cache }: Pick<RouteParts, "tagOf" | "cache">,
): Route[] {
  const target = hasExplorer ? explorerPath : docsPath;
  return [
    { ...named(startPath), reply: () => emptyReply(302, redirectHeaders(target)) },
    { ...named(formerTryPath), reply: () => emptyReply(301, redirectHeaders(`${docsPath}#operations`)) },
    { ...named(docsGapsPath), reply: () => emptyReply(302, redirectHeaders(hasExplorer ? gapsPath : docsSeriesPath)) },
    ...documents.map((one) => ({
      ...named(one.path),
      isFree: one.isStatic,
      reply: (ctx: Context) => documentReply(ctx, one, { tagOf, cache }),
    })),
  ];
}

function redirectHeaders(target: string): HeaderList {
  return ["Location", target, "Cache-Control", "no-cache", "Content-Length", "0"];
}

function documentReply(
  { state }: Context,
  { path, type, policy, formOf, render }: Document,
  { tagOf, cache }: Pick<RouteParts, "tagOf" | "cache">,
): Reply {
  const { queryText } = state;
  const store = state.store as Store;
  const { snapshot } = store;
  const form = formOf(queryText);
  const target = `${path}?${form ?? queryText}`;
  return {
    status: 200,
    type,
    headers: ["Content-Security-Policy", policy, ...documentHeaders],
    etag: (coding) => tagOf(form === undefined ? snapshot.id : digestOf(snapshot), target, coding),
    cached: form !== undefined ? { cache, store, key: target } : undefined,
    body: () => byteText(render(store, queryText)),
  };
}

/** A digest of what documents show of the data, which most snapshots have in common. */
function digestOf({ attribution, sources }: DescribedData): string {
  return hash("sha256", JSON.stringify([attribution, sources]), "hex");
}

/** A route without its reply. */
function named(path: string): Omit<Route, "reply"> {
  return { method: "GET", path, name: endpointName({ method: "GET", path: countedPath(path) }) };
}

const documentHeaders: HeaderList = ["Cache-Control", "no-cache", "Vary", "Accept-Encoding"];
