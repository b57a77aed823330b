/** `metadata.json` of the downloads of a snapshot, which publishers write and services read. */
import { join } from "node:path";
import { orUnreadable, readRegularFile } from "../files/read-regular-file.ts";
import { createChecker } from "../model/check-value.ts";
import { parseObject } from "../model/json-object.ts";
import { arrayOf, enumOf, objectOf, orNull, scalar, type ValueOf } from "../model/json-schema.ts";
import {
  dataPackageName,
  downloadsMetadataName,
  downloadsPath,
  downloadTableNames,
  manifestBytesMax,
  type SnapshotId,
} from "./snapshot-layout.ts";

const count = scalar("integer", { minimum: 0 });

/** The fields that are read; there are more. */
const format = objectOf({
  snapshot: scalar("string"),
  published_at: scalar("string", { format: "instant" }),
  note: orNull(scalar("string")),
  files: arrayOf(
    objectOf({
      name: enumOf([dataPackageName, ...downloadTableNames]),
      media_type: scalar("string"),
      table: orNull(scalar("string")),
      rows: orNull(count),
      bytes: count,
      sha256: scalar("string", { pattern: "^[0-9a-f]{64}$" }),
    }),
  ),
});

export type DownloadsMetadata = ValueOf<typeof format>;

const check = createChecker(format);

/**
 * Reads the metadata of the downloads of a snapshot.
 *
 * @returns The metadata with the bytes of their file; undefined where there is none, or a broken one, so that the
 *   downloads are made again.
 */
export async function readDownloadsMetadata(
  dataDirectory: string,
  id: SnapshotId,
): Promise<{ readonly metadata: DownloadsMetadata; readonly content: Buffer } | undefined> {
  const path = join(downloadsPath(dataDirectory, id), downloadsMetadataName);
  const content = await orUnreadable(readRegularFile(path, manifestBytesMax));
  if (content === undefined) return undefined;
  const value = parseObject(content.toString());
  if (value === undefined || check(value).length > 0 || value["snapshot"] !== id) return undefined;
  return { metadata: value as unknown as DownloadsMetadata, content };
}
