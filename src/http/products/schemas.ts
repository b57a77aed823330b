import type { TSchema } from "typebox";
import { boolean, exactly, instant, integer, nullable, nullableText, text, texts, uuid } from "../answer-schema.ts";
import { closed, type InputSchema, inputSchema, listOf, matchText, pageNumber, pageSizeNumber } from "../input.ts";
import { Type } from "../schema-type.ts";

export interface ProductListQuery {
  page?: number;
  page_size?: number;
  category?: string;
  search?: string;
}

export const productListQuery: InputSchema<ProductListQuery> = inputSchema(
  Type.Object(
    {
      page: Type.Optional(pageNumber()),
      page_size: Type.Optional(pageSizeNumber()),
      category: Type.Optional(matchText("Category, matched exactly.")),
      search: Type.Optional(matchText("Part of the name or description, case and accents ignored.")),
    },
    closed,
  ),
);

export interface ProductSearchBody {
  query?: string;
  categories?: string[];
  sub_categories?: string[];
  is_active?: boolean;
}

export const productSearchBody: InputSchema<ProductSearchBody> = inputSchema(
  Type.Object(
    {
      query: Type.Optional(matchText("Part of the name or description, case and accents ignored.")),
      categories: Type.Optional(listOf(matchText("A category, matched exactly."), "Any of these categories.")),
      sub_categories: Type.Optional(
        listOf(matchText("A sub-category, matched exactly."), "Any of these sub-categories."),
      ),
      is_active: Type.Optional(
        Type.Boolean({ default: true, description: "Whether the product is currently tracked." }),
      ),
    },
    closed,
  ),
);

const productFields = {
  uuid,
  name: text,
  category: text,
  sub_category: nullableText,
  description: text,
  common_units: texts,
  is_active: boolean,
};

const timestamps = { created_at: instant, updated_at: instant };

export const productListAnswer: TSchema = exactly({ ...productFields, ...timestamps });

export const productSearchAnswer: TSchema = exactly({
  data: Type.Array(exactly(productFields)),
  meta: exactly({ total: integer }),
});

export const productDetailAnswer: TSchema = exactly({
  ...productFields,
  alternative_names: nullable(texts),
  season: nullableText,
  storage_requirements: nullableText,
  metadata: nullable(Type.Object({})),
  ...timestamps,
});

export const productCategoryAnswer: TSchema = exactly({
  name: text,
  product_count: integer,
  sub_categories: Type.Array(exactly({ name: text, product_count: integer })),
});
