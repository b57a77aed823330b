/** The files that hold the whole of a snapshot, as the process around the app has them. */

export interface DownloadDescription {
  readonly name: string;
  readonly media_type: string;
  readonly bytes: number;
  /** In hexadecimal. */
  readonly sha256: string;
}

/** The downloads of a snapshot. */
export interface SnapshotDownloads {
  readonly snapshot: string;
  readonly published_at: string;
  readonly note: string | null;
  readonly files: readonly (DownloadDescription & { readonly table: string | null; readonly rows: number | null })[];
}

/** A file that is open, until it is closed. */
export interface OpenDownload extends DownloadDescription {
  /** Bytes from a position on, at least one, at most `length`. @throws {Error} where the file has ended too soon. */
  read(position: number, length: number): Promise<Buffer>;
  close(): Promise<void>;
}

export interface Downloads {
  /** Those of all snapshots that have them, newest first. */
  list(): Promise<readonly SnapshotDownloads[]>;
  /** @returns Undefined when there is no such file. */
  open(snapshot: string, name: string): Promise<OpenDownload | undefined>;
}
