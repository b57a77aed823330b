/** The list of downloads, and each of their files. */
import { type Endpoint, endpoint } from "../endpoint.ts";
import { ApiError, excerptOf } from "../errors.ts";
import { answerText } from "../json-text.ts";
import * as s from "../schema.ts";
import { FileAnswer } from "../write-file.ts";

const fileParams = s.exactly({
  snapshot: s.Type.String({ description: "Id of the snapshot." }),
  file: s.Type.String({ description: "Name of the file, as /downloads lists it." }),
});

const fileAnswer = s.exactly({
  name: s.text,
  media_type: s.text,
  table: s.nullableText,
  rows: s.nullable(s.integer),
  bytes: s.integer,
  sha256: s.text,
});

const downloadsAnswer = s.exactly({
  snapshot: s.text,
  published_at: s.instant,
  note: s.nullableText,
  files: s.list(fileAnswer),
});

/** Beside the store: downloads are made while a snapshot is served, and removed. */
const common = { method: "GET", access: "secret", followsExportAccess: true, isOfStore: false, isKept: false } as const;

export const downloadEndpoints: readonly Endpoint[] = [
  endpoint({
    ...common,
    path: "/downloads",
    summary: "Files that hold the whole of a snapshot, of every snapshot that has them",
    answer: s.listAnswer(downloadsAnswer),
    handle: async ({ downloads }) => answerText(JSON.stringify((await downloads?.list()) ?? [])),
  }),
  endpoint({
    ...common,
    path: "/downloads/:snapshot/:file",
    summary: "One of these files: Parquet, CSV or the description of all of them; Range is supported",
    params: fileParams,
    mediaType: "application/octet-stream",
    answer: s.Type.String({ description: "The bytes of the file, in its own media type." }),
    async handle({ downloads, params: { snapshot, file } }) {
      const found = await downloads?.open(snapshot, file);
      if (found !== undefined) return new FileAnswer(snapshot, found);
      throw new ApiError(
        "NOT_FOUND",
        `There is no download ${excerptOf(file)} of ${excerptOf(snapshot)}; /downloads lists them.`,
      );
    },
  }),
];
