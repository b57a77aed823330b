/** The pages for people: without a key, everything else as for all other answers. */

import { hash } from "node:crypto";
import type Koa from "koa";
import { serviceUnavailable } from "../../contract/errors.ts";
import { adminPageCacheBytes } from "../../contract/limits.ts";
import { runInSlices } from "../../engine/store/steps.ts";
import { requestTo, snippetIn } from "../../site/docs/snippets.ts";
import type { ApiRequest } from "../../site/explore/api-request.ts";
import { assets } from "../../site/explore/assets.ts";
import { type PagePath, pagePaths, pagesVersion, parametersOf } from "../../site/explore/pages.ts";
import { noPublications, type Publication, type Publications } from "../../site/explore/publications.ts";
import { explorerPath, PageRequest, type Site } from "../../site/explore/request.ts";
import { languages, wordsOf } from "../../site/explore/words.ts";
import { preferredLanguage } from "../../site/pages/preferred-language.ts";
import type { HeaderList } from "./answer/answer-body.ts";
import { AnswerCache } from "./answer/answer-cache.ts";
import { byteText } from "./answer/byte-text.ts";
import { acceptedCodings, type ContentCoding } from "./answer/compress.ts";
import { etagOf } from "./answer/etag.ts";
import { FixedText, writeFixed } from "./answer/fixed-text.ts";
import { sendWhole } from "./answer/send.ts";
import { answerIfUnchanged, writeAnswer, writeKept } from "./answer/write-answer.ts";
import { writeFile } from "./answer/write-file.ts";
import { koaApp } from "./app.ts";
import type { Context, RequestState } from "./context.ts";
import type { AppDependencies } from "./dependencies.ts";
import { endpoints } from "./endpoint-table.ts";
import { requireWellFormed } from "./input/receive-request.ts";
import { openFileAnswer } from "./resources/open-file.ts";
import { answerOptions, endpointName, type Route, RouteTable } from "./router.ts";

/** What the pages need beside what every app depends on. */
export interface ExplorerDependencies extends Pick<AppDependencies, "admission" | "downloads"> {
  /** Where the documentation is, seen from a page. */
  readonly docsUrl: string;
  /** The newest published snapshots, newest first, and the served one; null where they cannot be listed. */
  readonly listPublications: (served: string) => Promise<readonly Publication[] | null>;
}

/**
 * Style, script, pictures and requests are those of this service and no other; documents/policies.ts says why the last
 * three are there.
 */
const policy = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join("; ");

const pageHeaders: HeaderList = [
  ...["Content-Security-Policy", policy, "Referrer-Policy", "same-origin"],
  ...["Cache-Control", "private, no-cache", "Vary", "Accept-Encoding, Accept-Language"],
];

/** The addresses of style and script name their content. */
const assetHeaders: HeaderList = [
  ...["Cache-Control", "public, max-age=31536000, immutable"],
  ...["Vary", "Accept-Encoding"],
];

/** The name under which all pages are counted and logged. */
export const explorerName: string = endpointName({ method: "GET", path: explorerPath });

/** @param cache Keeps pages; none is kept when absent. */
export function explorerRoutes(deps: ExplorerDependencies, cache?: AnswerCache): Route[] {
  return [
    ...assets.map(({ name, type, text }) => {
      const fixed = new FixedText(text);
      const serve: Route["serve"] = (ctx) => writeFixed(ctx, fixed, { type, headers: assetHeaders }, deps.admission);
      return { ...route(`${explorerPath}/${name}`, serve), isImmutable: true };
    }),
    route(`${explorerPath}/downloads/:snapshot/:file`, async (ctx, { snapshot = "", file = "" }) =>
      writeFile(ctx, await openFileAnswer(deps.downloads, snapshot, file), deps.admission),
    ),
    ...pagePaths.map((page) => route(page.path, (ctx, params) => servePage(ctx, page, params, deps, cache))),
  ];
}

/** The pages alone as an app, for the admin port. */
export function createExplorerApp(
  deps: Pick<AppDependencies, "admission" | "currentStore" | "log" | "clients"> & ExplorerDependencies,
): Koa<RequestState> {
  const cache = new AnswerCache({ bytesMax: adminPageCacheBytes, currentStore: deps.currentStore });
  const table = new RouteTable(explorerRoutes(deps, cache));
  const knownPages = { docsUrl: deps.docsUrl, hasExplorer: true };
  return koaApp({ ...deps, knownPages }, async (ctx) => {
    requireWellFormed(ctx);
    if (ctx.req.method === "OPTIONS") answerOptions(ctx, table);
    else await table.serve(ctx);
  });
}

function route(path: string, serve: Route["serve"]): Route {
  return { method: "GET", path, name: explorerName, serve };
}

async function servePage(
  ctx: Context,
  page: PagePath,
  params: Readonly<Record<string, string>>,
  deps: ExplorerDependencies,
  cache: AnswerCache | undefined,
): Promise<void> {
  const { req, res, state } = ctx;
  const { store } = state;
  if (store === undefined) throw serviceUnavailable();
  const parameters = parametersOf(page, state.queryText);
  const asked = languages.find((language) => language === parameters.get("lang"));
  const language = asked ?? preferredLanguage(req.headers["accept-language"]);
  const codings = acceptedCodings(req.headers["accept-encoding"] as string | undefined);
  const coding = codings[0] as ContentCoding;
  const publications = page.showsPublications ? await publicationsOf(deps, store.snapshot.id) : noPublications;
  const shown = page.showsPublications ? ` ${hash("sha256", JSON.stringify(publications))}` : "";
  // Addresses that differ in what the page does not read are one page.
  const target = `${pagesVersion} ${language} ${state.path}?${parameters}${shown}`;
  const etag = (of: ContentCoding): string => etagOf(store.snapshot.id, target, of);
  if (answerIfUnchanged(ctx, codings, etag, pageHeaders) || res.closed) return;
  const key = `${coding} page ${target}`;
  const kept = cache?.find(store, key);
  // Only pages are kept, and no tables, which have headers of their own.
  if (kept !== undefined) {
    await writeKept(ctx, kept, { type: htmlType, headers: pageHeaders, coding, etag }, deps.admission);
    return;
  }
  const site: Site = { docsUrl: deps.docsUrl, curlOf, publications };
  const request = new PageRequest(store, wordsOf(language), state.path, parameters, site);
  const { status, type, text, fileName } = await runInSlices(page.answer(request, params["id"] ?? ""));
  if (status !== 200) {
    state.errorCode = status === 404 ? "NOT_FOUND" : "VALIDATION_ERROR";
    sendWhole(ctx, status, ["Content-Type", type, ...pageHeaders], byteText(text));
    return;
  }
  const isFile = fileName !== undefined;
  const headers = isFile ? [...pageHeaders, "Content-Disposition", `attachment; filename="${fileName}"`] : pageHeaders;
  const slot = isFile ? undefined : cache?.slotOf(store, key);
  await writeAnswer(ctx, byteText(text), { type, headers, coding, etag }, deps.admission, slot);
}

const htmlType = "text/html; charset=utf-8";

async function publicationsOf(
  { downloads, listPublications }: ExplorerDependencies,
  served: string,
): Promise<Publications> {
  const [snapshots, listed = []] = await Promise.all([listPublications(served), downloads?.list(served)]);
  return {
    snapshots,
    filesAreBeingMade: listed.some(({ snapshot, state }) => snapshot === served && state === "being_made"),
    files: listed.flatMap(({ snapshot, files: ofSnapshot }) =>
      ofSnapshot.map(({ name, bytes, rows, sha256 }) => ({ snapshot, name, bytes, rows, sha256 })),
    ),
  };
}

/** A request to the interface as a command line; signed where the endpoint needs a secret key by default. */
function curlOf({ path, body }: ApiRequest): string {
  const method = body === undefined ? "GET" : "POST";
  return snippetIn("curl", requestTo({ method, path, body: body && JSON.stringify(body) }, endpoints));
}
