/** Permitted inputs of an endpoint, made from its schemas, and small changes of them. */
import type { Endpoint } from "../../src/contract/endpoint.ts";
import { requiredFields } from "../../src/contract/schema.ts";
import { matchTextFormat, searchTextFormat } from "../../src/engine/model/check-value.ts";
import type { Keywords } from "../../src/engine/model/json-schema.ts";
import type { SeededRandom } from "../sample/seeded-random.ts";

/** Values that schemas do not name. */
export interface Facts {
  readonly products: readonly string[];
  readonly markets: readonly string[];
  readonly prices: readonly string[];
  readonly units: readonly string[];
  readonly categories: readonly string[];
}

export type Fields = Readonly<Record<string, unknown>>;

/** The fields of query or body, without path parameters. */
export interface Input {
  readonly params: Fields;
  readonly fields: Fields;
}

/** Most prices are below, and most pages. */
const usualNumberMax = 3000;

const firstYear = 2015;
const lastYear = 2026;

export class InputMaker {
  readonly #random: SeededRandom;
  readonly #facts: Facts;
  readonly #params: ReadonlyMap<string, Keywords>;
  readonly #fields: ReadonlyMap<string, Keywords>;
  readonly #required: ReadonlySet<string>;

  constructor({ method, params, query, body }: Endpoint, facts: Facts, random: SeededRandom) {
    const fields = method === "GET" ? query : body;
    this.#random = random;
    this.#facts = facts;
    this.#params = new Map(Object.entries(params.properties as Record<string, Keywords>));
    this.#fields = new Map(Object.entries(fields.properties as Record<string, Keywords>));
    this.#required = new Set(requiredFields(fields));
  }

  /** Whether there is only one input. */
  get isConstant(): boolean {
    return this.#params.size + this.#fields.size === 0;
  }

  make(): Input {
    const share = this.#random.fraction();
    const isThere = (name: string): boolean => this.#required.has(name) || this.#random.fraction() < share;
    return { params: this.#valuesOf(this.#params, () => true), fields: this.#valuesOf(this.#fields, isThere) };
  }

  /** Another value for one parameter or field, or one more, or one less. */
  change({ params, fields }: Input): Input {
    const names = [...this.#params.keys(), ...this.#fields.keys()];
    const name = this.#one(names);
    const param = this.#params.get(name);
    if (param !== undefined) return { params: { ...params, [name]: this.#value(name, param) }, fields };
    if (name in fields && !this.#required.has(name) && this.#random.fraction() < 0.3) {
      const { [name]: _, ...rest } = fields;
      return { params, fields: rest };
    }
    return { params, fields: { ...fields, [name]: this.#value(name, this.#fields.get(name) as Keywords) } };
  }

  #valuesOf(schemas: ReadonlyMap<string, Keywords>, isThere: (name: string) => boolean): Fields {
    const names = [...schemas].filter(([name]) => isThere(name));
    return Object.fromEntries(names.map(([name, schema]) => [name, this.#value(name, schema)]));
  }

  #value(name: string, schema: Keywords): unknown {
    if (schema.enum !== undefined) return this.#one(schema.enum);
    switch (schema.type) {
      case "boolean":
        return this.#random.fraction() < 0.5;
      case "integer":
      case "number": {
        const { minimum = 1, maximum = usualNumberMax } = schema;
        const end = this.#random.fraction();
        // Extremes cost most more often than what is between them.
        if (end < 0.25 && schema.maximum !== undefined) return maximum;
        return minimum + this.#random.below(Math.min(end < 0.6 ? 100 : usualNumberMax, maximum - minimum + 1));
      }
      case "array": {
        const length = this.#random.fraction() < 0.5 ? (schema.maxItems ?? 1) : 1 + this.#random.below(10);
        return Array.from({ length }, () => this.#value(name, schema.items as Keywords));
      }
      default:
        return this.#text(name, schema);
    }
  }

  #text(name: string, { format }: Keywords): string {
    const { products, markets, prices, units, categories } = this.#facts;
    if (format === "uuid") {
      if (name.startsWith("product")) return this.#one(products);
      return this.#one(name.startsWith("market") ? markets : [...products, ...markets, ...prices]);
    }
    if (format === "date") {
      const [start, end] = [Date.UTC(firstYear, 0, 1), Date.UTC(lastYear, 11, 31)];
      const at = this.#random.fraction() < 0.4 ? Number(name.startsWith("end")) : this.#random.fraction();
      return new Date(start + at * (end - start)).toISOString().slice(0, 10);
    }
    if (name === "unit") return this.#one(units);
    if (name.includes("categor")) return this.#one(categories);
    if (format === matchTextFormat || format === searchTextFormat) {
      return this.#one(["a", "e", "z", "ma", "x".repeat(200)]);
    }
    return this.#one(["a", "March"]);
  }

  #one<T>(values: readonly T[]): T {
    return values[this.#random.below(values.length)] as T;
  }
}
