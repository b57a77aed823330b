/** Digits, then capitals, then small letters: the order in which base 62 counts here. */
import { randomInt } from "node:crypto";

const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Random digits from the system's secure source, every text of that length equally likely (5.954 bits a digit). */
export function randomBase62(length: number): string {
  return Array.from({ length }, () => digits.charAt(randomInt(digits.length))).join("");
}

/**
 * A number in base 62, with leading zeros.
 *
 * @param value A whole number from 0.
 * @param length How many digits to write; higher ones are cut off.
 */
export function base62Text(value: number, length: number): string {
  let rest = value;
  let text = "";
  while (text.length < length) {
    text = digits.charAt(rest % digits.length) + text;
    rest = Math.floor(rest / digits.length);
  }
  return text;
}
