/** The pages for people: without a key, everything else as for all other answers. */

import { hash } from "node:crypto";
import { byteText } from "../../contract/byte-text.ts";
import { endpointName } from "../../contract/endpoint.ts";
import { ApiError, excerptOf } from "../../contract/errors.ts";
import { cardPath, explorerPath } from "../../contract/paths.ts";
import { noPublications, type Publications } from "../../contract/publications.ts";
import type { HeaderList } from "../../contract/reply-body.ts";
import type { PagePath, PageRedirect } from "../../contract/site-values.ts";
import type { Store } from "../../engine/store/store.ts";
import type { AnswerCache } from "./answer/answer-cache.ts";
import { emptyReply, type Reply } from "./answer/reply.ts";
import { type TagOf, textTags } from "./answer/representation.ts";
import type { AppDependencies, ExplorerParts } from "./app-dependencies.ts";
import type { Context } from "./request/context.ts";
import { openFileAnswer } from "./resources/downloads/download-endpoints.ts";
import type { Route } from "./router.ts";

/** The parts that pages need beside those that every app depends on. */
export interface ExplorerDependencies extends ExplorerParts {
  readonly downloads: AppDependencies["downloads"];
  readonly tagOf: TagOf;
  /** Caches pages and their assets. */
  readonly cache: AnswerCache;
}

/** The addresses of style and script name their content. */
const assetHeaders: HeaderList = [
  ...["Cache-Control", "public, max-age=31536000, immutable"],
  ...["Vary", "Accept-Encoding"],
];

/** The name under which all pages are counted and logged. */
const explorerName: string = endpointName({ method: "GET", path: explorerPath });

export function explorerRoutes(deps: ExplorerDependencies): Route[] {
  return [
    ...deps.pages.assets.map(({ path, type, text }) => {
      const [etag, body] = [textTags(text), () => byteText(text)];
      const reply: Route["reply"] = ({ state }) => {
        const cached = { cache: deps.cache, store: state.store as Store, key: path };
        return { status: 200, type, headers: assetHeaders, etag, cached, body };
      };
      return { ...route(path, reply), isFree: true };
    }),
    route(`${explorerPath}/downloads/:snapshot/:file`, (_ctx, { snapshot = "", file = "" }) => ({
      status: 200,
      headers: [],
      body: () => openFileAnswer(deps.downloads, snapshot, file),
    })),
    route(cardPath(":snapshot", ":file"), (ctx, { file = "" }) => cardReply(ctx, file, deps)),
    ...deps.pages.paths.map((page) => route(page.path, (ctx, params) => pageReply(ctx, page, params, deps))),
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
): Promise<Reply> {
  const store = state.store as Store;
  const address = {
    path: state.path,
    queryText: state.queryText,
    id: params["id"] ?? "",
  };
  const redirect = page.redirect?.(address, req.headers.cookie, store);
  if (redirect !== undefined) return emptyReply(303, redirectHeaders(redirect));
  const { key, type, file, headers, showsPublications, make } = page.request(address);
  const { id } = store.snapshot;
  const { tagOf, cache } = deps;
  const publications = showsPublications ? await publicationsOf(deps, id) : noPublications;
  const shown = showsPublications ? ` ${hash("sha256", JSON.stringify(publications))}` : "";
  const target = key + shown;
  const disposition =
    file === undefined ? [] : ["Content-Disposition", `attachment; filename="${file.name}-${id}.${file.extension}"`];
  return {
    status: 200,
    type,
    headers: [...headers, ...disposition],
    etag: (coding) => tagOf(id, target, coding),
    // Tables and charts are cheap to repeat, so they are not cached.
    cached: file === undefined ? { cache, store, key: target } : undefined,
    source: store,
    body: async (run) => byteText(await run(make(store, publications))),
  };
}

const cardName = /^[a-z]{2,3}(?:-[\w-]+)?\.png$/;

/** Seconds for which a card may be kept; the general one gives way to that of its address within minutes. */
const [cardSeconds, generalCardSeconds] = [86_400, 60];

/**
 * A card of the served snapshot, whichever one its address names.
 *
 * @throws {ApiError} NOT_FOUND.
 */
async function cardReply({ state }: Context, name: string, { readCard }: ExplorerDependencies): Promise<Reply> {
  if (!cardName.test(name)) throw new ApiError("NOT_FOUND", `There is no card ${excerptOf(name)}.`);
  const { png, isGeneral } = await readCard((state.store as Store).snapshot.id, name);
  const headers = ["Cache-Control", `public, max-age=${isGeneral ? generalCardSeconds : cardSeconds}`];
  return { status: 200, type: "image/png", headers, body: byteText(png) };
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
