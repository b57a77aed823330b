/** The version of the program that has published the current snapshot, as the announcement says it. */
import { commitPattern, type ProgramVersion, unknownCommit } from "../files/program-version.ts";
import { isObject } from "../model/json-object.ts";

/** More than any announcement has. */
export const announcementBytesMax = 4096;

/** The version that an announcement names; undefined where it names none, or something else. */
export function publisherIn({ publisher }: Readonly<Record<string, unknown>>): ProgramVersion | undefined {
  if (!isObject(publisher)) return undefined;
  const { version, commit } = publisher as Readonly<Record<string, unknown>>;
  if (typeof version !== "string" || typeof commit !== "string") return undefined;
  const isVersion = /^\d+\.\d+\.\d+[\w.+-]{0,40}$/.test(version);
  return isVersion && (commit === unknownCommit || new RegExp(commitPattern).test(commit))
    ? { version, commit }
    : undefined;
}
