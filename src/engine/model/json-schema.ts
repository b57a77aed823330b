/**
 * The schema language: JSON Schemas that are types as well, `ValueOf<typeof schema>`. `check-value.ts` checks values
 * against them and says what they accept. `record-schema.ts` describes files in it, and `contract/schema.ts` requests
 * and answers.
 *
 * Keywords that no standard has are symbols, so that no other reader of a schema sees them.
 */

/** The text that follows "expected" in a message, where it does not follow from the other keywords. */
export const wanted: unique symbol = Symbol("wanted");

/** Advice for a sender of something else; it follows the expected values. */
export const advice: unique symbol = Symbol("advice");

/** True for a text that is accepted in any case, and read as the schema has it. */
export const anyCase: unique symbol = Symbol("any case");

/** The unit of a number; the OpenAPI document has it as `x-unit`. */
export const unit: unique symbol = Symbol("unit");

/** Unit of numbers that only identify something. */
export const noUnit = "none";

/** The name of a schema, which the OpenAPI document has as a component. */
export const component: unique symbol = Symbol("component");

/** One of the lengths of text-lengths.ts. */
export const lengthMax: unique symbol = Symbol("length max");

const isOptional: unique symbol = Symbol("optional");

/** The keywords that a schema may have. */
export interface Keywords {
  /** Two where a value may be null. */
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly (string | null)[];
  readonly format?: string;
  readonly pattern?: string;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly items?: Keywords;
  readonly anyOf?: readonly Keywords[];
  readonly properties?: Readonly<Record<string, Keywords>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Keywords;
  /** Greatest depth of free-form objects. */
  readonly nestingMax?: number;
  /** For readers of the documentation. */
  readonly description?: string;
  readonly [wanted]?: string;
  readonly [advice]?: string;
  readonly [anyCase]?: boolean;
  readonly [unit]?: string;
  readonly [component]?: { readonly name: string; readonly schema: Keywords };
  readonly [lengthMax]?: number;
  readonly [isOptional]?: boolean;
}

declare const valueType: unique symbol;

/** A schema. @typeParam T The type of a value that fits; of a record in files, the type that it has in memory. */
export interface Schema<T = unknown> extends Keywords {
  readonly [valueType]?: T;
}

/** The type of a value that fits a schema. */
export type ValueOf<Described> = Described extends Schema<infer T> ? T : never;

/** Schemas of fields, by name. */
export type Fields = Readonly<Record<string, Schema>>;

/** A field that may be absent. */
export type Optional<Described extends Schema> = Described & { readonly [isOptional]: true };

type NameOfOptional<Described, Name> = Described extends { readonly [isOptional]: true } ? Name : never;

/** The type of an object with these fields. */
type ObjectOf<Described> = {
  [Name in keyof Described as Exclude<Name, NameOfOptional<Described[Name], Name>>]: ValueOf<Described[Name]>;
} & {
  [Name in keyof Described as NameOfOptional<Described[Name], Name>]?: ValueOf<Described[Name]>;
};

export interface ObjectSchema<Described extends Fields = Fields> extends Schema<ObjectOf<Described>> {
  readonly properties: Described;
}

interface ScalarTypes {
  readonly boolean: boolean;
  readonly integer: number;
  readonly number: number;
  readonly string: string;
}

export function scalar<Type extends keyof ScalarTypes>(type: Type, keywords?: Keywords): Schema<ScalarTypes[Type]> {
  return { type, ...keywords };
}

/** One of a closed list of texts. */
export function enumOf<const Text extends string>(texts: readonly Text[], keywords?: Keywords): Schema<Text> {
  return { enum: [...texts], type: "string", ...keywords };
}

export function arrayOf<Item extends Schema>(items: Item, keywords?: Keywords): Schema<ValueOf<Item>[]> {
  return { type: "array", items, ...keywords };
}

/** An object with these fields, all of them required but the optional ones. */
export function objectOf<Described extends Fields>(fields: Described, keywords?: Keywords): ObjectSchema<Described> {
  const required = Object.keys(fields).filter((name) => fields[name]?.[isOptional] !== true);
  return { type: "object", ...(required.length === 0 ? {} : { required }), ...keywords, properties: fields };
}

/** A schema of a field that may be absent. */
export function optional<Described extends Schema>(schema: Described): Optional<Described> {
  return { ...schema, [isOptional]: true };
}

/** A schema that accepts null as well. @param schema With a type. */
export function orNull<T>(schema: Schema<T>): Schema<T | null> {
  const { type = [], enum: texts } = schema;
  return { ...schema, type: [type, "null"].flat(), ...(texts === undefined ? {} : { enum: [...texts, null] }) };
}
