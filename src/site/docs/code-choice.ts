/** The choice of the language of examples. It is in the address of a page, so it needs no script. */
import { joinMarkup, type Markup, markup } from "../pages/markup.ts";
import { type CodeLanguage, codeLanguages, codeNames, defaultCode } from "./snippets.ts";

/**
 * Links to the same page with its examples in another language.
 *
 * @param path The path of the page.
 * @param id The id of the block, where the chosen page is shown.
 * @param offered The languages that the block is written in.
 */
export function renderCodeChoice(path: string, id: string, shown: CodeLanguage, offered = codeNames): Markup {
  const links = offered.map((code) => {
    const current = code === shown && markup` aria-current="true"`;
    return markup`<a href="${path}?code=${code}#${id}"${current}>${codeLanguages[code]}</a>`;
  });
  return markup`<p class="codes" id="${id}">${joinMarkup(links, "\n")}</p>\n`;
}

/** Links of a page to other pages of /docs, without their query string; files have a dot in their name. */
const pageLink = /(?<= href="\/docs(?:\/[a-z-]+)*)(?=["#])/g;

/** A page whose links keep the language that it was requested in. */
export function keepCodeChoice(page: string, code: CodeLanguage): string {
  return code === defaultCode ? page : page.replaceAll(pageLink, `?code=${code}`);
}
