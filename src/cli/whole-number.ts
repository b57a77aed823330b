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
  return (text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= limits.min && value <= limits.max) return value;
    throw new InvalidArgumentError(`Expected a whole number from ${limits.min} to ${limits.max}.`);
  };
}

/** As `wholeNumber`, also in thousands and millions: `100k`, `10m`. */
export function largeNumber(limits: Limits): (text: string) => number {
  return (text) => {
    const [, digits = "", unit = ""] = /^(\d+)([km]?)$/i.exec(text) ?? [];
    const value = Number(digits) * { k: 1e3, m: 1e6, "": 1 }[unit.toLowerCase() as "k" | "m" | ""];
    if (digits !== "" && value >= limits.min && value <= limits.max) return value;
    throw new InvalidArgumentError(`Expected a whole number from ${limits.min} to ${limits.max}.`);
  };
}
