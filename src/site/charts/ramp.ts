/** Figures as steps of a ramp, from little to much. */
import { scaleQuantile, scaleThreshold } from "d3-scale";
import { joinMarkup, type Markup, markup } from "../pages/markup.ts";
import { type LegendEntry, rounded, shortNumber, textAt, textWidth } from "./chart-frame.ts";
import { rampSteps } from "./chart-style.ts";

export interface Ramp {
  /** Position of a colour, 0 to `rampSteps` − 1. */
  readonly stepOf: (value: number) => number;
  /** The steps that occur: from which value on (inclusive), ascending. */
  readonly steps: readonly { readonly step: number; readonly from: number }[];
}

/**
 * Divides figures into at most as many steps as there are colours: each its own where there are so few, otherwise about
 * as many in each. Such bounds have two significant digits, so that a legend can be read. The colours of neighbouring
 * steps are equally far apart.
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
  const colours = evenSteps(bounds.length + 1);
  const stepOf = scaleThreshold<number, number>().domain(bounds).range(colours);
  const from = [least, ...bounds];
  return { stepOf: (value) => stepOf(value), steps: colours.map((step, at) => ({ step, from: from[at] as number })) };
}

/** The greatest distance of neighbouring colours, in steps of the ramp. */
const distanceMax = 2;

/**
 * Equally distant colours from the middle of the ramp: two figures that differ a little are not its ends.
 *
 * @param count At most `rampSteps`.
 */
function evenSteps(count: number): number[] {
  const distance = Math.min(distanceMax, Math.floor((rampSteps - 1) / Math.max(1, count - 1)));
  const first = Math.floor((rampSteps - 1 - distance * (count - 1)) / 2);
  return Array.from({ length: count }, (_, at) => first + distance * at);
}

/** The bounds of steps that hold equally many figures, rounded to two digits; ascending. */
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

/** A square of a legend. @param kind Its class. */
export function swatchAt(kind: string, x: number, y: number): Markup {
  const corner = markup`x="${rounded(x) + 0.5}" y="${y + 0.5}"`;
  return markup`<rect class="${kind}" ${corner} width="${swatch - 1}" height="${swatch - 1}"/>`;
}

/**
 * The legend of a ramp: first the other entries, then the steps, each with its least value, in rows.
 *
 * @returns The legend and its height.
 */
export function renderRampLegend(
  { steps }: Ramp,
  {
    y: top,
    width,
    language,
    others = [],
  }: {
    readonly y: number;
    /** The width of the chart. */
    readonly width: number;
    readonly language: string;
    /** Entries before the steps; each is drawn from the corner of its swatch. */
    readonly others?: readonly LegendEntry[];
  },
): { readonly content: Markup; readonly height: number } {
  const left = 1;
  let x = left;
  let y = top;
  const ofSteps = steps.map(({ step, from }): LegendEntry => {
    return { label: `≥ ${shortNumber(from, language)}`, symbolAt: (atX, atY) => swatchAt(`ramp-${step}`, atX, atY) };
  });
  const entries = [...others, ...ofSteps].map(({ label, symbolAt }) => {
    const entryWidth = swatch + 5 + textWidth(label) + 12;
    if (x > left && x + entryWidth > width - left) {
      x = left;
      y += swatch + 6;
    }
    const drawn = markup`${symbolAt(x, y)}${textAt(label, x + swatch + 5, y + 11)}`;
    x += entryWidth;
    return drawn;
  });
  return { content: joinMarkup(entries), height: entries.length === 0 ? 0 : y + swatch - top };
}
