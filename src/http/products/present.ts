import { instantText } from "../../domain/instant.ts";
import type { ProductRecord } from "../../domain/records.ts";
import type { ProductCategory } from "../../query/find-products.ts";

/** A product found by search: the list form without its time stamps. */
export function presentFoundProduct(product: ProductRecord): object {
  return {
    uuid: product.uuid,
    name: product.name,
    category: product.category,
    sub_category: product.subCategory,
    description: product.description,
    common_units: product.commonUnits,
    is_active: product.isActive,
  };
}

/** A product in the list. */
export function presentListedProduct(product: ProductRecord): object {
  return { ...presentFoundProduct(product), ...presentTimestamps(product) };
}

/** A product by itself. */
export function presentProductDetail(product: ProductRecord): object {
  return {
    ...presentFoundProduct(product),
    alternative_names: product.alternativeNames,
    season: product.season,
    storage_requirements: product.storageRequirements,
    metadata: product.metadata,
    ...presentTimestamps(product),
  };
}

/** A product category as answered. */
export function presentProductCategory({ name, productCount, subCategories }: ProductCategory): object {
  return {
    name,
    product_count: productCount,
    sub_categories: subCategories.map((sub) => ({ name: sub.name, product_count: sub.productCount })),
  };
}

function presentTimestamps({ createdAt, updatedAt }: ProductRecord): object {
  return { created_at: instantText(createdAt), updated_at: instantText(updatedAt) };
}
