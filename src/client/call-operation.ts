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
  const { method, path: template } = operationTable[id];
  const { path, rest } = fillPath(template, fields);
  return method === "GET"
    ? { method, target: path + queryText(rest), body: "", headers: {} }
    : { method, target: path, body: JSON.stringify(rest), headers: {} };
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

/** @returns With its question mark; empty without fields. Lists are given with commas. */
export function queryText(fields: FieldValues): string {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return text === "" ? "" : `?${text}`;
}
