import { InvalidArgumentError } from "commander";

/**
 * How an option with a whole number is read: plain digits, within limits.
 *
 * @param limits Least and greatest number (both inclusive).
 * @returns A function that throws commander's InvalidArgumentError, which exits as wrong use.
 */
export function wholeNumber(limits: { readonly min: number; readonly max: number }): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= limits.min && value <= limits.max) return value;
    throw new InvalidArgumentError(`Expected a whole number from ${limits.min} to ${limits.max}.`);
  };
}
