/** The header of all pages of the service. The documentation has it as well, so this file loads hardly any other. */

import { docsPath, explorerPath } from "../../contract/paths.ts";
import type { SiteHeader } from "./frame.ts";
import { comparePath, dataPath } from "./page-paths.ts";
import type { Words } from "./words.ts";

/**
 * The header of the site in a language.
 *
 * @param pageLink The address of a page of the explorer.
 * @param path That of the page that has the header.
 */
export function siteOf(words: Words, pageLink: (path: string) => string, path: string): SiteHeader {
  const links = [
    { target: pageLink(comparePath), text: words.say("compare"), isCurrent: path === comparePath },
    { target: pageLink(dataPath), text: words.say("theData"), isCurrent: path === dataPath },
    { target: docsPath, text: words.say("documentation"), isCurrent: path === docsPath },
  ];
  const home = pageLink(explorerPath);
  return { name: words.say("siteName"), home, skip: words.say("skip"), label: words.say("pages"), links };
}
