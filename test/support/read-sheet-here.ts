import { ImportRefusedError } from "../../src/publishing/importers/import-refused.ts";
import type { RunReader } from "../../src/publishing/importers/sheet/read-sheet-tables.ts";
import { readerMessages } from "../../src/publishing/importers/sheet/reader-messages.ts";

/** Reads files of prices in the process of the test: starting one for each file takes ten times as long. */
export const readSheetHere: RunReader = async (path, work, receive) => {
  for await (const message of readerMessages(path, work)) {
    if ("refusal" in message) throw new ImportRefusedError(message.refusal);
    if ("failure" in message) throw message.failure;
    receive(message);
  }
};
