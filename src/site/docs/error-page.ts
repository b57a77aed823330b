/** The page that a browser gets in place of an error; programs get the error of the interface. */

import { docsPath, explorerPath } from "../../contract/paths.ts";
import type { ErrorPage, ShownError } from "../../contract/site-values.ts";
import { iconLink, renderFrame, siteOf } from "../pages/frame.ts";
import { markup } from "../pages/markup.ts";
import { frameStyle, renderStyle, textStyle } from "../pages/style.ts";
import { preferredLanguage, type WordKey, wordsOf } from "../pages/words.ts";
import { documentPolicy } from "./page-policies.ts";

/** Title and text by status. */
const errorTexts: ReadonlyMap<number, readonly [title: WordKey, text: WordKey]> = new Map([
  [400, ["badAddressTitle", "badAddress"]],
  [404, ["notFoundTitle", "notFoundPath"]],
  [414, ["badAddressTitle", "badAddress"]],
  [429, ["tooManyTitle", "tooMany"]],
  [500, ["failedTitle", "failed"]],
  [503, ["unavailableTitle", "unavailable"]],
]);

/** The page of an error, in the preferred language of its reader; undefined for a status without one. */
export function renderErrorPage(
  { status, requestId, retrySeconds }: ShownError,
  acceptLanguage: string | undefined,
  hasExplorer: boolean,
): ErrorPage | undefined {
  const keys = errorTexts.get(status);
  if (keys === undefined) return undefined;
  const words = wordsOf(preferredLanguage(acceptLanguage));
  const title = words.say(keys[0]);
  const site = siteOf(words, (path) => path, "");
  const [home, label] = hasExplorer ? [explorerPath, words.say("toStart")] : [docsPath, words.say("documentation")];
  const retry = retrySeconds !== undefined && markup`<p>${words.say("retryAfter", { count: retrySeconds })}</p>\n`;
  const text = renderFrame({
    language: words.language,
    title,
    head: markup`${iconLink}\n${renderStyle(frameStyle, textStyle)}`,
    site: hasExplorer ? site : { ...site, home, links: [] },
    main: markup`<h1>${title}</h1>
<p>${words.say(keys[1], { id: requestId })}</p>
${retry}<p><a href="${home}">${label}</a></p>`,
  });
  return { text, policy: documentPolicy() };
}
