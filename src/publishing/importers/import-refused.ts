/** The refusal of all importers. */
import { ForeseenError } from "../../engine/model/foreseen-error.ts";
import { visibleText } from "../../engine/model/visible-text.ts";

/** Parsers quote what they stumble over, which may be megabytes. */
const messageCharactersMax = 2000;

/** A file cannot be imported; the message is one line that names what was found and expected. */
export class ImportRefusedError extends ForeseenError {
  constructor(message: string, options?: ErrorOptions) {
    const isLong = message.length > messageCharactersMax;
    super(visibleText(isLong ? `${message.slice(0, messageCharactersMax)}…` : message), options);
  }
}
