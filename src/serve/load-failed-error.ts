/** No store could be loaded. The message is one line that says what was looked at and what was found there. */
export class LoadFailedError extends Error {
  override readonly name = "LoadFailedError";
}
