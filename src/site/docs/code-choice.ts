/** The choice of the language of examples. It is in the address of a page, so it needs no script. */
import { joinMarkup, type Markup, markup } from "../pages/markup.ts";
import { type CodeLanguage, codeLanguages, codeNames, defaultCode } from "./snippets.ts";

export interface CodeBlockChoice {
  /** Path of the page. */
  readonly path: string;
  /** Id of the block, where the chosen page is shown. */
  readonly id: string;
  readonly shown: CodeLanguage;
  /** The languages that the block is written in. */
  readonly offered?: readonly CodeLanguage[] | undefined;
}

/** Links to the same page with its examples in another language. */
export function renderCodeChoice({ path, id, shown, offered = codeNames }: CodeBlockChoice): Markup {
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
