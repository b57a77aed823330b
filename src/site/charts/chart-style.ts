/** The style sheet that a page with charts needs once, beside that of the frame, whose colours it uses. */
import { chartColourStyle, readBeside } from "../pages/style.ts";

/** The rules of charts in pages and in files. */
export const chartRules: string = readBeside(new URL("charts.css", import.meta.url));

/**
 * With their colours, for pages. Lines differ in colour and in the shape of their marks, steps of a ramp in lightness,
 * so that no reader depends on hue. `charts.test.ts` holds the contrasts: text, and lines, whose labels have their
 * colour, 4.5 to 1, marks 3 to 1 (WCAG 2.2, 1.4.3 and 1.4.11).
 */
export const chartStyle: string = chartColourStyle + chartRules;

/** Number of lines that a chart may have: each has a colour in the style sheet. */
export const linesMax = 6;

/** Colours of a ramp, from little to much. */
export const rampSteps = 7;
