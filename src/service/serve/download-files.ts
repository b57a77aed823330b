/** The downloads of a dataset directory, as publishers and the service have made them. */
import { hash } from "node:crypto";
import type { FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import type { Downloads, MissingDownloads, OpenDownload, SnapshotDownloads } from "../../contract/downloads.ts";
import { Digester } from "../../engine/files/hash-file.ts";
import {
  openRegularFile,
  orUnreadable,
  regularFileExists,
  systemErrorCode,
} from "../../engine/files/read-regular-file.ts";
import { readDownloadsMetadata } from "../../engine/snapshots/downloads-metadata.ts";
import {
  changesFileName,
  dataPackageName,
  downloadsMetadataName,
  downloadsPath,
  downloadTableNames,
  type SnapshotId,
  snapshotPath,
  toSnapshotId,
} from "../../engine/snapshots/snapshot-layout.ts";
import type { DownloadsProgress } from "./downloads-maker.ts";
import { CachedDescriptions, describeNewest, type Publications, publicationsIn } from "./published-snapshots.ts";

const lineFeed = 10;

/** As `request` of `DownloadsMaker`, which may be in another thread. */
export type RequestDownloads = (wanted: SnapshotId | undefined) => Promise<readonly DownloadsProgress[]>;

/** Finds and opens them; publishers make and remove them while the service runs. */
export class DownloadFiles implements Downloads {
  readonly #dataDirectory: string;
  readonly #request: RequestDownloads;
  readonly #made: CachedDescriptions<SnapshotDownloads>;
  readonly #published: Publications;
  readonly #changes: CachedDescriptions<SnapshotDownloads["files"][number]>;

  /** @param request Has those made that are not there; absent where only publishers make them. */
  constructor(
    dataDirectory: string,
    published: Publications = publicationsIn(dataDirectory),
    request: RequestDownloads = async () => [],
  ) {
    this.#dataDirectory = dataDirectory;
    this.#published = published;
    this.#request = request;
    this.#made = new CachedDescriptions(
      (id) => join(downloadsPath(dataDirectory, id), downloadsMetadataName),
      (id) => readMade(dataDirectory, id),
    );
    this.#changes = new CachedDescriptions(
      (id) => changesPath(dataDirectory, id),
      (id) => describeChanges(changesPath(dataDirectory, id)),
    );
  }

  async list(served: string): Promise<readonly SnapshotDownloads[]> {
    const listed = await describeNewest(this.#dataDirectory, served, (id) => this.#describe(id));
    const missing = listed.filter(({ state }) => state !== "made");
    if (missing.length === 0) return listed;
    const wanted = missing.find(({ snapshot }) => snapshot === served);
    const progress = await this.#request(wanted && toSnapshotId(wanted.snapshot));
    return listed.map((downloads) => {
      const { state, problem } = progress.find(({ id }) => id === downloads.snapshot) ?? downloads;
      return downloads.state === "made" ? downloads : { ...downloads, state, problem };
    });
  }

  async open(snapshot: string, name: string): Promise<OpenDownload | MissingDownloads | undefined> {
    const id = toSnapshotId(snapshot);
    const description = id && (await this.#describe(id));
    if (id === undefined || description === undefined) return undefined;
    if (name === changesFileName) {
      const changes = await this.#changes.of(id);
      const { published_at } = description;
      return changes && openDownload(changesPath(this.#dataDirectory, id), { ...changes, published_at });
    }
    if (description.state === "made") {
      // Only names of the description are paths. An earlier release may have made fewer tables.
      const entry = description.files.find((file) => file.name === name);
      if (entry === undefined) return undefined;
      const path = join(downloadsPath(this.#dataDirectory, id), name);
      if ((await orUnreadable(regularFileExists(path))) === true) {
        return openDownload(path, { ...entry, published_at: description.published_at });
      }
      // A file that someone has removed or replaced is made again, with the others.
    }
    if (![downloadsMetadataName, dataPackageName, ...downloadTableNames].includes(name)) return undefined;
    return (await this.#request(id)).find((progress) => progress.id === id);
  }

  /** @returns Undefined when the snapshot is not there, or cannot be read. */
  async #describe(id: SnapshotId): Promise<SnapshotDownloads | undefined> {
    const published = await this.#published.of(id);
    if (published === undefined) return undefined;
    const made = await this.#made.of(id);
    if (made === undefined) {
      const { publishedAt, note } = published;
      return { snapshot: id, published_at: publishedAt, note, state: "not_made", problem: null, files: [] };
    }
    const changes = await this.#changes.of(id);
    return changes === undefined ? made : { ...made, files: [...made.files, changes] };
  }
}

function changesPath(dataDirectory: string, id: SnapshotId): string {
  return join(snapshotPath(dataDirectory, id), changesFileName);
}

/** The entry of the file of changes; undefined for a missing or damaged one. Cost: reads it once. */
async function describeChanges(path: string): Promise<SnapshotDownloads["files"][number] | undefined> {
  const file = await orUnreadable(openRegularFile(path));
  if (file === undefined) return undefined;
  const digester = new Digester();
  let lines = 0;
  const content = digester.pass(file.createReadStream() as AsyncIterable<Buffer>);
  try {
    await pipeline(content, createGunzip(), async (text: AsyncIterable<Buffer>) => {
      for await (const chunk of text) for (const byte of chunk) if (byte === lineFeed) lines++;
    });
  } catch (error) {
    if (systemErrorCode(error).startsWith("Z_")) return undefined;
    throw error;
  }
  // The head is a line as well.
  if (lines === 0) return undefined;
  const { bytes, sha256 } = digester.digest();
  return { name: changesFileName, media_type: "application/gzip", table: "changes", rows: lines - 1, bytes, sha256 };
}

/** The downloads that are made, as their metadata say, with an entry for the metadata. */
async function readMade(dataDirectory: string, id: SnapshotId): Promise<SnapshotDownloads | undefined> {
  const found = await readDownloadsMetadata(dataDirectory, id);
  if (found === undefined) return undefined;
  const { metadata, content } = found;
  const self = {
    name: downloadsMetadataName,
    media_type: "application/json",
    table: null,
    rows: null,
    bytes: content.length,
    sha256: hash("sha256", content),
  };
  const { snapshot, published_at, note } = metadata;
  const files = [...metadata.files, self].map(({ name, media_type, table, rows, bytes, sha256 }) => {
    return { name, media_type, table, rows, bytes, sha256 };
  });
  return { snapshot, published_at, note, state: "made", problem: null, files };
}

/** It takes a descriptor with the first bytes that are read: an answer that is refused, or without a body, has none. */
function openDownload(path: string, described: Omit<OpenDownload, "read" | "close">): OpenDownload {
  let opening: Promise<FileHandle> | undefined;
  return {
    ...described,
    async read(position, length) {
      opening ??= openRegularFile(path);
      const file = await opening;
      const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(length), 0, length, position);
      if (bytesRead === 0) throw new Error(`${path}: ends at ${position} of ${described.bytes} bytes`);
      return buffer.subarray(0, bytesRead);
    },
    async close() {
      await (await opening?.catch(() => undefined))?.close();
    },
  };
}
