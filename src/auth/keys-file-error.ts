export type KeysFileErrorCode =
  | "KEYS_FILE_MISSING"
  | "KEYS_FILE_UNREADABLE"
  | "KEYS_FILE_INVALID"
  | "KEYS_FILE_UNWRITABLE";

/** Why a keys file cannot be used. The message is one line for a person and never holds a key or a digest. */
export class KeysFileError extends Error {
  readonly code: KeysFileErrorCode;
  readonly path: string;

  /** @param problem What was found and what was wanted; the path is put before it. */
  constructor(code: KeysFileErrorCode, path: string, problem: string, options?: ErrorOptions) {
    super(`${path}: ${problem}`, options);
    this.name = "KeysFileError";
    this.code = code;
    this.path = path;
  }
}
