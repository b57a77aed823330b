/** A file cannot be imported; the message is one line that names what was found and expected. */
export class ImportRefusedError extends Error {
  override readonly name = "ImportRefusedError";
}
