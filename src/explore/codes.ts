/** What other data calls a county, market or product: one small line of its page. */
import type { CountyRecord } from "../domain/records.ts";
import { renderParagraph } from "../pages/elements.ts";
import type { Markup } from "../pages/markup.ts";
import type { Words } from "./words.ts";

/** Codes of a county; false where one is not known. */
export function renderCountyCodes(words: Words, { id, pcode, iso_3166_2: iso }: CountyRecord): Markup | false {
  if (pcode === null || iso === null) return false;
  return renderParagraph(words.say("countyCodes", { id: String(id), pcode, iso }), "quiet");
}

/** Codes of a market or product; false where there are none. */
export function renderCodes(words: Words, codes: readonly string[]): Markup | false {
  return codes.length > 0 && renderParagraph(words.say("sourceCodes", { codes: codes.join(", ") }), "quiet");
}
