/** Texts of an address → values that a schema accepts, or a problem for each bad field. */

import { createChecker } from "../engine/model/check-value.ts";
import { anyCase, type Fields, type Keywords, type ObjectSchema, type ValueOf } from "../engine/model/json-schema.ts";
import { excerptOf, type FieldProblem } from "./errors.ts";
import { excessProblem, fieldProblems } from "./field-problem.ts";
import { type SentTexts, sentInQuery } from "./sent-number.ts";

/**
 * Values by name, with nothing inherited: a parameter called `__proto__` is a parameter like any other. What
 * `Object.create(null)` makes is a hash table to V8, which is read and checked in twice the time.
 */
export class Values {
  [name: string]: unknown;
}
Reflect.deleteProperty(Values.prototype, "constructor");
Object.setPrototypeOf(Values.prototype, null);

/** A query string as values. */
export interface ReadQuery<Query> {
  /** It has the type of the schema where there are no problems. */
  readonly values: Query;
  readonly problems: readonly FieldProblem[];
}

/**
 * The reader of query strings by a schema, whose problems name the parameter, what was found and what was expected.
 *
 * A list may be given with commas, repeated, or both; any other parameter at most once.
 */
export function createQueryReader<Described extends Fields>(
  schema: ObjectSchema<Described>,
): (queryText: string) => ReadQuery<ValueOf<ObjectSchema<Described>>> {
  const parse = queryParser(schema);
  const findProblems = createFieldChecker(schema, sentInQuery);
  return (queryText) => {
    const { values, problems } = parse(queryText);
    return {
      values: values as ValueOf<ObjectSchema<Described>>,
      problems: findProblems(values, queryText, problems),
    };
  };
}

const noProblems: readonly FieldProblem[] = [];

/**
 * Finds what a schema forbids of an object, beside what was found before.
 *
 * @param sentIn Reads the texts that the object was made from, where a problem has to repeat one.
 */
export function createFieldChecker<Source>(
  schema: ObjectSchema,
  sentIn: (source: Source) => SentTexts,
): (value: object, source: Source, before?: readonly FieldProblem[]) => readonly FieldProblem[] {
  const check = createChecker(schema);
  const lists = Object.entries<Keywords>(schema.properties).filter(([, { maxItems }]) => maxItems !== undefined);
  return (value, source, before = noProblems) => {
    const { checked, excess } = withoutExcess(value as Values, lists);
    const problems = excess.length === 0 ? before : [...excess, ...before];
    const found = check(checked);
    return found.length === 0 ? problems : fieldProblems(found, { problems, sentTexts: sentIn(source) });
  };
}

/**
 * An object without the lists that have more items than their schemas: to check each of their items would take
 * milliseconds.
 */
function withoutExcess(
  value: Values,
  lists: readonly (readonly [name: string, schema: Keywords])[],
): { readonly checked: Values; readonly excess: readonly FieldProblem[] } {
  let checked = value;
  let excess = noProblems;
  for (const [name, schema] of lists) {
    const list = value[name];
    if (!Array.isArray(list) || list.length <= Number(schema.maxItems)) continue;
    excess = [...excess, excessProblem(name, list, schema)];
    if (checked === value) checked = Object.assign(new Values(), value);
    Reflect.deleteProperty(checked, name);
  }
  return { checked, excess };
}

/** Reads the parameters of a path. A text that is not of the schema's type stays a text, for the schema to refuse. */
export function parsePathParams(params: Readonly<Record<string, string>>, schema: ObjectSchema): Values {
  const values = new Values();
  for (const [name, text] of Object.entries(params)) values[name] = parseValue(text, schema.properties[name]);
  return values;
}

/**
 * The parser of query strings. What the schema must refuse (unknown names, texts of another type) is passed on as text.
 *
 * @returns Gives the values, and at most one problem per known name that no schema can see: broken percent-encoding and
 *   repeated parameters. Names that cannot be read are problems too.
 */
export function queryParser(
  schema: ObjectSchema,
): (queryText: string) => { values: Values; problems: readonly FieldProblem[] } {
  // With the schema's own copy of each name. Under a part of the query string, V8 stores a value at several times the
  // cost.
  const fields = new Map(Object.entries<Keywords>(schema.properties).map(([name, field]) => [name, { name, field }]));
  return (queryText) => {
    const values = new Values();
    let problems: Map<string, FieldProblem> | undefined;
    const addProblem = (problem: FieldProblem): void => {
      problems ??= new Map();
      problems.set(problem.field, problem);
    };
    if (queryText === "") return { values, problems: noProblems };
    // Most queries are as they were.
    const decode = plainExpression.test(queryText) ? asSent : decodePercent;
    for (const piece of queryText.split("&")) {
      if (piece === "") continue;
      const equals = piece.indexOf("=");
      const sentName = decode(equals === -1 ? piece : piece.slice(0, equals));
      const text = decode(equals === -1 ? "" : piece.slice(equals + 1));
      const known = sentName === undefined ? undefined : fields.get(sentName);
      if (sentName !== undefined && known === undefined) {
        // For the schema to refuse: that it is unknown is all there is to say of it.
        values[sentName] ??= text ?? piece;
        continue;
      }
      if (known === undefined || text === undefined) {
        const received = excerptOf(piece);
        const message = `${received} is not UTF-8 in percent-encoding, expected it to be.`;
        addProblem({ field: excerptOf(sentName ?? piece), message, received });
        continue;
      }
      const { name, field } = known;
      if (field.type === "array") {
        const before = values[name] as unknown[] | undefined;
        const items = text.split(",").map((item) => parseValue(item, field.items));
        if (before === undefined) values[name] = items;
        else before.push(...items);
      } else if (name in values) {
        const message = `${name} is given more than once, expected it once.`;
        addProblem({ field: name, message, received: excerptOf(text) });
      } else {
        values[name] = parseValue(text, field);
      }
    }
    return { values, problems: problems === undefined ? noProblems : [...problems.values()] };
  };
}

const numberExpression = /^-?(?:0|[1-9]\d{0,15})(?:\.\d{1,15})?$/;
const integerExpression = /^-?(?:0|[1-9]\d{0,15})$/;

/** A text as a value of the type of a schema. A text of another type stays a text, for the schema to refuse. */
export function parseValue(text: string, { type, enum: texts, [anyCase]: isAnyCase }: Keywords = {}): unknown {
  if (isAnyCase === true) return texts?.find((one) => one?.toLowerCase() === text.toLowerCase()) ?? text;
  if (type === "integer" && integerExpression.test(text)) return Number(text);
  if (type === "number" && numberExpression.test(text)) return Number(text);
  if (type === "boolean" && (text === "true" || text === "false")) return text === "true";
  return text;
}

/** Matches what has nothing to decode: no `%`, no `+`, nothing outside of ASCII. */
const plainExpression = /^[\x20-\x24\x26-\x2a\x2c-\x7e]*$/;

function asSent(text: string): string {
  return text;
}

/** Percent-decoding as browsers write queries, `+` being a blank; undefined when it is broken. */
function decodePercent(text: string): string | undefined {
  if (plainExpression.test(text)) return text;
  // The parser passes bytes on as characters; those above 7f should have been percent-encoded.
  if (!/^[\x20-\x7e]*$/.test(text)) return undefined;
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return undefined;
  }
}
