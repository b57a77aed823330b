/** Figures as steps of a ramp, from little to much. */
import { scaleQuantile, scaleThreshold } from "d3-scale";
import { joinMarkup, type Markup, markup } from "../pages/markup.ts";
import { rounded, textAt, textWidth } from "./chart-frame.ts";
import { rampSteps } from "./chart-style.ts";
import { shortNumber } from "./number-text.ts";

export interface Ramp {
  /** Position of a colour, 0 to `rampSteps` − 1. */
  readonly stepOf: (value: number) => number;
  /** The steps that occur: from which value on (inclusive), ascending. */
  readonly steps: readonly { readonly step: number; readonly from: number }[];
}

/**
 * Divides figures into at most as many steps as there are colours: each its own where there are so few, otherwise about
 * as many in each. Such bounds have two significant digits, so that a legend can be read.
 *
 * @param values At least 0, in any order.
 */
export function makeRamp(values: readonly number[]): Ramp {
  const least = values.reduce((a, b) => Math.min(a, b), Infinity);
  if (values.length === 0) return { stepOf: () => 0, steps: [] };
  const greatest = values.reduce((a, b) => Math.max(a, b), -Infinity);
  const distinct = [...new Set(values)].sort((a, b) => a - b);
  const candidates = distinct.length <= rampSteps ? distinct : quantilesOf(values);
  const bounds = candidates.filter((bound) => bound > least && bound <= greatest);
  // Few steps are spread over the whole ramp.
  const colours = Array.from({ length: bounds.length + 1 }, (_, at) =>
    Math.round((at * (rampSteps - 1)) / Math.max(1, bounds.length)),
  );
  const stepOf = scaleThreshold<number, number>().domain(bounds).range(colours);
  const from = [least, ...bounds];
  return { stepOf: (value) => stepOf(value), steps: colours.map((step, at) => ({ step, from: from[at] as number })) };
}

/** Where the steps begin that hold equally many figures, rounded to two digits; ascending. */
function quantilesOf(values: readonly number[]): number[] {
  const quantiles = scaleQuantile<number>()
    .domain(values)
    .range(Array.from({ length: rampSteps }, (_, step) => step))
    .quantiles();
  const rounded = quantiles.map((bound) => Number(bound.toPrecision(2)));
  // Counts lie above 4.7 where they are 5 or more.
  const areWhole = values.every(Number.isInteger);
  return [...new Set(areWhole ? rounded.map(Math.ceil) : rounded)];
}

const swatch = 14;

/** The steps in rows, each with its least value; before them what stands for no figure. @returns It and its height. */
export function renderRampLegend(
  { steps }: Ramp,
  {
    x: left,
    y: top,
    width,
    language,
    empty,
  }: {
    readonly x: number;
    readonly y: number;
    readonly width: number;
    readonly language: string;
    /** The legend entry of what has no figure; without it there is none. */
    readonly empty?: string | undefined;
  },
): { readonly content: Markup; readonly height: number } {
  let x = left;
  let y = top;
  const entry = (className: string, label: string): Markup => {
    const entryWidth = swatch + 5 + textWidth(label) + 12;
    if (x > left && x + entryWidth > left + width) {
      x = left;
      y += swatch + 6;
    }
    const corner = markup`x="${rounded(x) + 0.5}" y="${y + 0.5}"`;
    const rectangle = markup`<rect class="${className}" ${corner} width="${swatch - 1}" height="${swatch - 1}"/>`;
    const text = textAt(label, x + swatch + 5, y + 11);
    x += entryWidth;
    return markup`${rectangle}${text}`;
  };
  const entries = [
    ...(empty === undefined ? [] : [entry("empty", empty)]),
    ...steps.map(({ step, from }) => entry(`ramp-${step}`, `≥ ${shortNumber(from, language)}`)),
  ];
  return { content: joinMarkup(entries), height: entries.length === 0 ? 0 : y + swatch - top };
}
