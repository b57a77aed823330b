import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { checkManifest } from "./check-manifest.ts";
import type { Manifest } from "./manifest.ts";
import { ProblemList } from "./problem.ts";
import { parseRecord, type UncheckedRecord } from "./record-texts.ts";
import { manifestFileName } from "./snapshot-layout.ts";
import { faultOfReading, inspectStoredFile } from "./stored-file.ts";

/**
 * Reads and checks the manifest of a snapshot.
 *
 * @throws {DatasetError} naming everything that is wrong with it, also when there is none.
 */
export async function readManifest(directory: string): Promise<Manifest> {
  const problems = new ProblemList();
  const value = await readManifestJson(directory, problems);
  const manifest = value === undefined ? undefined : checkManifest(value, problems);
  problems.throwIfAny(directory);
  return manifest as Manifest;
}

/**
 * Reads `manifest.json` as an object nobody has looked into yet.
 *
 * @returns Undefined when it cannot be read, which `problems` then tells.
 */
export async function readManifestJson(directory: string, problems: ProblemList): Promise<UncheckedRecord | undefined> {
  try {
    const size = await inspectStoredFile(directory, manifestFileName);
    if (typeof size !== "number") {
      problems.add({ file: manifestFileName, ...size });
      return undefined;
    }
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
    const parsed = parseRecord(text.decode(await readFile(join(directory, manifestFileName))));
    if (parsed.fault !== undefined) problems.add({ file: manifestFileName, ...parsed.fault, kind: "manifest" });
    return parsed.value;
  } catch (error) {
    const isNotUtf8 =
      error instanceof TypeError && "code" in error && error.code === "ERR_ENCODING_INVALID_ENCODED_DATA";
    const fault = isNotUtf8 ? { found: "bytes that are not UTF-8", wanted: "UTF-8 text" } : faultOfReading(error);
    problems.add({ file: manifestFileName, ...fault, kind: "manifest" });
    return undefined;
  }
}
