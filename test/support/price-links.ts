import { foundText, type ProblemList } from "../../src/dataset/problem.ts";
import { type Tables, unitNamesOf } from "../../src/dataset/read-tables.ts";
import { instantOf, uuidOf } from "../../src/dataset/translate-records.ts";
import type { WirePrice } from "../../src/dataset/wire-records.ts";
import { type Instant, instantText } from "../../src/domain/instant.ts";

/** What prices refer to, ready to be looked up: products and markets by uuid, units by name. */
export class PriceLinks {
  readonly #products: ReadonlyMap<string, number>;
  readonly #markets: ReadonlyMap<string, number>;
  readonly #units: ReadonlySet<string>;
  readonly #tables: Tables;
  readonly #recordedAtMax: Instant;
  readonly #problems: ProblemList;

  /**
   * @param tables References into a table with refused records are not judged.
   * @param recordedAtMax Last instant at which a price may be recorded (inclusive).
   * @param problems Receives every reference that does not resolve.
   */
  constructor(tables: Tables, recordedAtMax: Instant, problems: ProblemList) {
    this.#products = new Map(tables.products.records.map((product, position) => [product.uuid, position]));
    this.#markets = new Map(tables.markets.records.map((market, position) => [market.uuid, position]));
    this.#units = unitNamesOf(tables);
    this.#tables = tables;
    this.#recordedAtMax = recordedAtMax;
    this.#problems = problems;
  }

  /**
   * Looks up what a price refers to, and reports what does not resolve.
   *
   * @returns Positions of its product and its market; undefined when either is not there.
   */
  resolve(price: WirePrice, file: string, line: number): { product: number; market: number } | undefined {
    const product = this.#products.get(uuidOf(price.product_uuid));
    const market = this.#markets.get(uuidOf(price.market_uuid));
    if (product === undefined && this.#tables.products.isWhole) {
      this.#reportReference(file, line, "product_uuid", price.product_uuid, "product");
    }
    if (market === undefined && this.#tables.markets.isWhole) {
      this.#reportReference(file, line, "market_uuid", price.market_uuid, "market");
    }
    if (!this.#units.has(price.unit) && this.#tables.units.isWhole) {
      this.#reportReference(file, line, "unit", price.unit, "unit");
    }
    if (instantOf(price.recorded_at) > this.#recordedAtMax) {
      const wanted = `a time up to a day after publication, ${instantText(this.#recordedAtMax)}`;
      const found = foundText(price.recorded_at);
      this.#problems.add({ file, line, kind: "recorded-late", field: "recorded_at", found, wanted });
    }
    return product === undefined || market === undefined ? undefined : { product, market };
  }

  #reportReference(file: string, line: number, field: string, value: string, target: string): void {
    const found = `${foundText(value)}, which names no ${target}`;
    this.#problems.add({ file, line, kind: "reference", field, found, wanted: `a ${target} of this directory` });
  }
}
