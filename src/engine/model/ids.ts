import type { Branded } from "./branded.ts";

/** Identifier of a price, product or market: 36 characters, lower case. */
export type Uuid = Branded<string, "Uuid">;

/** County number, 1 to 47, as the Constitution of Kenya lists the counties. */
export type CountyId = Branded<number, "CountyId">;

/** Least and greatest county number (both inclusive). */
export const countyIdMin = 1;
export const countyIdMax = 47;

/** The text form of a UUID of any version, either case. */
const uuidExpression = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/**
 * Recognises the text form of a UUID.
 *
 * @returns The UUID in lower case, or undefined when the text is not one.
 */
export function toUuid(text: string): Uuid | undefined {
  return uuidExpression.test(text) ? (text.toLowerCase() as Uuid) : undefined;
}

/** Returns whether a number is a county number (an integer from 1 to 47). */
export function isCountyId(value: number): value is CountyId {
  return Number.isInteger(value) && value >= countyIdMin && value <= countyIdMax;
}

/** The form of a snapshot's id: time of publication and the first digits of the content hash. */
export const snapshotIdPattern = "^\\d{8}T\\d{6}Z-[0-9a-f]{12}$";
