/** What a browser gets for an address at which nothing is; programs get the error of the interface. */

import { explorerPath } from "../../contract/paths.ts";
import type { KnownPages, NotFoundPage } from "../../contract/site-values.ts";
import { iconLink, renderFrame } from "../pages/frame.ts";
import { markup } from "../pages/markup.ts";
import { preferredLanguage } from "../pages/preferred-language.ts";
import { siteOf } from "../pages/site-header.ts";
import { frameStyle, renderStyle, textStyle } from "../pages/style.ts";
import { wordsOf } from "../pages/words.ts";
import { documentPolicy } from "./policies.ts";

/** The page for an address at which nothing is, in the preferred language of its reader. */
export function renderNotFoundPage(acceptLanguage: string | undefined, known: KnownPages): NotFoundPage {
  const text = renderText(acceptLanguage, known);
  return { text, policy: documentPolicy() };
}

function renderText(acceptLanguage: string | undefined, { docsUrl, hasExplorer }: KnownPages): string {
  const words = wordsOf(preferredLanguage(acceptLanguage));
  const title = words.say("notFoundTitle");
  const site = siteOf(words, (path) => path, docsUrl, "");
  const [home, label] = hasExplorer ? [explorerPath, words.say("toStart")] : [docsUrl, words.say("documentation")];
  return renderFrame({
    language: words.language,
    title,
    head: markup`${iconLink}\n${renderStyle(frameStyle, textStyle)}`,
    site: hasExplorer ? site : { ...site, home, links: [] },
    main: markup`<h1>${title}</h1>
<p>${words.say("notFoundPath")}</p>
<p><a href="${home}">${label}</a></p>`,
  });
}
