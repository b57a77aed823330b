/** The downloads of a dataset directory, as publishers have made them. */
import { hash } from "node:crypto";
import type { FileHandle } from "node:fs/promises";
import { join } from "node:path";
import {
  downloadsFolderPath,
  downloadsMetadataName,
  downloadsPath,
  type SnapshotId,
  snapshotPath,
  toSnapshotId,
} from "../dataset/snapshot-layout.ts";
import { namesIn } from "../files/list-folder.ts";
import { openRegularFile, systemErrorCode } from "../files/read-regular-file.ts";
import type { Downloads, OpenDownload, SnapshotDownloads } from "../http/downloads/downloads.ts";

/** Finds and opens them; nothing is kept, because publishers make and remove them while the service runs. */
export class DownloadFiles implements Downloads {
  readonly #dataDirectory: string;

  constructor(dataDirectory: string) {
    this.#dataDirectory = dataDirectory;
  }

  async list(): Promise<readonly SnapshotDownloads[]> {
    const names = await namesIn(downloadsFolderPath(this.#dataDirectory));
    const ids = names.map(toSnapshotId).filter((id) => id !== undefined);
    const all = await Promise.all(
      ids
        .sort()
        .reverse()
        .map((id) => this.#describe(id)),
    );
    return all.filter((downloads) => downloads !== undefined);
  }

  async open(snapshot: string, name: string): Promise<OpenDownload | undefined> {
    const id = toSnapshotId(snapshot);
    const description = id && (await this.#describe(id));
    // Only names of the description are paths.
    const entry = description?.files.find((file) => file.name === name);
    if (id === undefined || entry === undefined) return undefined;
    const path = join(downloadsPath(this.#dataDirectory, id), name);
    const file = await openIfThere(path);
    if (file === undefined) return undefined;
    return {
      ...entry,
      async read(position, length) {
        const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(length), 0, length, position);
        if (bytesRead === 0) throw new Error(`${path}: ends at ${position} of ${entry.bytes} bytes`);
        return buffer.subarray(0, bytesRead);
      },
      close: () => file.close(),
    };
  }

  /** @returns Undefined when the snapshot or its downloads are not there. */
  async #describe(id: SnapshotId): Promise<SnapshotDownloads | undefined> {
    if ((await namesIn(snapshotPath(this.#dataDirectory, id))).length === 0) return undefined;
    const file = await openIfThere(join(downloadsPath(this.#dataDirectory, id), downloadsMetadataName));
    if (file === undefined) return undefined;
    await using open = file;
    const text = await open.readFile("utf8");
    const { snapshot, published_at, note, files } = JSON.parse(text) as SnapshotDownloads;
    const self = {
      ...{ name: downloadsMetadataName, media_type: "application/json", table: null, rows: null },
      ...{ bytes: Buffer.byteLength(text), sha256: hash("sha256", text) },
    };
    return {
      ...{ snapshot, published_at, note },
      files: [...files, self].map(({ name, media_type, table, rows, bytes, sha256 }) => {
        return { name, media_type, table, rows, bytes, sha256 };
      }),
    };
  }
}

/** Opens a file; undefined when there is none. */
async function openIfThere(path: string): Promise<FileHandle | undefined> {
  try {
    return await openRegularFile(path);
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}
