/** The shape of each line's marks, so that lines differ by more than colour. */
import {
  type SymbolType,
  symbol,
  symbolCircle,
  symbolCross,
  symbolDiamond,
  symbolSquare,
  symbolStar,
  symbolTriangle,
} from "d3-shape";
import { type Markup, markup } from "../pages/markup.ts";
import { type LegendEntry, rounded } from "./chart-frame.ts";
import { strokeEntry } from "./plot.ts";

const lineSymbols: readonly SymbolType[] = [
  symbolCircle,
  symbolSquare,
  symbolTriangle,
  symbolDiamond,
  symbolCross,
  symbolStar,
];

const symbolArea = 36;

/** @param line As many as `linesMax`. */
export function symbolAt(line: number, x: number, y: number): Markup {
  const shape = symbol(lineSymbols[line], symbolArea).digits(1)();
  return markup`<path class="fill-${line}" transform="translate(${rounded(x)} ${rounded(y)})" d="${shape ?? ""}"/>`;
}

/** A legend entry with a stroke and the symbol of a line. */
export function lineEntry(label: string, line: number, className = "line"): LegendEntry {
  const stroke = strokeEntry(label, `${className} stroke-${line}`);
  return { label, symbolAt: (x, y) => markup`${stroke.symbolAt(x, y)}${symbolAt(line, x, y)}` };
}
