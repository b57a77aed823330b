import { InvalidArgumentError } from "commander";

interface Limits {
  readonly min: number;
  readonly max: number;
}

/**
 * How an option with a whole number is read: plain digits, within limits.
 *
 * @param limits Least and greatest number (both inclusive).
 * @returns A function that throws commander's InvalidArgumentError, which exits as wrong use.
 */
export function wholeNumber(limits: Limits): (text: string) => number {
  return (text) => within(limits, /^\d+$/.test(text) ? Number(text) : Number.NaN);
}

/** As `wholeNumber`, also in thousands and millions: `100k`, `10m`. */
export function largeNumber(limits: Limits): (text: string) => number {
  return (text) => {
    const [, digits = "", unit = ""] = /^(\d+)([km]?)$/i.exec(text) ?? [];
    const factor = { k: 1e3, m: 1e6, "": 1 }[unit.toLowerCase() as "k" | "m" | ""];
    return within(limits, digits === "" ? Number.NaN : Number(digits) * factor);
  };
}

/** @param value NaN for a text that is no number. */
function within({ min, max }: Limits, value: number): number {
  if (value >= min && value <= max) return value;
  throw new InvalidArgumentError(`Expected a whole number from ${min} to ${max}.`);
}
