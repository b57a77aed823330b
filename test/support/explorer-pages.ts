/** The pages of the explorer by their addresses, as texts, nodes and links, without HTTP. */

import { explorerPath } from "../../src/contract/paths.ts";
import { PageRefusal } from "../../src/contract/site-values.ts";
import type { Store } from "../../src/engine/store/store.ts";
import { endpoints } from "../../src/service/http/endpoint-table.ts";
import { createPages } from "../../src/site/explore/pages.ts";
import { languageOfPath, pathIn } from "../../src/site/pages/frame.ts";
import { type ExplorerRequestOptions, explorerRequest, finish } from "./explorer-request.ts";
import { findNodes, type MarkupNode, parseMarkup, textWithin } from "./parse-markup.ts";

const pages = createPages(endpoints);

/** Where a page may lead: within the service, and its icon. */
export const targets = /^(?:#|\/(?!\/)|data:image\/svg\+xml,)/;

interface PageAnswer {
  readonly status: number;
  readonly type: string;
  readonly text: string;
  readonly fileName: string | undefined;
}

export async function answerOf(store: Store, target: string, options?: ExplorerRequestOptions): Promise<PageAnswer> {
  const request = explorerRequest(store, target, options);
  const { words, parameters, site } = request;
  const path = pathIn(words.language, request.path);
  const page = pages.paths.find((one) => expressionOf(one.path).test(path));
  if (page === undefined) throw new Error(`no page is at ${path}`);
  const address = { path, queryText: parameters.toString(), id: path.split("/").at(-1) ?? "" };
  const { type, file, make } = page.request(address);
  try {
    const text = finish(make(store, site.publications));
    return { status: 200, type, text, fileName: file && `${file.name}-${store.snapshot.id}.${file.extension}` };
  } catch (error) {
    if (!(error instanceof PageRefusal)) throw error;
    return { status: error.status, type: "text/html", text: error.page.html, fileName: undefined };
  }
}

function expressionOf(path: string): RegExp {
  return new RegExp(`^${path.replace(":id", "[^/]+")}$`);
}

/** A page as nodes, which must be well-formed and say no nonsense. */
export async function nodesOf(
  store: Store,
  target: string,
  options?: ExplorerRequestOptions,
): Promise<(MarkupNode | string)[]> {
  const { text, status } = await answerOf(store, target, options);
  if (status !== 200) throw new Error(`${target}: ${status} ${textWithin(parseMarkup(text, targets))}`);
  const nodes = parseMarkup(text, targets);
  const found = /undefined|NaN|\[object|Infinity|\{\w+\}/.exec(textWithin(nodes));
  if (found !== null) throw new Error(`${target}: the page says ${found[0]}`);
  return nodes;
}

/** Addresses below the explorer that a page leads to, in the language of either, without places on it. */
export function linksOf(nodes: readonly (MarkupNode | string)[]): string[] {
  return findNodes(nodes, ({ name }) => name === "a")
    .map(({ attributes }) => (attributes["href"] ?? "").split("#")[0] ?? "")
    .map((href) => languageOfPath(href).path)
    .filter((href) => href === explorerPath || /^\/explore[/?]/.test(href))
    .map((href) => href.slice(explorerPath.length));
}
