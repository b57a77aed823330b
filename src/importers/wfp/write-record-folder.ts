import { type FolderClaim, FolderTakenError, requireFreeFolder, writeWholeFolder } from "../../files/whole-folder.ts";
import { ImportRefusedError } from "./import-refused-error.ts";
import { type RecordFile, recordFileNames } from "./record-files.ts";

/**
 * Refuses an output folder that must not be written to: one that holds anything, unless an earlier import is to be
 * replaced and the folder holds nothing else.
 *
 * @throws {ImportRefusedError} that says what the folder holds.
 */
export async function checkOutputFolder(path: string, replacesImport: boolean): Promise<void> {
  await refused(requireFreeFolder(claimOf(path, replacesImport)));
}

/**
 * Writes all files so that `path` never holds half an import, see files/whole-folder.ts.
 *
 * @throws {ImportRefusedError} as `checkOutputFolder` does, looked at once more at the end.
 */
export async function writeRecordFolder(
  path: string,
  files: readonly RecordFile[],
  replacesImport: boolean,
): Promise<void> {
  await refused(writeWholeFolder(claimOf(path, replacesImport), files));
}

function claimOf(path: string, replaces: boolean): FolderClaim {
  return { path, fileNames: recordFileNames, called: "an earlier import", replaces };
}

async function refused(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (error instanceof FolderTakenError) throw new ImportRefusedError(error.message, { cause: error });
    throw error;
  }
}
