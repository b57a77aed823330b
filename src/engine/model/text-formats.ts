/** The formats of texts that schemas name: which texts each accepts, and how a message names it. */
import { dayFromText, recentInstant } from "./calendar.ts";
import { foldText, searchWords } from "./folded-text.ts";
import { toUuid } from "./ids.ts";

interface TextFormat {
  readonly accepts: (text: string) => boolean;
  /** Ready to follow "expected"; absent where it needs the length of the text, as `wantedBy` has it. */
  readonly wanted?: string;
  /** A pattern as near as patterns come, for formats that no standard has. */
  readonly pattern?: string;
}

/** The format of a text that can match something. */
export const matchTextFormat = "match-text";

/** The format of a text with words to search for. */
export const searchTextFormat = "search-text";

/** The format of a calendar month. */
export const monthFormat = "month";

export const textFormats: Readonly<Record<string, TextFormat>> = {
  text: {
    accepts: (text) => text !== "" && text.trim() === text,
    wanted: "text, not empty, without spaces around it",
  },
  "web-address": {
    // It goes into links of pages and into headers, so anything that would end either is out.
    accepts: (text) => /^https?:\/\/[!#-;=?-~]+$/.test(text) && URL.canParse(text),
    wanted: "an address that begins with http:// or https://, in ASCII without spaces",
  },
  uuid: { accepts: (text) => toUuid(text) !== undefined, wanted: "a UUID of 36 characters" },
  instant: { accepts: (text) => recentInstant(text) !== undefined, wanted: "an RFC 3339 time" },
  date: { accepts: (text) => dayFromText(text) !== undefined, wanted: "an existing day as YYYY-MM-DD" },
  [monthFormat]: {
    accepts: (text) => /^\d{4}-\d{2}$/.test(text) && dayFromText(`${text}-01`) !== undefined,
    wanted: "an existing month as YYYY-MM",
    pattern: "^[0-9]{4}-(?:0[1-9]|1[0-2])$",
  },
  // A text of blanks or accents alone would match everything, and half a surrogate pair nothing.
  [matchTextFormat]: {
    accepts: (text) => text.isWellFormed() && foldText(text).trim() !== "",
    pattern: "\\S",
  },
  [searchTextFormat]: {
    accepts: (text) => text.isWellFormed() && searchWords(text).length > 0,
    pattern: "[^\\s'`´‘’ʻʼ]",
  },
};
