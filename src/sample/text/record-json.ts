/** Small records as JSON of the snapshot format (see data/README.md): the same fields, in snake_case. */
import { type Instant, instantText } from "../../domain/instant.ts";

/** Fields that hold instants, and those that are free-form and stay as they are. */
const instantFields = ["createdAt", "updatedAt"];
const freeFields = ["metadata"];

/** A record, or an array of them, as values that JSON can write. */
export function recordJson(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(recordJson);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([field, part]) => [
      field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      instantFields.includes(field)
        ? instantText(part as Instant)
        : freeFields.includes(field)
          ? part
          : recordJson(part),
    ]),
  );
}
