/** The pieces that answer schemas are put together from. Every documented field is required; what is unknown is null. */
import type { TObject, TProperties, TSchema } from "typebox";
import { closed } from "./input.ts";
import { Type } from "./schema-type.ts";

/** An object with exactly these fields. */
export function exactly<Fields extends TProperties>(fields: Fields): TObject<Fields> {
  return Type.Object(fields, closed);
}

export function nullable(schema: TSchema): TSchema {
  return Type.Union([schema, Type.Null()]);
}

export const text: TSchema = Type.String();
export const nullableText: TSchema = nullable(text);
export const texts: TSchema = Type.Array(text);
export const number: TSchema = Type.Number();
export const integer: TSchema = Type.Integer();
export const boolean: TSchema = Type.Boolean();
export const uuid: TSchema = Type.String({ format: "uuid" });
export const instant: TSchema = Type.String({ format: "date-time" });
export const day: TSchema = Type.String({ format: "date" });

/** `{ data: [item] }` */
export function listAnswer(item: TSchema): TSchema {
  return exactly({ data: Type.Array(item) });
}

/** `{ data: item }` */
export function oneAnswer(item: TSchema): TSchema {
  return exactly({ data: item });
}

/** `{ data: [item], meta: { page, page_size, total, total_pages } }` */
export function pageAnswer(item: TSchema): TSchema {
  return exactly({
    data: Type.Array(item),
    meta: exactly({ page: integer, page_size: integer, total: integer, total_pages: integer }),
  });
}
