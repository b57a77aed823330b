/** The language of a page: by its path, and the one that a browser prefers. */

import Negotiator from "negotiator";
import { type Language, languages } from "../../contract/words.ts";

/** The path below which the pages of a language are; English has none. */
const pathPrefixes: Readonly<Record<Language, string>> = { en: "", sw: "/sw" };

/** The path of a page in a language. @param path That of the page in English. */
export function pathIn(language: Language, path: string): string {
  return pathPrefixes[language] + path;
}

/** The language of a path, and the path of the same page in English. */
export function languageOfPath(path: string): { readonly language: Language; readonly path: string } {
  const language = languages.find((one) => one !== "en" && path.startsWith(`${pathPrefixes[one]}/`)) ?? "en";
  return { language, path: path.slice(pathPrefixes[language].length) };
}

/** Longest header that is read; browsers send less than a hundred characters. */
const headerCharactersMax = 256;

/** The first of our languages that a browser takes; English where it takes none. */
export function preferredLanguage(header: string | undefined): Language {
  if (header === undefined || header.length > headerCharactersMax) return "en";
  const [preferred] = new Negotiator({ headers: { "accept-language": header } }).languages([...languages]);
  return languages.find((language) => language === preferred) ?? "en";
}
