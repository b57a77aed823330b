/** Parameters that arrive as text, in the path or the query string, read strictly as the types their schema names. */
import type { TObject, TSchema } from "typebox";
import type { FieldProblem } from "./errors.ts";
import { excerptOf } from "./excerpt.ts";

/** Values by name, without a prototype: a parameter called `__proto__` is a parameter like any other. */
type Values = Record<string, unknown>;

/** Reads the parameters of a path. A text that is not of the schema's type stays a text, for the schema to refuse. */
export function parsePathParams(params: Readonly<Record<string, string>>, schema: TObject): Values {
  const values: Values = Object.create(null);
  for (const [name, text] of Object.entries(params)) values[name] = typed(text, schema.properties[name]);
  return values;
}

/**
 * Reads a query string.
 *
 * A list may be given with commas, repeated, or both; any other parameter at most once. What the schema must refuse
 * (unknown names, texts of another type) is passed on as text.
 *
 * @param queryText What stands behind the question mark; empty when there is none.
 * @returns The values, and at most one problem per name that no schema can see: broken percent-encoding and repeated
 * parameters.
 */
export function parseQuery(queryText: string, schema: TObject): { values: Values; problems: FieldProblem[] } {
  const values: Values = Object.create(null);
  const problems = new Map<string, FieldProblem>();
  for (const piece of queryText.split("&")) {
    if (piece === "") continue;
    const equals = piece.indexOf("=");
    const name = decode(equals === -1 ? piece : piece.slice(0, equals));
    const text = decode(equals === -1 ? "" : piece.slice(equals + 1));
    if (name === undefined || text === undefined) {
      const received = excerptOf(piece);
      const message = `${received} is not UTF-8 in percent-encoding, expected it to be.`;
      const field = excerptOf(name ?? piece);
      problems.set(field, { field, message, received });
    } else if (isList(schema.properties[name])) {
      values[name] = [...((values[name] as string[] | undefined) ?? []), ...text.split(",")];
    } else if (name in values) {
      const field = excerptOf(name);
      const message = `${field} is given more than once, expected it once.`;
      problems.set(field, { field, message, received: excerptOf(text) });
    } else {
      values[name] = typed(text, schema.properties[name]);
    }
  }
  return { values, problems: [...problems.values()] };
}

const integerExpression = /^-?(?:0|[1-9]\d{0,15})$/;

function typed(text: string, schema: TSchema | undefined): unknown {
  const type = typeOf(schema);
  if (type === "integer" && integerExpression.test(text)) return Number(text);
  if (type === "boolean" && (text === "true" || text === "false")) return text === "true";
  return text;
}

function isList(schema: TSchema | undefined): boolean {
  return typeOf(schema) === "array";
}

function typeOf(schema: TSchema | undefined): unknown {
  return schema === undefined ? undefined : (schema as { type?: unknown }).type;
}

/** Percent-decoding as browsers write queries, `+` being a blank; undefined when it is broken. */
function decode(text: string): string | undefined {
  // The parser hands bytes on as characters; those above 7f should have been percent-encoded.
  if (!/^[\x20-\x7e]*$/.test(text)) return undefined;
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return undefined;
  }
}
