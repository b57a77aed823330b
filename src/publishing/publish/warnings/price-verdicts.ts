/** Judges how far prices are from the usual ones: a verdict on each row. */
import type { Store } from "../../../engine/store/store.ts";
import { isBeyond } from "../../../engine/store/suspicious-prices.ts";
import { type Slip, SlipFinder } from "./slips.ts";
import { PriceJudge, type UsualPrice } from "./usual-prices.ts";

/** Verdicts on a price, by their codes. */
const verdicts = ["usual", "not-judged", "outlier", "decimal-slip", "unit-slip"] as const;

type Verdict = (typeof verdicts)[number];

/** A price that is far from the usual one. */
interface FarPrice {
  readonly usual: UsualPrice;
  readonly slip: Slip | undefined;
}

/** Verdicts on the rows that are judged: a byte each, so that each kind of warning is a loop of its own over them. */
export class PriceVerdicts {
  readonly #store: Store;
  readonly #judge: PriceJudge;
  readonly #slips: SlipFinder;
  readonly #rows: Uint32Array;
  readonly #codes: Uint8Array;

  /** Cost: as `PriceJudge` says, for each row. */
  constructor(after: Store, before: Store | undefined, rows: Uint32Array) {
    this.#store = after;
    this.#judge = new PriceJudge(after, before);
    this.#slips = new SlipFinder(after);
    this.#rows = rows;
    this.#codes = Uint8Array.from(rows, (row) => verdicts.indexOf(this.#verdictOf(row)));
  }

  /** Rows of one verdict, ascending. */
  *rowsOf(verdict: Verdict): Generator<number> {
    const code = verdicts.indexOf(verdict);
    for (const [at, row] of this.#rows.entries()) if (this.#codes[at] === code) yield row;
  }

  /** Compares a row with the usual price. @throws {RangeError} when it is not far. */
  explain(row: number): FarPrice {
    const far = this.#judgeFar(row);
    if (typeof far === "object") return far;
    throw new RangeError(`row is ${row}, expected one that is far from the usual price`);
  }

  #verdictOf(row: number): Verdict {
    const far = this.#judgeFar(row);
    if (typeof far === "string") return far;
    if (far.slip === undefined) return "outlier";
    return far.slip.unit === undefined ? "decimal-slip" : "unit-slip";
  }

  #judgeFar(row: number): FarPrice | "usual" | "not-judged" {
    const usual = this.#judge.judge(row);
    if (usual === undefined) return "not-judged";
    if (usual === "usual" || !isBeyond(this.#store.prices.prices[row]!, usual.price, usual.ratioMax)) return "usual";
    return { usual, slip: this.#slips.find(row, usual.price) };
  }
}
