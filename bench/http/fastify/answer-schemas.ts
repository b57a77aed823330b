/**
 * The answers as Fastify serializes them (fast-json-stringify), written for speed: a plain type or null wherever that
 * says enough, for a choice of schemas would be tried one after the other on every value.
 */

const text = { type: "string" };
const texts = { type: "array", items: text };
const number = { type: "number" };
const integer = { type: "integer" };
const boolean = { type: "boolean" };
const nullableText = { type: "string", nullable: true };

const object = (properties: object): object => ({ type: "object", properties });
const list = (items: object): object => ({ type: "array", items });

const reference = { uuid: text, name: text };

const price = {
  uuid: text,
  price: number,
  unit: text,
  currency: text,
  recorded_at: text,
  source: text,
  quality_grade: nullableText,
};

const pageMeta = object({ page: integer, page_size: integer, total: integer, total_pages: integer });

export const priceSchema: object = object({
  data: object({
    ...price,
    product: object({ ...reference, category: text, description: text }),
    market: object({ ...reference, type: text, county: text, sub_county: nullableText }),
    notes: nullableText,
    created_at: text,
    updated_at: text,
  }),
});

export const productsSchema: object = object({
  data: list(
    object({
      ...reference,
      category: text,
      sub_category: nullableText,
      description: text,
      common_units: texts,
      is_active: boolean,
      created_at: text,
      updated_at: text,
    }),
  ),
  meta: pageMeta,
});

export const latestSchema: object = object({
  data: list(
    object({
      product: object(reference),
      prices: list(object({ uuid: text, market: object(reference), price: number, unit: text, recorded_at: text })),
    }),
  ),
});

export const searchSchema: object = object({
  data: list(
    object({
      ...price,
      product: object({ ...reference, category: text }),
      market: object({ ...reference, type: text }),
      county: { ...object({ id: integer, name: text }), nullable: true },
    }),
  ),
  meta: pageMeta,
});

/** By time; a market or county of a group is left out, for the race does not ask for them. */
export const statisticsSchema: object = object({
  data: object({
    product: object({ ...reference, unit: text }),
    period: object({ start_date: text, end_date: text }),
    statistics: list(
      object({
        period: text,
        average_price: number,
        min_price: number,
        max_price: number,
        median_price: number,
        sample_count: integer,
        std_deviation: number,
      }),
    ),
    overall: object({ average_price: number, min_price: number, max_price: number, total_samples: integer }),
  }),
  meta: object({
    converted_samples: integer,
    excluded_samples: integer,
    currency: nullableText,
    time_zone: text,
    snapshot: text,
  }),
});
