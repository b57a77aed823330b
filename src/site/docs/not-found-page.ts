/** What a browser gets for an address at which nothing is; programs get the error of the interface. */
import { explorerPath } from "../explore/request.ts";
import { siteOf } from "../explore/site-header.ts";
import { wordsOf } from "../explore/words.ts";
import { iconLink, renderFrame } from "../pages/frame.ts";
import { markup } from "../pages/markup.ts";
import { preferredLanguage } from "../pages/preferred-language.ts";
import { frameStyle, renderStyle, textStyle } from "../pages/style.ts";

/** What the page leads to. */
export interface KnownPages {
  readonly docsUrl: string;
  /** Whether the service has the pages for people at this port. */
  readonly hasExplorer: boolean;
}

/** @param acceptLanguage The header of the request. */
export function renderNotFoundPage(acceptLanguage: string | undefined, { docsUrl, hasExplorer }: KnownPages): string {
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
