/** Points on the earth (WGS 84): their distance, and one as a text. */

/** In degrees. */
interface Point {
  readonly latitude: number;
  readonly longitude: number;
}

/** How messages name such a text, ready to follow "expected". */
export const coordinatesWanted =
  "LATITUDE,LONGITUDE in degrees with at most 6 decimals and without blanks, such as -0.33,35.94, within 90 and 180";

/** As near as a pattern comes. */
export const coordinatesPattern = "^-?\\d{1,2}(?:\\.\\d{1,6})?,-?\\d{1,3}(?:\\.\\d{1,6})?$";

const expression = new RegExp(coordinatesPattern);

/** Returns the point; undefined where the text is none. */
export function coordinatesFromText(text: string): Point | undefined {
  if (!expression.test(text)) return undefined;
  const [latitude = NaN, longitude = NaN] = text.split(",").map(Number);
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : undefined;
}

/** Mean radius of the earth. */
const earthKilometres = 6371;

/** Kilometres along a great circle, by the haversine formula. */
export function distance(a: Point, b: Point): number {
  const radians = (degrees: number): number => (degrees * Math.PI) / 180;
  const half = (from: number, to: number): number => Math.sin(radians(to - from) / 2) ** 2;
  const across = Math.cos(radians(a.latitude)) * Math.cos(radians(b.latitude)) * half(a.longitude, b.longitude);
  return 2 * earthKilometres * Math.asin(Math.sqrt(Math.min(1, half(a.latitude, b.latitude) + across)));
}

/** As answers have it. */
export function roundKilometres(kilometres: number): number {
  return Math.round(kilometres * 10) / 10;
}
