/**
 * The colours of charts and their style sheet, for light and dark. Lines differ in colour and in the shape of their marks, steps of
 * a ramp in lightness, so that no reader depends on hue. `test/charts/chart-style.test.ts` holds the contrasts: text 4.5 to 1, marks and
 * lines 3 to 1 (WCAG 2.2, 1.4.3 and 1.4.11).
 */

/** A colour on a light and on a dark page. */
export interface Colour {
  readonly light: string;
  readonly dark: string;
}

/** The page that a chart stands on; the page sets its own background to it. */
export const pageColour: Colour = { light: "#ffffff", dark: "#121513" };

export const textColours = {
  ink: { light: "#1b211d", dark: "#e7ece8" },
  quiet: { light: "#56605a", dark: "#a3aea6" },
} as const satisfies Readonly<Record<string, Colour>>;

/** Of lines, in order; their number is how many lines a chart may have. */
export const lineColours: readonly Colour[] = [
  { light: "#0067a5", dark: "#5ab4f0" },
  { light: "#c04a00", dark: "#ff9454" },
  { light: "#00785a", dark: "#43cfa2" },
  { light: "#a3377f", dark: "#ec94cb" },
  { light: "#756500", dark: "#d9c94e" },
  { light: "#4d4d4d", dark: "#c9cdc9" },
];

/** Of suspicious points. */
export const alertColour: Colour = { light: "#c1121f", dark: "#ff7b72" };

/** A step of the ramp, and the text on it. */
export interface RampColour {
  readonly fill: Colour;
  readonly text: Colour;
}

const onPale = "#0c1a19";
const onDeep = "#ffffff";

/** From little to much. */
export const rampColours: readonly RampColour[] = [
  { fill: { light: "#e0f1ed", dark: "#17302e" }, text: { light: onPale, dark: onDeep } },
  { fill: { light: "#bde2d9", dark: "#1b4542" }, text: { light: onPale, dark: onDeep } },
  { fill: { light: "#92cfc4", dark: "#205d58" }, text: { light: onPale, dark: onDeep } },
  { fill: { light: "#62b7ad", dark: "#287870" }, text: { light: onPale, dark: onDeep } },
  { fill: { light: "#3aa09a", dark: "#4aa79d" }, text: { light: onPale, dark: onPale } },
  { fill: { light: "#14777a", dark: "#78c6ba" }, text: { light: onDeep, dark: onPale } },
  { fill: { light: "#07585f", dark: "#b8e8e0" }, text: { light: onDeep, dark: onPale } },
];

const gridColour: Colour = { light: "#dde3de", dark: "#303833" };

function pair({ light, dark }: Colour): string {
  return `light-dark(${light}, ${dark})`;
}

const variables = [
  `--chart-page: ${pair(pageColour)};`,
  `--chart-ink: ${pair(textColours.ink)};`,
  `--chart-quiet: ${pair(textColours.quiet)};`,
  `--chart-grid: ${pair(gridColour)};`,
  `--chart-alert: ${pair(alertColour)};`,
  ...lineColours.map((colour, at) => `--chart-line-${at}: ${pair(colour)};`),
  ...rampColours.map(({ fill }, at) => `--chart-ramp-${at}: ${pair(fill)};`),
  ...rampColours.map(({ text }, at) => `--chart-on-ramp-${at}: ${pair(text)};`),
];

/**
 * The style sheet that a page with charts needs once. The page declares `color-scheme: light dark`. A page that wants other
 * colours sets the variables of `.chart` again.
 */
export const chartStyle = `
.chart { ${variables.join(" ")}
  display: block; max-width: 100%; height: auto; font: 12px system-ui, sans-serif; fill: var(--chart-ink); }
.chart .quiet { fill: var(--chart-quiet); }
.chart .grid { stroke: var(--chart-grid); fill: none; }
.chart .axis { stroke: var(--chart-quiet); fill: none; }
.chart .end { text-anchor: end; } .chart .middle { text-anchor: middle; }
.chart .line { fill: none; stroke-width: 2; stroke-linejoin: round; stroke-linecap: round; }
.chart .bold { stroke-width: 3.5; } .chart .faint { stroke-width: 1.25; opacity: .55; }
.chart .band { opacity: .18; stroke: none; } .chart .stem { opacity: .45; stroke-width: 3; }
.chart .average { fill: none; stroke: var(--chart-ink); stroke-width: 1.5; stroke-dasharray: 5 4; }
.chart .averageBand { fill: var(--chart-ink); opacity: .1; }
.chart .alert { stroke: var(--chart-alert); fill: none; stroke-width: 2; } .chart text.alert { stroke: none; fill: var(--chart-alert); }
.chart .strip { fill: transparent; } .chart .strip:hover { fill: var(--chart-quiet); fill-opacity: .18; }
.chart .empty { fill: none; stroke: var(--chart-quiet); stroke-dasharray: 2 2; }
.chart .place { fill: var(--chart-quiet); opacity: .35; } .chart .here { fill: var(--chart-alert); stroke: var(--chart-page); stroke-width: 1.5; }
${lineColours.map((_, at) => `.chart .stroke-${at} { stroke: var(--chart-line-${at}); } .chart .fill-${at} { fill: var(--chart-line-${at}); }`).join("\n")}
${rampColours.map((_, at) => `.chart .ramp-${at} { fill: var(--chart-ramp-${at}); } .chart .on-ramp-${at} { fill: var(--chart-on-ramp-${at}); }`).join("\n")}
.forWide { display: none; }
@media (min-width: 48rem) { .forWide { display: block; } .forNarrow { display: none; } }
`;
