/** The files that hold the whole of a snapshot, as the process around the app has them. */

export interface DownloadDescription {
  readonly name: string;
  readonly media_type: string;
  readonly bytes: number;
  /** In hexadecimal. */
  readonly sha256: string;
}

/** `not_made` where no request has asked for them yet, or making them has failed. */
export const downloadStates = ["made", "being_made", "not_made"] as const;
export type DownloadState = (typeof downloadStates)[number];

/** The downloads of a snapshot. */
export interface SnapshotDownloads {
  readonly snapshot: string;
  readonly published_at: string;
  readonly note: string | null;
  readonly state: DownloadState;
  /** Why making them has failed. */
  readonly problem: string | null;
  /** None unless they are made. */
  readonly files: readonly (DownloadDescription & { readonly table: string | null; readonly rows: number | null })[];
}

/** Downloads that are not there. */
export interface MissingDownloads {
  readonly state: Exclude<DownloadState, "made">;
  /** Why making them has failed. */
  readonly problem: string | null;
  /** Seconds after which it is worth asking again. */
  readonly retryAfterSeconds: number;
}

/** A file that is open, until it is closed. */
export interface OpenDownload extends DownloadDescription {
  /** When its snapshot was published, RFC 3339 in UTC. */
  readonly published_at: string;
  /** Bytes from a position on, at least one, at most `length`. @throws {Error} where the file has ended too soon. */
  read(position: number, length: number): Promise<Buffer>;
  close(): Promise<void>;
}

export interface Downloads {
  /**
   * Those of all kept snapshots, newest first.
   *
   * @param served The served snapshot; where it has no downloads, making them begins.
   */
  list(served: string): Promise<readonly SnapshotDownloads[]>;
  /**
   * Opens a file. Where the kept snapshot has no downloads, making them begins.
   *
   * @returns Undefined when there is no such file.
   */
  open(snapshot: string, name: string): Promise<OpenDownload | MissingDownloads | undefined>;
}
