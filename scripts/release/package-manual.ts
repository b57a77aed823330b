/** The manuals as the package has them: whoever installs it has no clone, and so not all that they link to. */
import { posix } from "node:path";

/** A block of code, whose brackets are no links, or a link to a file. */
const codeOrLink = /^```[\s\S]*?^```$|(!?)\[([^\]]*)\]\((?![a-z]+:|\/|#)([^)\s#]+)[^)\s]*\)/gm;

/**
 * Makes text of each link to a file that the package has not, with the path that the file has in a clone. A picture is
 * left out.
 *
 * @param path Of the manual, as in a clone.
 * @param files The files of the package.
 */
export function packageManual(text: string, path: string, files: readonly string[]): string {
  return text.replace(codeOrLink, (found: string, image?: string, label?: string, target?: string) => {
    if (target === undefined) return found;
    const file = posix.join(posix.dirname(path), target);
    // It may be a folder.
    if (files.some((name) => name.startsWith(file))) return found;
    return image === "!" ? "" : `${label} (${file} of a clone)`;
  });
}
