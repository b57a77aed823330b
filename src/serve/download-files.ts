/** The downloads of a dataset directory, as publishers and the service have made them. */
import { hash } from "node:crypto";
import type { FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { orUnavailable, readManifestOf, SnapshotUnavailableError } from "../dataset/current-snapshot.ts";
import {
  dataPackageName,
  downloadsMetadataName,
  downloadsPath,
  downloadTableNames,
  type SnapshotId,
  snapshotPath,
  snapshotsPath,
  toSnapshotId,
} from "../dataset/snapshot-layout.ts";
import { instantText } from "../domain/instant.ts";
import { namesIn } from "../files/list-folder.ts";
import { openRegularFile, orMissing } from "../files/read-regular-file.ts";
import type {
  Downloads,
  MissingDownloads,
  OpenDownload,
  SnapshotDownloads,
} from "../http/resources/downloads/downloads.ts";
import type { DownloadsProgress } from "./downloads-maker.ts";

/** As `request` of `DownloadsMaker`, which may be in another thread. */
export type RequestDownloads = (wanted: SnapshotId | undefined) => Promise<readonly DownloadsProgress[]>;

/** Finds and opens them; nothing is kept, because publishers make and remove them while the service runs. */
export class DownloadFiles implements Downloads {
  readonly #dataDirectory: string;
  readonly #request: RequestDownloads;

  /** @param request Has those made that are not there; absent where only publishers make them. */
  constructor(dataDirectory: string, request: RequestDownloads = async () => []) {
    this.#dataDirectory = dataDirectory;
    this.#request = request;
  }

  async list(served: string): Promise<readonly SnapshotDownloads[]> {
    const ids = (await namesIn(snapshotsPath(this.#dataDirectory))).map(toSnapshotId).filter((id) => id !== undefined);
    const newestFirst = ids.sort().reverse();
    const found = await Promise.all(newestFirst.map((id) => this.#describe(id)));
    const kept = found.filter((downloads) => downloads !== undefined);
    const missing = kept.filter(({ state }) => state !== "made");
    if (missing.length === 0) return kept;
    const wanted = missing.find(({ snapshot }) => snapshot === served);
    const progress = await this.#request(wanted && toSnapshotId(wanted.snapshot));
    return kept.map((downloads) => {
      const { state, problem } = progress.find(({ id }) => id === downloads.snapshot) ?? downloads;
      return downloads.state === "made" ? downloads : { ...downloads, state, problem };
    });
  }

  async open(snapshot: string, name: string): Promise<OpenDownload | MissingDownloads | undefined> {
    const id = toSnapshotId(snapshot);
    const description = id && (await this.#describe(id));
    if (id === undefined || description === undefined) return undefined;
    if (description.state === "made") {
      // Only names of the description are paths. An earlier release may have made fewer tables.
      const entry = description.files.find((file) => file.name === name);
      if (entry === undefined) return undefined;
      const path = join(downloadsPath(this.#dataDirectory, id), name);
      const file = await orMissing(openRegularFile(path));
      if (file !== undefined) return openDownload(path, file, { ...entry, published_at: description.published_at });
      // A file that someone has removed is made anew, with the others.
    }
    if (![downloadsMetadataName, dataPackageName, ...downloadTableNames].includes(name)) return undefined;
    return (await this.#request(id)).find((progress) => progress.id === id);
  }

  /** @returns Undefined when the snapshot is not there, or cannot be read. */
  async #describe(id: SnapshotId): Promise<SnapshotDownloads | undefined> {
    if ((await namesIn(snapshotPath(this.#dataDirectory, id))).length === 0) return undefined;
    const file = await orMissing(openRegularFile(join(downloadsPath(this.#dataDirectory, id), downloadsMetadataName)));
    if (file === undefined) return await this.#describeMissing(id);
    await using open = file;
    const text = await open.readFile("utf8");
    const { snapshot, published_at, note, files } = JSON.parse(text) as SnapshotDownloads;
    const self = {
      ...{ name: downloadsMetadataName, media_type: "application/json", table: null, rows: null },
      ...{ bytes: Buffer.byteLength(text), sha256: hash("sha256", text) },
    };
    return {
      ...{ snapshot, published_at, note, state: "made", problem: null },
      files: [...files, self].map(({ name, media_type, table, rows, bytes, sha256 }) => {
        return { name, media_type, table, rows, bytes, sha256 };
      }),
    };
  }

  async #describeMissing(id: SnapshotId): Promise<SnapshotDownloads | undefined> {
    const manifest = await orUnavailable(readManifestOf(this.#dataDirectory, id));
    if (manifest instanceof SnapshotUnavailableError) return undefined;
    const { createdAt, note } = manifest;
    const published_at = instantText(createdAt);
    return { snapshot: id, published_at, note, state: "not_made", problem: null, files: [] };
  }
}

function openDownload(path: string, file: FileHandle, described: Omit<OpenDownload, "read" | "close">): OpenDownload {
  return {
    ...described,
    async read(position, length) {
      const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(length), 0, length, position);
      if (bytesRead === 0) throw new Error(`${path}: ends at ${position} of ${described.bytes} bytes`);
      return buffer.subarray(0, bytesRead);
    },
    close: () => file.close(),
  };
}
