/** The files that hold the whole of a snapshot, as answers describe them and as the process around the app has them. */
import type { ValueOf } from "../engine/model/json-schema.ts";
import * as s from "./schema.ts";

const fileAnswer = s.object("DownloadFile", "A file that holds the whole of a table.", {
  name: s.text("Name of the file."),
  media_type: s.text("Media type of the file."),
  table: s.nullableText("Table whose rows it holds; null for the description of the other files."),
  rows: s.nullable(s.integer("Rows in it; null for the description of the other files.", "rows")),
  bytes: s.integer("Length of the file.", "bytes"),
  sha256: s.text("SHA-256 of the file, in hexadecimal; also its ETag."),
});

export const downloadsAnswer = s.object("Downloads", "The files of a snapshot.", {
  snapshot: s.text("Identifier of the snapshot."),
  published_at: s.instant("When it was published, in UTC."),
  note: s.nullableText("What the publisher says of it."),
  state: s.oneOf(
    ["made", "being_made", "not_made"],
    "Whether its files are there. Where they are not, a request for one of them begins to make them; a request " +
      "for this list begins with those of the served snapshot.",
  ),
  problem: s.nullableText("Why making them has failed; null where it has not."),
  files: s.list(fileAnswer, "Its files; none unless they are made."),
});

/** The downloads of a snapshot. */
export type SnapshotDownloads = ValueOf<typeof downloadsAnswer>;

/** Downloads that are not there. */
export interface MissingDownloads {
  readonly state: Exclude<SnapshotDownloads["state"], "made">;
  /** Why making them has failed. */
  readonly problem: string | null;
  /** Seconds after which it is worth asking again. */
  readonly retryAfterSeconds: number;
}

/** A file that is open, until it is closed. */
export interface OpenDownload extends Pick<ValueOf<typeof fileAnswer>, "name" | "media_type" | "bytes" | "sha256"> {
  /** The time at which its snapshot was published, RFC 3339 in UTC. */
  readonly published_at: string;
  /** Bytes from a position on, at least one, at most `length`. @throws {Error} where the file has ended too soon. */
  read(position: number, length: number): Promise<Buffer>;
  close(): Promise<void>;
}

export interface Downloads {
  /**
   * The downloads of the newest stored snapshots, newest first, and of the served one.
   *
   * @param served The served snapshot; where it has no downloads, making them begins.
   */
  list(served: string): Promise<readonly SnapshotDownloads[]>;
  /**
   * Opens a file. Making them begins where the stored snapshot has none.
   *
   * @returns Undefined when there is no such file.
   */
  open(snapshot: string, name: string): Promise<OpenDownload | MissingDownloads | undefined>;
}
