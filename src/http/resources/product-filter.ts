/** The products of a question for several: one, some, or all of them. */
import type { Uuid } from "../../domain/ids.ts";
import type { FieldProblem } from "../errors.ts";
import * as s from "../input/schema.ts";

export const productFilter = {
  product_uuid: s.optional(s.uuidText("Product.")),
  product_uuids: s.optional(s.listOf(s.uuidText("A product."), "Any of these products, in place of product_uuid.")),
};

interface ProductFields {
  readonly product_uuid?: string;
  readonly product_uuids?: readonly string[];
}

/** What is wrong with the fields although each is right: both are given. */
export function productProblems({ product_uuid: one, product_uuids: several }: ProductFields): FieldProblem[] {
  if (one === undefined || several === undefined) return [];
  const message = "product_uuids is given beside product_uuid, expected one of them.";
  return [{ field: "product_uuids", message, received: several }];
}

/** Undefined where all products are meant. */
export function productUuidsOf({ product_uuid: one, product_uuids: several }: ProductFields): Uuid[] | undefined {
  const uuids = several ?? (one === undefined ? undefined : [one]);
  return uuids?.map((uuid) => uuid.toLowerCase() as Uuid);
}
