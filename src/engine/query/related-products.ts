/** Finds the products that a reader of one product may look for under another name. */
import { foldText } from "../model/folded-text.ts";
import type { ProductRecord } from "../model/records.ts";
import { recordAt } from "../store/catalogue.ts";
import { rowsOf } from "../store/columns.ts";
import type { Store } from "../store/store.ts";

/** A product with prices beside another one. */
export interface RelatedProduct {
  readonly product: ProductRecord;
  /** Rows of its oldest and its newest price. */
  readonly oldestRow: number;
  readonly newestRow: number;
  /** Number of its prices. */
  readonly count: number;
  /** True if the data says that it continues the other one, or that the other one continues it. */
  readonly continues: boolean;
  readonly isContinued: boolean;
}

/**
 * The products with prices that the continuations of the snapshot name with this one, and those of its category whose
 * name has the same noun; those with newer prices first. Cost: a read of every product and continuation.
 */
export function relatedProducts({ catalogue, prices, rowsByProduct }: Store, code: number): RelatedProduct[] {
  const own = recordAt(catalogue.products, code);
  const noun = nounOf(own.name);
  const category = foldText(own.category);
  const continuing = new Set(
    catalogue.continuations.filter((each) => each.continuesUuid === own.uuid).map((each) => each.productUuid),
  );
  const continued = new Set(
    catalogue.continuations.filter((each) => each.productUuid === own.uuid).map((each) => each.continuesUuid),
  );
  return [...catalogue.products.entries()]
    .flatMap(([other, { record: product }]): RelatedProduct[] => {
      const [continues, isContinued] = [continuing.has(product.uuid), continued.has(product.uuid)];
      const isAlike = noun !== "" && foldText(product.category) === category && nounOf(product.name) === noun;
      const rows = rowsOf(rowsByProduct, other);
      const [newestRow, oldestRow] = [rows[0], rows.at(-1)];
      const isRelated = other !== code && (isAlike || continues || isContinued);
      if (!isRelated || newestRow === undefined || oldestRow === undefined) return [];
      return [{ product, oldestRow, newestRow, count: rows.length, continues, isContinued }];
    })
    .sort((a, b) => prices.recordedAt[b.newestRow]! - prices.recordedAt[a.newestRow]!);
}

/**
 * The noun of a name in English, folded and in the singular: the last word before a bracket or a comma, so that
 * `Sweet potatoes` is a potato, and `Maize flour` is flour and no maize.
 */
export function nounOf(name: string): string {
  const [before = ""] = foldText(name).split(/[(,]/);
  const word =
    before
      .trim()
      .split(/[\s-]+/)
      .at(-1) ?? "";
  return word.replace(/(?<=o)es$|(?<!s)s$/, "");
}
