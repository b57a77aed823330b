import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fixedUtcOffset, type Instant } from "../../src/engine/model/calendar.ts";
import { contentHash, type Manifest, type ManifestFile, manifestText } from "../../src/engine/snapshots/manifest.ts";
import {
  manifestFileName,
  optionalTableKinds,
  recordKinds,
  tableFileNames,
} from "../../src/engine/snapshots/snapshot-layout.ts";
import { nextPublication } from "../../src/publishing/publish/snapshot-id.ts";
import type { SampleOptions } from "../sample/sample-options.ts";
import { sampleSources } from "../sample/sample-tables.ts";
import { writeSampleFolder } from "../sample/write-sample-folder.ts";

/** The file of a sample's prices. */
export const pricesFileName = "prices.ndjson";

/** A time of publication after every price of a sample, the same in every run. */
const publishedAt = Date.UTC(2026, 10, 2) as Instant;
const timeZone = "Africa/Nairobi";

/**
 * Writes a sample as a published snapshot: record files and the manifest that lists them.
 *
 * @param directory New or empty.
 */
export async function writeSampleSnapshot(directory: string, sample: SampleOptions): Promise<void> {
  await writeSampleFolder({ ...sample, outputPath: directory });
  const files: ManifestFile[] = [];
  for (const kind of recordKinds) {
    if (kind !== "prices" && optionalTableKinds.includes(kind)) continue;
    const name = kind === "prices" ? pricesFileName : tableFileNames[kind];
    files.push({ name, kind, ...(await inspectFile(join(directory, name))), sequence: 0, replaces: 0 });
  }
  const manifest: Manifest = {
    ...nextPublication(publishedAt, null, contentHash({ files, sources: sampleSources, periods: {} })),
    timeZone,
    utcOffset: fixedUtcOffset(timeZone) as number,
    parent: null,
    note: null,
    attribution: [],
    periods: {},
    sources: sampleSources,
    files,
  };
  await rm(join(directory, manifestFileName), { force: true });
  await writeFile(join(directory, manifestFileName), manifestText(manifest));
}

async function inspectFile(path: string): Promise<Pick<ManifestFile, "bytes" | "rows" | "sha256">> {
  const hash = createHash("sha256");
  const kept: Buffer[] = [];
  let bytes = 0;
  let rows = 0;
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    hash.update(chunk);
    bytes += chunk.length;
    if (path.endsWith(".json")) kept.push(chunk);
    else for (let at = chunk.indexOf(0x0a); at !== -1; at = chunk.indexOf(0x0a, at + 1)) rows++;
  }
  if (path.endsWith(".json")) rows = (JSON.parse(Buffer.concat(kept).toString("utf8")) as unknown[]).length;
  return { bytes, rows, sha256: hash.digest("hex") };
}
