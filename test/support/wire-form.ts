import { type Instant, instantText } from "../../src/engine/model/calendar.ts";

/** Fields that hold instants in memory and RFC 3339 times in files. */
const instantFields = new Set(["createdAt", "updatedAt"]);

/** A record of the domain as it stands in files: snake_case, instants as text. Free-form metadata stay as they are. */
export function wireForm(record: object): object {
  return Object.fromEntries(
    Object.entries(record).map(([field, value]) => {
      const name = field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
      if (instantFields.has(field)) return [name, instantText(value as Instant)];
      return [name, field === "metadata" ? value : wireValue(value)];
    }),
  );
}

function wireValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(wireValue);
  return typeof value === "object" && value !== null ? wireForm(value) : value;
}
