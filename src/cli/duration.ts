import { InvalidArgumentError } from "commander";

const unitMilliseconds = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/**
 * How an option with a duration is read: a whole number and its unit, such as 90d, 24h, 30m or 45s, or 0 alone.
 *
 * @param limits Shortest and longest duration in milliseconds (both inclusive), and both in words.
 * @returns A function that answers milliseconds, and throws commander's InvalidArgumentError, which exits as wrong use.
 */
export function duration(limits: {
  readonly min: number;
  readonly max: number;
  readonly words: string;
}): (text: string) => number {
  return (text) => {
    const [, digits = "", unit = "s"] = /^(?:(\d{1,9})([smhd])|0)$/.exec(text) ?? [];
    const milliseconds = Number(digits) * unitMilliseconds[unit as keyof typeof unitMilliseconds];
    const isRead = digits !== "" || text === "0";
    if (isRead && milliseconds >= limits.min && milliseconds <= limits.max) return milliseconds;
    throw new InvalidArgumentError(`Expected ${limits.words}, as a number of s, m, h or d: 90d, 24h.`);
  };
}
