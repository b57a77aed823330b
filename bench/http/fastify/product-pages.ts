import { instantText } from "../../../src/engine/model/calendar.ts";
import type { ProductRecord } from "../../../src/engine/model/records.ts";

export interface ProductsQuery {
  readonly page?: number;
  readonly page_size?: number;
  readonly category?: string;
  readonly search?: string;
}

/**
 * Pages of the catalogue from memory, presented once: few records that never change, so no peer asks its database for
 * them.
 *
 * @param products In the order of the answers.
 * @returns A page; it throws a RangeError for filters, which the race does not ask.
 */
export function productPages(products: readonly ProductRecord[]): (query: ProductsQuery) => object {
  const presented = products.map((product) => ({
    uuid: product.uuid,
    name: product.name,
    category: product.category,
    sub_category: product.subCategory,
    description: product.description,
    common_units: product.commonUnits,
    is_active: product.isActive,
    created_at: instantText(product.createdAt),
    updated_at: instantText(product.updatedAt),
  }));
  const total = presented.length;
  return ({ page = 1, page_size: pageSize = 20, category, search }) => {
    if ((category ?? search) !== undefined) throw new RangeError("the race asks for whole pages of products");
    return {
      data: presented.slice((page - 1) * pageSize, page * pageSize),
      meta: { page, page_size: pageSize, total, total_pages: Math.ceil(total / pageSize) },
    };
  };
}
