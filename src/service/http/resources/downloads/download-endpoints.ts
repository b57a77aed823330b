/** The list of downloads, and each of their files. */

import { jsonText } from "../../../../contract/byte-text.ts";
import { type Downloads, downloadsAnswer } from "../../../../contract/downloads.ts";
import { type DeclaredEndpoint, endpoint } from "../../../../contract/endpoint.ts";
import { ApiError, excerptOf, serviceUnavailable } from "../../../../contract/errors.ts";
import { FileAnswer } from "../../../../contract/reply-body.ts";
import * as s from "../../../../contract/schema.ts";
import { answerText } from "../../answer/json-text.ts";

const fileParams = s.exactly({
  snapshot: s.text("Id of the snapshot."),
  file: s.text("Name of the file, as /downloads lists it."),
});

export const downloadEndpoints: readonly DeclaredEndpoint[] = [
  endpoint({
    path: "/downloads",
    access: "exports",
    summary: "Files that hold the whole of a snapshot, of the snapshots that are kept",
    id: "listDownloads",
    task: "Files of whole snapshots",
    description:
      "The files of the newest 50 snapshots that are kept, and of the served one, with rows, bytes and SHA-256 of " +
      "each. Where those of the served snapshot are not there, this request begins to make them, and `state` says " +
      "so. See [downloads](/docs/exports#downloads).",
    form: { kind: "service" },
    answer: s.listAnswer(downloadsAnswer, "Snapshots that are kept, newest first: the newest 50, and the served one."),
    handle: async ({ store, downloads }) => answerText(jsonText(await downloads.list(store.snapshot.id))),
  }),
  endpoint({
    path: "/downloads/:snapshot/:file",
    access: "exports",
    summary: "One of these files: Parquet, CSV or the description of all of them; Range is supported",
    id: "downloadFile",
    task: "One of these files",
    description:
      "A file never changes: its ETag is its SHA-256, its Last-Modified is when the snapshot was published, and " +
      "Range asks for a part of it. `X-Snapshot-Id` of the answer names the snapshot of the file. Where the " +
      "files of the snapshot are not there, the first request begins to make them; until they are there the " +
      "answer is SERVICE_UNAVAILABLE with Retry-After.",
    example: { params: { file: "series.csv" } },
    errors: ["PRECONDITION_FAILED", "RANGE_NOT_SATISFIABLE"],
    form: {
      kind: "file",
      mediaTypes: ["application/vnd.apache.parquet", "application/gzip", "text/csv", "application/json"],
    },
    params: fileParams,
    answer: s.text("The bytes of the file, in its own media type."),
    handle: ({ downloads, params: { snapshot, file } }) => openFileAnswer(downloads, snapshot, file),
  }),
];

/**
 * Opens a file of the downloads as an answer. Where its snapshot has none, making them begins.
 *
 * @throws {ApiError} NOT_FOUND, or SERVICE_UNAVAILABLE while they are not made.
 */
export async function openFileAnswer(downloads: Downloads, snapshot: string, file: string): Promise<FileAnswer> {
  const found = await downloads.open(snapshot, file);
  if (found === undefined) {
    const message = `There is no download ${excerptOf(file)} of ${excerptOf(snapshot)}; /downloads lists them.`;
    throw new ApiError("NOT_FOUND", message);
  }
  if ("read" in found) return new FileAnswer(snapshot, found);
  const state = found.problem ?? "They are being made; try again after Retry-After seconds.";
  throw serviceUnavailable(`The downloads of ${snapshot} are not there. ${state}`, found.retryAfterSeconds);
}
