/** The JSON Schema of `manifest.json`, and what passes it. */
import {
  instant,
  integer,
  list,
  nullable,
  nullableText,
  nullableTexts,
  object,
  oneOf,
  type Schema,
  text,
} from "./schema.ts";
import { idHashDigits, type RecordKind, recordKinds, snapshotIdPattern } from "./snapshot-layout.ts";

/** `manifest.json` as it stands in a snapshot. */
export interface WireManifest {
  readonly format: number;
  readonly id: string;
  readonly created_at: string;
  readonly time_zone: string;
  readonly parent?: string | null;
  readonly note?: string | null;
  readonly attribution?: readonly string[] | null;
  readonly files: readonly WireManifestFile[];
}

export interface WireManifestFile {
  readonly name: string;
  readonly kind: RecordKind;
  readonly bytes: number;
  readonly rows: number;
  readonly sha256: string;
  readonly sequence?: number | null;
  readonly replaces?: number | null;
}

/** `manifest.json` beside record files that are not published yet. */
export interface WireManifestDraft {
  readonly time_zone?: string | null;
  readonly note?: string | null;
  readonly attribution?: readonly string[] | null;
}

/** The only version of the format there is. */
export const formatVersion = 1;

const count = integer(0, Number.MAX_SAFE_INTEGER);
const snapshotId: Schema = {
  type: "string",
  pattern: snapshotIdPattern,
  description: `a snapshot id (YYYYMMDDThhmmssZ-, then ${idHashDigits} hex digits)`,
};

export const manifestSchema: Schema = object<WireManifest>({
  format: { const: formatVersion, description: String(formatVersion) },
  id: snapshotId,
  created_at: instant,
  time_zone: text,
  parent: nullable(snapshotId),
  note: nullableText,
  attribution: nullableTexts,
  files: list(
    object<WireManifestFile>({
      name: text,
      kind: oneOf(recordKinds),
      bytes: count,
      rows: count,
      sha256: { type: "string", pattern: "^[0-9a-f]{64}$", description: "64 hex digits in lower case" },
      sequence: nullable(integer(1, Number.MAX_SAFE_INTEGER)),
      replaces: nullable(count),
    }),
  ),
});

export const manifestDraftSchema: Schema = object<WireManifestDraft>({
  time_zone: nullableText,
  note: nullableText,
  attribution: nullableTexts,
});
