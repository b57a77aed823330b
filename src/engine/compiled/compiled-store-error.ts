/**
 * Why a compiled store is not used:
 *
 * - `missing`: there is none;
 * - `unreadable`: it is no ordinary file, or the system does not let us read it;
 * - `untrusted`: another user owns it or may write it;
 * - `foreign`: it is some other kind of file;
 * - `layout`: it was written by another version of this code, or on a machine of the other byte order;
 * - `stale`: it was made from other content than the manifest's, or for another calendar;
 * - `damaged`: bytes are not those that were written, or there are fewer or more of them.
 */
export type CompiledStoreFault = "missing" | "unreadable" | "untrusted" | "foreign" | "layout" | "stale" | "damaged";

/** A compiled store cannot be used; the snapshot has to be built from its records. The message is one line. */
export class CompiledStoreError extends Error {
  readonly code: CompiledStoreFault;
  readonly path: string;

  /**
   * @param found The thing there, ready to follow "found".
   * @param wanted The thing expected there, ready to follow "expected".
   */
  constructor(code: CompiledStoreFault, path: string, found: string, wanted: string, options?: ErrorOptions) {
    super(`${path}: found ${found}, expected ${wanted}`, options);
    this.name = "CompiledStoreError";
    this.code = code;
    this.path = path;
  }
}
