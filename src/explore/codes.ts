import { renderParagraph } from "../pages/elements.ts";
import type { Markup } from "../pages/markup.ts";
import type { Words } from "./words.ts";

/** The line that says what other data calls a product or market; false where that is not known. */
export function renderCodes(words: Words, codes: readonly string[]): Markup | false {
  return codes.length > 0 && renderParagraph(words.say("sourceCodes", { codes: codes.join(", ") }), "quiet");
}
