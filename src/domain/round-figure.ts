/** Digits behind the decimal point that figures are rounded to. */
const decimals = 6;

const decimalScale = 10 ** decimals;

/** The number before one half: added before cutting off, it rounds half up, where one half would also lift itself. */
const nearlyHalf = 0.5 - Number.EPSILON / 4;

/**
 * Rounds to `decimals`, half up; numbers so large that they have no such digits stay as they are.
 *
 * @param value At least 0.
 */
export function roundFigure(value: number): number {
  const scaled = value * decimalScale;
  // As `Math.round` would, at a third of its time.
  return scaled < Number.MAX_SAFE_INTEGER ? Math.floor(scaled + nearlyHalf) / decimalScale : value;
}

/** 0 to 999 as they are written: alone; behind other digits; and as the last digits of a fraction, whose zeros at the end are left out. */
const alone: readonly string[] = Array.from({ length: 1000 }, (_, number) => String(number));
const padded: readonly string[] = alone.map((text) => text.padStart(3, "0"));
const lastOfFraction: readonly string[] = padded.map((text) => text.replace(/0+$/, ""));

/**
 * `roundFigure` as JSON writes it, put together from tables. `String` would search the shortest digits of each number and cache the
 * text among long-lived strings; an answer of statistics has hundreds of figures, hardly one of them twice.
 *
 * @param value At least 0 and finite; JSON has no text for other numbers.
 */
export function figureText(value: number): string {
  const scaled = Math.floor(value * decimalScale + nearlyHalf);
  // Different decimals of at most 15 digits read as different numbers (IEEE 754), so these 12 are the shortest text.
  if (!(scaled < 1e12)) return String(roundFigure(value));
  const whole = Math.floor(scaled / decimalScale);
  const fraction = scaled - whole * decimalScale;
  const thousands = Math.floor(whole / 1000);
  const text = thousands === 0 ? `${alone[whole]}` : `${alone[thousands]}${padded[whole - thousands * 1000]}`;
  if (fraction === 0) return text;
  const high = Math.floor(fraction / 1000);
  const low = fraction - high * 1000;
  return low === 0 ? `${text}.${lastOfFraction[high]}` : `${text}.${padded[high]}${lastOfFraction[low]}`;
}
