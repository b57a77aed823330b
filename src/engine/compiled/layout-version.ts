/**
 * Raised whenever the layout of compiled stores (file-layout.ts) changes, or a store's columns come to mean something
 * else while their names and types stay: files of another version are not read. `layout-version.test.ts`
 * fails when it was forgotten.
 *
 * A file of its own: the threads of a service compare it, and only the loader needs the rest of what reads such files.
 */
export const layoutVersion = 17;
