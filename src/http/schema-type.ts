/**
 * JSON Schemas that carry the types of TypeBox but not its code: that is hundreds of files, which took longer to load than
 * all of ours, for the few constructors below. Each makes what the constructor of the same name makes there.
 */
import type {
  TArray,
  TBoolean,
  TEnum,
  TInteger,
  TNull,
  TNumber,
  TObject,
  TOptional,
  TProperties,
  TSchema,
  TString,
  TUnion,
} from "typebox";

/** Further keywords of a schema. */
interface SchemaOptions {
  readonly description?: string;
  readonly default?: unknown;
}

interface TextOptions extends SchemaOptions {
  readonly format?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
}

interface NumberOptions extends SchemaOptions {
  readonly minimum?: number;
  readonly maximum?: number;
}

interface ListOptions extends SchemaOptions {
  readonly minItems?: number;
  readonly maxItems?: number;
}

interface ObjectOptions extends SchemaOptions {
  readonly additionalProperties?: boolean;
}

/** Schemas of fields that may be absent. */
const optionalSchemas = new WeakSet<object>();

export const Type = {
  Null(): TNull {
    return { type: "null" } as TNull;
  },

  Boolean(options: SchemaOptions = {}): TBoolean {
    return { type: "boolean", ...options } as TBoolean;
  },

  Integer(options: NumberOptions = {}): TInteger {
    return { type: "integer", ...options } as TInteger;
  },

  Number(options: NumberOptions = {}): TNumber {
    return { type: "number", ...options } as TNumber;
  },

  String(options: TextOptions = {}): TString {
    return { type: "string", ...options } as TString;
  },

  Enum<Value extends string>(values: readonly Value[], options: SchemaOptions = {}): TEnum<Value[]> {
    return { enum: [...values], ...options } as TEnum<Value[]>;
  },

  Array<Item extends TSchema>(items: Item, options: ListOptions = {}): TArray<Item> {
    return { type: "array", items, ...options } as TArray<Item>;
  },

  Union<Schemas extends TSchema[]>(anyOf: [...Schemas]): TUnion<Schemas> {
    return { anyOf } as unknown as TUnion<Schemas>;
  },

  /** A field of an object that may be absent. */
  Optional<Schema extends TSchema>(schema: Schema): TOptional<Schema> {
    const optional = { ...schema } as TOptional<Schema>;
    optionalSchemas.add(optional);
    return optional;
  },

  Object<Fields extends TProperties>(properties: Fields, options: ObjectOptions = {}): TObject<Fields> {
    const required = Object.keys(properties).filter((name) => !optionalSchemas.has(properties[name] as object));
    return {
      type: "object",
      ...(required.length === 0 ? {} : { required }),
      properties,
      ...options,
    } as unknown as TObject<Fields>;
  },
};
