/** The version of the program that has published the current snapshot, as the announcement says it. */
import { join } from "node:path";
import { commitPattern, type ProgramVersion, unknownCommit } from "../files/program-version.ts";
import { readRegularFile, systemErrorCode } from "../files/read-regular-file.ts";
import { isObject, parseObject } from "../model/json-object.ts";
import { announcementName } from "./snapshot-layout.ts";

/** More than any announcement has. */
export const announcementBytesMax = 4096;

/**
 * Reads which version has published a snapshot. It is for people: an announcement that cannot be read says nothing.
 *
 * @returns undefined where the announcement is of another snapshot, or of a program that does not say it.
 */
export async function readPublisherVersion(dataDirectory: string, id: string): Promise<ProgramVersion | undefined> {
  try {
    const text = await readRegularFile(join(dataDirectory, announcementName), announcementBytesMax);
    const announcement = parseObject(text.toString());
    return announcement?.["snapshot"] === id ? publisherIn(announcement) : undefined;
  } catch (error) {
    if (systemErrorCode(error) === "") throw error;
    return undefined;
  }
}

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
