/** The language of a page whose address asks for none. */
import Negotiator from "negotiator";
import { type Language, languages } from "./words.ts";

/** Longest header that is read; browsers send less than a hundred characters. */
const headerCharactersMax = 256;

/** The first of our languages that a browser takes; English where it takes none. */
export function preferredLanguage(header: string | undefined): Language {
  if (header === undefined || header.length > headerCharactersMax) return "en";
  const [preferred] = new Negotiator({ headers: { "accept-language": header } }).languages([...languages]);
  return languages.find((language) => language === preferred) ?? "en";
}
