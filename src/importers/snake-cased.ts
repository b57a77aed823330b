import { snakeCase } from "../domain/snake-case.ts";

/** A value whose keys are camelCase → the same with keys in snake_case, at every depth. */
export function snakeCased(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(snakeCased);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [snakeCase(key), snakeCased(part)]));
}
