/** How goods change hands: in which units, how often in each, and what each holds. */
import { units } from "./units.ts";

/** One unit in which prices of a product are told. */
export interface Offer {
  /** Position in `units`. */
  readonly unit: number;
  /** How many base units one is; for a unit that does not convert to the others of the trade, about how many of theirs. */
  readonly amount: number;
  /** How many of a hundred prices are in this unit. */
  readonly share: number;
  /** Whether it is among the product's common units. */
  readonly isCommon: boolean;
}

/** The offers of each trade, in the order of the common units. The shares of a trade make a hundred. */
const trades: Readonly<Record<string, readonly Offer[]>> = {
  kilo: [offer("kg", 100)],
  grain: [offer("kg", 50), offer("90 kg bag", 34), offer("2 kg tin", 13), offer("50 kg bag", 3, { isCommon: false })],
  bags: [offer("90 kg bag", 66), offer("kg", 32), offer("tonne", 2, { isCommon: false })],
  flour: [offer("kg", 70), offer("50 kg bag", 30)],
  tubers: [offer("kg", 55), offer("50 kg bag", 41), offer("13 kg net", 4, { isCommon: false })],
  crates: [offer("kg", 60), offer("64 kg crate", 38), offer("2 kg tin", 2, { isCommon: false })],
  nets: [offer("13 kg net", 45), offer("kg", 55)],
  bulk: [offer("tonne", 75), offer("kg", 25)],
  spice: [offer("g", 30), offer("200 g packet", 40), offer("kg", 30)],
  leaves: [offer("kg", 40), offer("bunch", 60, { amount: 0.4 })],
  heads: [offer("head", 55, { amount: 1.4 }), offer("kg", 35), offer("50 kg bag", 10)],
  // Its first common unit is never priced, as it happens in real catalogues.
  sheaves: [offer("bunch", 0, { amount: 0.1 }), offer("kg", 100)],
  pieces: [offer("piece", 68), offer("dozen", 30), offer("kg", 2, { amount: 4, isCommon: false })],
  bananas: [offer("piece", 30), offer("dozen", 30), offer("bunch", 40, { amount: 110 })],
  eggs: [offer("piece", 30), offer("dozen", 10), offer("tray of 30", 60)],
  animals: [offer("head", 100)],
  milk: [offer("litre", 60), offer("500 ml", 40)],
  oil: [offer("litre", 60), offer("500 ml", 15), offer("20 litre jerrycan", 25)],
};

/**
 * The offers of a trade.
 *
 * @throws {RangeError} when there is no such trade.
 */
export function offersOf(trade: string): readonly Offer[] {
  const offers = trades[trade];
  if (offers === undefined)
    throw new RangeError(`trade is "${trade}", expected one of ${Object.keys(trades).join(", ")}`);
  return offers;
}

function offer(name: string, share: number, given: { amount?: number; isCommon?: boolean } = {}): Offer {
  const unit = units.findIndex((candidate) => candidate.name === name);
  const record = units[unit];
  if (record === undefined) throw new RangeError(`unit is "${name}", expected one of units.ts`);
  return { unit, share, amount: given.amount ?? record.conversionFactor, isCommon: given.isCommon ?? true };
}
