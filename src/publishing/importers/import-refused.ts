/** The refusal of all importers. */
import type { CsvError } from "csv-parse";
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

/** The refusal of a file that the CSV parser rejects. @param linesBefore Lines before those that it parsed. */
export function brokenCsv(file: string, error: CsvError, linesBefore = 0): ImportRefusedError {
  const line = "lines" in error ? `:${linesBefore + Number(error["lines"])}` : "";
  return new ImportRefusedError(`${file}${line}: not a whole CSV file: ${error.message}`, { cause: error });
}
