/** The pages for people: without a key, everything else as for all other answers. */

import { hash } from "node:crypto";
import { byteText } from "../../contract/byte-text.ts";
import { endpointName } from "../../contract/endpoint.ts";
import { serviceUnavailable } from "../../contract/errors.ts";
import { explorerPath } from "../../contract/paths.ts";
import { noPublications, type Publications } from "../../contract/publications.ts";
import type { HeaderList } from "../../contract/reply-body.ts";
import type { PagePath, PageRedirect } from "../../contract/site-values.ts";
import type { AnswerCache } from "./answer/answer-cache.ts";
import { framedPageHeaders, pageHeaders } from "./answer/page-headers.ts";
import { emptyReply, type Reply } from "./answer/reply.ts";
import { type Tags, textTags } from "./answer/representation.ts";
import type { AppDependencies, ExplorerParts } from "./app-dependencies.ts";
import type { Context } from "./request/context.ts";
import { openFileAnswer } from "./resources/open-file.ts";
import type { Route } from "./router.ts";

/** The parts that pages need beside those that every app depends on. */
export interface ExplorerDependencies extends ExplorerParts {
  readonly downloads: AppDependencies["downloads"];
  readonly rateLimits?: AppDependencies["rateLimits"];
  readonly tags: Tags;
}

/** The addresses of style and script name their content. */
const assetHeaders: HeaderList = [
  ...["Cache-Control", "public, max-age=31536000, immutable"],
  ...["Vary", "Accept-Encoding"],
];

/** The name under which all pages are counted and logged. */
const explorerName: string = endpointName({ method: "GET", path: explorerPath });

/** @param cache Caches pages; none is cached when absent. */
export function explorerRoutes(deps: ExplorerDependencies, cache?: AnswerCache): Route[] {
  return [
    ...deps.pages.assets.map(({ path, type, text }) => {
      const [etag, body] = [textTags(text), () => byteText(text)];
      const reply: Route["reply"] = ({ state: { store } }) => {
        return { status: 200, type, headers: assetHeaders, etag, cached: cache && { cache, store, key: path }, body };
      };
      return { ...route(path, reply), isFree: true };
    }),
    route(`${explorerPath}/downloads/:snapshot/:file`, (_ctx, { snapshot = "", file = "" }) => ({
      status: 200,
      headers: [],
      body: () => openFileAnswer(deps.downloads, snapshot, file),
    })),
    ...deps.pages.paths.map((page) => route(page.path, (ctx, params) => pageReply(ctx, page, params, deps, cache))),
  ];
}

function route(path: string, reply: Route["reply"]): Route {
  return { method: "GET", path, name: explorerName, reply };
}

async function pageReply(
  { req, state }: Context,
  page: PagePath,
  params: Readonly<Record<string, string>>,
  deps: ExplorerDependencies,
  cache: AnswerCache | undefined,
): Promise<Reply> {
  const { store } = state;
  if (store === undefined) throw serviceUnavailable();
  const address = {
    path: state.path,
    queryText: state.queryText,
    id: params["id"] ?? "",
  };
  const redirect = page.redirect?.(address, req.headers.cookie, store);
  if (redirect !== undefined) return emptyReply(303, redirectHeaders(redirect));
  const { key, type, file, isPicture, mayBeFramed, make } = page.request(address);
  const { id } = store.snapshot;
  const { tags } = deps;
  const publications = page.showsPublications ? await publicationsOf(deps, id) : noPublications;
  const shown = page.showsPublications ? ` ${hash("sha256", JSON.stringify(publications))}` : "";
  const target = key + shown;
  const disposition =
    file === undefined ? [] : ["Content-Disposition", `attachment; filename="${file.name}-${id}.${file.extension}"`];
  return {
    status: 200,
    type,
    headers: [...(mayBeFramed ? framedPageHeaders : pageHeaders), ...disposition],
    etag: (coding) => tags.of(id, target, coding),
    isPicture,
    // Tables and charts are cheap to repeat, and pictures would fill the cache: neither is cached.
    cached: cache && file === undefined && !isPicture ? { cache, store, key: target } : undefined,
    source: store,
    async body(run) {
      if (isPicture) deps.rateLimits?.admitPicture(state.client);
      const text = await run(make(store, publications));
      return byteText(isPicture ? await drawnPicture(text, deps) : text);
    },
  };
}

/** @returns PNG. @throws {ApiError} SERVICE_UNAVAILABLE. */
async function drawnPicture(svg: string, { drawPicture }: ExplorerDependencies): Promise<Buffer> {
  const picture = await drawPicture(svg);
  if (picture !== undefined) return Buffer.from(picture.buffer, picture.byteOffset, picture.byteLength);
  throw serviceUnavailable("The picture could not be made; try again after Retry-After seconds.");
}

/** Only such a reply depends on a cookie, so nobody may store it. */
function redirectHeaders({ location, cookie }: PageRedirect): HeaderList {
  const ofCookie = cookie === undefined ? [] : ["Set-Cookie", cookie];
  return ["Location", location, "Cache-Control", "no-store", ...ofCookie, "Content-Length", "0"];
}

async function publicationsOf(
  { downloads, listPublications }: ExplorerDependencies,
  served: string,
): Promise<Publications> {
  const [snapshots, listed] = await Promise.all([listPublications(served), downloads.list(served)]);
  return {
    snapshots,
    filesAreBeingMade: listed.some(({ snapshot, state }) => snapshot === served && state === "being_made"),
    files: listed.flatMap(({ snapshot, files: ofSnapshot }) =>
      ofSnapshot.map(({ name, bytes, rows, sha256 }) => ({ snapshot, name, bytes, rows, sha256 })),
    ),
  };
}
