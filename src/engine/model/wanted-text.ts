/** Schemas in words: what each accepts, for messages. */
import { advice, type Keywords, wanted } from "./json-schema.ts";
import { searchTextFormat, textFormats } from "./text-formats.ts";

/** The values that a schema accepts, ready to follow "expected". */
export function wantedBy(schema: Keywords): string {
  const { type, enum: texts, minimum, maximum, minItems, maxItems, [advice]: hint = "", [wanted]: words } = schema;
  if (words !== undefined) return words;
  if (texts !== undefined) {
    const listed = texts.map((text) => (text?.includes(",") ? JSON.stringify(text) : text));
    return `one of ${listed.join(", ")}${hint}`;
  }
  switch (type) {
    case "string":
      return wantedText(schema);
    case "integer":
      return maximum === Number.MAX_SAFE_INTEGER
        ? `an integer of at least ${minimum}`
        : `an integer from ${minimum} to ${maximum}${hint}`;
    case "array":
      return `a list of ${minItems} to ${maxItems} items`;
    case "boolean":
      return "true or false";
    default:
      return type === undefined ? "a value" : `a ${type}`;
  }
}

function wantedText({ format = "", maxLength }: Keywords): string {
  const words = textFormats[format]?.wanted;
  if (words !== undefined) return words;
  const blanks = "not only blanks or accents";
  const unsearchable = "not only blanks, accents, apostrophes or invisible characters";
  return `a text of 1 to ${maxLength} whole characters, ${format === searchTextFormat ? unsearchable : blanks}`;
}
