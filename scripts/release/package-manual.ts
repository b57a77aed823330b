/** Rewrites the links of manuals for the npm package, which lacks some files that a clone has. */
import { posix } from "node:path";

/** A block of code, whose brackets are no links, or a link to a file. */
const codeOrLink = /^```[\s\S]*?^```$|(!?)\[([^\]]*)\]\((?![a-z]+:|\/|#)([^)\s#]+)[^)\s]*\)/gm;

/**
 * Replaces each link to a file outside the package by its label and the path of the file in a clone; such pictures are
 * removed.
 *
 * @param path The path of the manual in a clone.
 * @param files The files of the package.
 */
export function packageManual(text: string, path: string, files: readonly string[]): string {
  return text.replace(codeOrLink, (found: string, image?: string, label?: string, target?: string) => {
    if (target === undefined) return found;
    const file = posix.join(posix.dirname(path), target);
    const folder = `${file.replace(/\/$/, "")}/`;
    if (files.some((name) => name === file || name.startsWith(folder))) return found;
    return image === "!" ? "" : `${label} (${file} in a clone)`;
  });
}
