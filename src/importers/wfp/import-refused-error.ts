/** The export or the output folder is not usable; the message is one clear line that names what was found and wanted. */
export class ImportRefusedError extends Error {
  override readonly name = "ImportRefusedError";
}
