import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import { manifestDraftSchema, manifestSchema, type WireManifest, type WireManifestDraft } from "./manifest-schemas.ts";
import { type Fault, foundText } from "./problem.ts";
import { recentInstant } from "./recent-instant.ts";
import { recordSchemas } from "./record-schemas.ts";
import type { UncheckedRecord } from "./record-texts.ts";
import type { Schema } from "./schema.ts";
import type { WireRecords } from "./wire-records.ts";

/** What can be checked, and what it is once it has passed. */
export interface CheckedTypes extends WireRecords {
  readonly manifest: WireManifest;
  readonly "manifest-draft": WireManifestDraft;
}

/** A checked record, or what is wrong with its fields: at least one fault. */
export type CheckedRecord<T> =
  | { readonly record: T; readonly faults?: never }
  | { readonly record?: never; readonly faults: readonly Fault[] };

const schemas: Readonly<Record<keyof CheckedTypes, Schema>> = {
  ...recordSchemas,
  manifest: manifestSchema,
  "manifest-draft": manifestDraftSchema,
};

const validators = new Map<keyof CheckedTypes, ValidateFunction>();
let ajv: Ajv | undefined;

/**
 * Checks one record by itself: fields, types, forms and ranges.
 *
 * Cost: the first record of a kind compiles its schema, some milliseconds.
 */
export function checkRecord<Kind extends keyof CheckedTypes>(
  kind: Kind,
  value: UncheckedRecord,
): CheckedRecord<CheckedTypes[Kind]> {
  const validate = validatorOf(kind);
  if (validate(value)) return { record: value as CheckedTypes[Kind] };
  return { faults: (validate.errors ?? []).map(toFault) };
}

function validatorOf(kind: keyof CheckedTypes): ValidateFunction {
  let validate = validators.get(kind);
  if (validate === undefined) {
    ajv ??= createAjv();
    validate = ajv.compile(schemas[kind]);
    validators.set(kind, validate);
  }
  return validate;
}

function createAjv(): Ajv {
  // The schemas are ours and tested, so that checking them against the meta-schema at every start is left out.
  const made = new Ajv({ allErrors: true, verbose: true, strict: true, validateSchema: false, meta: false });
  made.addFormat("text", (text: string) => text !== "" && text.trim() === text);
  made.addFormat("instant", (text: string) => recentInstant(text) !== undefined);
  made.addKeyword({
    keyword: "nestingMax",
    type: "object",
    schemaType: "number",
    validate: (levels: number, value: object) => nestsAtMost(levels, value),
  });
  return made;
}

function nestsAtMost(levels: number, value: unknown): boolean {
  if (typeof value !== "object" || value === null) return true;
  return levels > 0 && Object.values(value).every((member) => nestsAtMost(levels - 1, member));
}

function toFault(error: ErrorObject): Fault {
  const path = fieldPath(error.instancePath);
  switch (error.keyword) {
    case "required": {
      const name = String(error.params["missingProperty"]);
      const properties = (error.parentSchema?.["properties"] ?? {}) as Readonly<Record<string, Schema>>;
      const wanted = properties[name]?.description ?? "a value";
      return { kind: "missing-field", field: joinPath(path, name), found: "missing", wanted };
    }
    case "additionalProperties": {
      const name = String(error.params["additionalProperty"]);
      return {
        kind: "unknown-field",
        field: joinPath(path, name),
        found: "unknown",
        wanted: "only the fields of the format",
      };
    }
    default: {
      const wanted = String(error.parentSchema?.["description"] ?? error.message);
      return { kind: "value", field: path, found: foundText(error.data), wanted };
    }
  }
}

/** A JSON pointer as people write it: `/sub_counties/3/name` → `sub_counties[3].name`. */
function fieldPath(pointer: string): string {
  let path = "";
  for (const part of pointer.split("/").slice(1)) {
    path = /^\d+$/.test(part) ? `${path}[${part}]` : joinPath(path, part.replaceAll("~1", "/").replaceAll("~0", "~"));
  }
  return path;
}

function joinPath(path: string, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}
