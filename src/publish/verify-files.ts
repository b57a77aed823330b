import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { join } from "node:path";
import type { Manifest } from "../dataset/manifest.ts";
import type { ProblemList } from "../dataset/problem.ts";
import { faultOfReading, inspectStoredFile } from "../dataset/stored-file.ts";

/**
 * Reports every file of a snapshot whose size or SHA-256 is not what the manifest says. The records are not looked at:
 * they were when they got that SHA-256.
 *
 * Cost: reads every file once.
 */
export async function verifyFiles(directory: string, manifest: Manifest, problems: ProblemList): Promise<void> {
  for (const { name, bytes, sha256 } of manifest.files) {
    const size = await inspectStoredFile(directory, name);
    if (typeof size !== "number") problems.add({ file: name, ...size });
    else if (size !== bytes) reportDifference(name, `${size} bytes`, String(bytes));
    else {
      try {
        const found = await sha256Of(join(directory, name));
        if (found !== sha256) reportDifference(name, `sha256 ${found}`, sha256);
      } catch (error) {
        problems.add({ file: name, ...faultOfReading(error) });
      }
    }
  }

  function reportDifference(file: string, found: string, wanted: string): void {
    problems.add({ file, kind: "checksum", found, wanted: `${wanted}, as the manifest says` });
  }
}

async function sha256Of(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) hash.update(chunk);
  return hash.digest("hex");
}
