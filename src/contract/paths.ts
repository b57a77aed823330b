/** The paths that every wing agrees on. */

/** The version of the interface, which is not that of the package: within it, fields are only added. */
export const apiVersion = "1";

/** Every endpoint's path is below this. */
export const apiPrefix: string = `/api/v${apiVersion}`;

/** Every page for people is at this path or below it. */
export const explorerPath = "/explore";

/** Every page of the documentation is at this path or below it. */
export const docsPath = "/docs";

/** Returns whether a path belongs to the interface, for which a key is needed. */
export function isBelowPrefix(path: string): boolean {
  return path.startsWith(apiPrefix) && (path.length === apiPrefix.length || path[apiPrefix.length] === "/");
}
