/** Raw input of a request → values that the endpoint's schemas accept, or an ApiError that names each bad field. */
import { Ajv, type ValidateFunction } from "ajv";
import type { TObject } from "typebox";
import { dayFromText } from "../domain/calendar-day.ts";
import { foldText } from "../domain/folded-text.ts";
import { toUuid } from "../domain/ids.ts";
import type { Endpoint } from "./endpoint.ts";
import { ApiError, type FieldProblem, validationError } from "./errors.ts";
import { fieldProblems } from "./field-problem.ts";
import { matchTextFormat } from "./input.ts";
import { bodyProblems, parseJsonBody, type RawBody } from "./json-body.ts";
import { detailsMax } from "./limits.ts";
import { parsePathParams, parseQuery } from "./text-parameters.ts";

/** What comes with a request, untouched. */
export interface RawInput {
  /** Decoded segments of the path. */
  readonly params: Readonly<Record<string, string>>;
  /** What stands behind the question mark. */
  readonly queryText: string;
  readonly body: RawBody;
}

export interface AcceptedInput {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

/** Reads raw input; throws an ApiError when it is refused. */
export type InputReader = (raw: RawInput) => AcceptedInput;

const ajv = new Ajv({ allErrors: true, verbose: true, strictTypes: false });
ajv.addFormat("uuid", (text: string) => toUuid(text) !== undefined);
ajv.addFormat("date", (text: string) => dayFromText(text) !== undefined);
// A text of blanks or accents alone would match everything, and half a surrogate pair nothing.
ajv.addFormat(matchTextFormat, (text: string) => text.isWellFormed() && foldText(text).trim() !== "");

/**
 * The reader of one endpoint's input; its schemas are compiled when first used. It checks in this order: path, query, media type, JSON, the body's
 * fields, fields together.
 *
 * Codes of what the reader throws: INVALID_UUID, VALIDATION_ERROR, UNSUPPORTED_MEDIA_TYPE, MALFORMED_JSON.
 */
export function createInputReader(endpoint: Endpoint): InputReader {
  const paramProblems = problemFinder(endpoint.params.schema);
  const queryProblems = problemFinder(endpoint.query.schema);
  const fieldsProblems = problemFinder(endpoint.body.schema);
  return (raw) => {
    const params = parsePathParams(raw.params, endpoint.params.schema);
    refuseParams(paramProblems(params));
    const { values: query, problems } = parseQuery(raw.queryText, endpoint.query.schema);
    refuse(problems.length > 0 ? problems : queryProblems(query));
    if (endpoint.method === "GET") refuse(bodyProblems(raw.body));
    const body = endpoint.method === "GET" ? {} : parseJsonBody(raw.body);
    refuse(fieldsProblems(body));
    refuse(endpoint.check?.({ query, body }) ?? []);
    return { params, query, body };
  };
}

/** What a schema finds wrong. Compiling all schemas would take longer than a start should. */
function problemFinder(schema: TObject): (value: unknown) => FieldProblem[] {
  let validate: ValidateFunction | undefined;
  return (value) => {
    validate ??= ajv.compile(schema);
    return validate(value) ? [] : fieldProblems(validate.errors ?? [], schema);
  };
}

function refuse(problems: readonly FieldProblem[]): void {
  if (problems.length > 0) throw validationError(problems.slice(0, detailsMax));
}

function refuseParams(problems: readonly FieldProblem[]): void {
  const uuidProblem = problems.find(({ field }) => field === "uuid");
  if (uuidProblem !== undefined) throw new ApiError("INVALID_UUID", uuidProblem.message, { details: problems });
  refuse(problems);
}
