/** Readers of arguments and options: each function throws commander's InvalidArgumentError, which is wrong use. */
import { InvalidArgumentError } from "commander";

/** @param read Answers undefined for a text that is not as wanted. */
export function checkedArgument<T>(read: (text: string) => T | undefined, wanted: string): (text: string) => T {
  return (text) => {
    const value = read(text);
    if (value === undefined) throw new InvalidArgumentError(`Expected ${wanted}.`);
    return value;
  };
}

/** Least and greatest number (both inclusive). */
interface Limits {
  readonly min: number;
  readonly max: number;
}

const isWithin = ({ min, max }: Limits, value: number): boolean => value >= min && value <= max;

/** Reads a whole number: plain digits, within limits. */
export function wholeNumber(limits: Limits): (text: string) => number {
  return numberOf(/^(\d+)$/, limits);
}

/** As `wholeNumber`, also in thousands and millions: `100k`, `10m`. */
export function largeNumber(limits: Limits): (text: string) => number {
  return numberOf(/^(\d+)([km]?)$/i, limits);
}

function numberOf(expression: RegExp, limits: Limits): (text: string) => number {
  return checkedArgument((text) => {
    const [, digits = "", unit = ""] = expression.exec(text) ?? [];
    const number = Number(digits) * { k: 1e3, m: 1e6, "": 1 }[unit.toLowerCase() as "k" | "m" | ""];
    return digits !== "" && isWithin(limits, number) ? number : undefined;
  }, `a whole number from ${limits.min} to ${limits.max}`);
}

const unitMilliseconds = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/**
 * Reads a duration, in milliseconds: a whole number and its unit, such as 90d, 24h, 30m or 45s, or 0 alone.
 *
 * @param limits Shortest and longest duration in milliseconds, and both in words.
 */
export function duration(limits: Limits & { readonly words: string }): (text: string) => number {
  return checkedArgument((text) => {
    const [, digits, unit = "s"] = /^(?:(\d{1,9})([smhd])|0)$/.exec(text) ?? [];
    if (digits === undefined && text !== "0") return undefined;
    const milliseconds = Number(digits ?? 0) * unitMilliseconds[unit as keyof typeof unitMilliseconds];
    return isWithin(limits, milliseconds) ? milliseconds : undefined;
  }, `${limits.words}, as a number of s, m, h or d: 90d, 24h`);
}
