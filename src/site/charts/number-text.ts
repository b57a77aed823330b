/**
 * Numbers as a chart shows them: few digits, so that they fit, but never so few that two prices of a chart look alike.
 */

/** @param language BCP 47, such as `en` or `sw`. */
export function shortNumber(value: number, language = "en"): string {
  const size = Math.abs(value);
  if (size >= 1e15 || (size > 0 && size < 1e-4)) return value.toExponential(1);
  const form = size >= 1e5 ? "compact" : size >= 1000 ? "whole" : size >= 1 ? "decimal" : "small";
  const format = formats.getOrInsertComputed(`${language} ${form}`, () => new Intl.NumberFormat(language, forms[form]));
  return format.format(value);
}

const forms = {
  compact: { notation: "compact", maximumSignificantDigits: 3 },
  whole: { maximumFractionDigits: 0 },
  decimal: { maximumFractionDigits: 2 },
  small: { maximumSignificantDigits: 2 },
} as const satisfies Readonly<Record<string, Intl.NumberFormatOptions>>;

/** By language and form: making a format costs more than a chart. Callers pass languages from a closed list. */
const formats = new Map<string, Intl.NumberFormat>();
