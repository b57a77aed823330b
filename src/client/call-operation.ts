/**
 * Calls operations by their ids: fields become path, query or body; answers are parsed, and requested again by ETag.
 */
import { EtagCache, type KnownAnswer } from "./etag-cache.ts";
import { operationTable } from "./generated-api.ts";
import type { Answer, Fields, OperationId } from "./operation-types.ts";
import type { ApiRequest, CallOptions, Send } from "./send-request.ts";

/** Values of fields as they come, whatever the operation. */
export type FieldValues = Readonly<Record<string, unknown>>;

/** Calls an operation. @throws {ApiError} When the answer is no success. */
export type CallOperation = <Id extends OperationId>(
  id: Id,
  fields: Fields<Id>,
  options?: CallOptions,
) => Promise<Answer<Id>>;

/** @param cachedCharactersMax Characters of answers to GET that are kept for `If-None-Match`. */
export function operationCaller(send: Send, cachedCharactersMax: number): CallOperation {
  const cache = new EtagCache(cachedCharactersMax);
  return async <Id extends OperationId>(id: Id, fields: Fields<Id>, options: CallOptions = {}): Promise<Answer<Id>> => {
    const request = requestOf(id, fields as FieldValues);
    const known = request.method === "GET" ? cache.get(request.target) : undefined;
    const headers = known === undefined ? request.headers : { ...request.headers, "If-None-Match": known.etag };
    const response = await send({ ...request, headers }, options);
    if (response.status === 304 && known !== undefined) return parseAnswer<Id>(known);
    const answer = {
      etag: response.headers.get("ETag") ?? "",
      snapshot: response.headers.get("X-Snapshot-Id") ?? "",
      text: await response.text(),
    };
    if (request.method === "GET" && answer.etag !== "") cache.set(request.target, answer);
    return parseAnswer<Id>(answer);
  };
}

function parseAnswer<Id extends OperationId>({ text, snapshot }: KnownAnswer): Answer<Id> {
  return { ...(JSON.parse(text) as object), snapshot } as Answer<Id>;
}

function requestOf(id: OperationId, fields: FieldValues): ApiRequest {
  const { method, path: template, fields: known } = operationTable[id];
  checkFields(id, fields, known);
  const { path, rest } = fillPath(template, fields);
  return method === "GET"
    ? { method, target: path + queryText(rest), body: "", headers: {} }
    : { method, target: path, body: JSON.stringify(rest), headers: {} };
}

/**
 * Refuses fields that a method would not honour; a field that is undefined is not given.
 *
 * @param known The fields that it has.
 * @throws {TypeError} With the first one that it does not have.
 */
export function checkFields(method: string, fields: FieldValues, known: readonly string[]): void {
  const unknown = Object.keys(fields).find((name) => fields[name] !== undefined && !known.includes(name));
  if (unknown === undefined) return;
  const expected = known.length === 0 ? "no fields" : known.join(", ");
  throw new TypeError(`${method} has no field ${JSON.stringify(unknown)}, expected ${expected}.`);
}

/**
 * @returns The path, and the fields that do not occur in it.
 *
 * @throws {TypeError} When one of its fields has no value.
 */
export function fillPath(template: string, fields: FieldValues): { readonly path: string; readonly rest: FieldValues } {
  const rest = { ...fields };
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest[name];
    delete rest[name];
    if (value === undefined || value === "")
      throw new TypeError(`${name} is ${JSON.stringify(value)}, expected a value.`);
    return encodeURIComponent(String(value));
  });
  return { path, rest };
}

/**
 * @returns With its question mark; empty without fields. Lists are given with commas.
 *
 * @throws {TypeError} For a value that a query cannot have: null, an object, an entry of a list with a comma.
 */
export function queryText(fields: FieldValues): string {
  const present = Object.entries(fields).filter(([, value]) => value !== undefined);
  const text = new URLSearchParams(present.map(([name, value]) => [name, valueText(name, value)])).toString();
  return text === "" ? "" : `?${text}`;
}

function valueText(name: string, value: unknown): string {
  for (const each of Array.isArray(value) ? value : [value]) {
    const isPlain = ["string", "number", "boolean"].includes(typeof each);
    if (isPlain && !(Array.isArray(value) && String(each).includes(","))) continue;
    const wanted = Array.isArray(value) ? "a list of texts without commas, or numbers" : "a text, number or boolean";
    throw new TypeError(`${name} is ${JSON.stringify(value)}, expected ${wanted}.`);
  }
  return String(value);
}
