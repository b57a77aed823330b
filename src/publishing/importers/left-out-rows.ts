/** Rows of a table that give no price and are no problem, by reason. */
import { compareTexts } from "../../engine/model/folded-text.ts";

/** Rows left out for the same reason. */
export interface LeftOutRows {
  readonly rowCount: number;
  /** The least line of such a row. */
  readonly lineFirst: number;
}

/** Counts a row. */
export function leaveOut<Reason>(leftOut: Map<Reason, LeftOutRows>, reason: Reason, line: number): void {
  const { rowCount, lineFirst } = leftOut.get(reason) ?? { rowCount: 0, lineFirst: line };
  leftOut.set(reason, { rowCount: rowCount + 1, lineFirst: Math.min(lineFirst, line) });
}

/** The reasons as a report has them: that with most rows first, equal ones by name. */
export function listLeftOut<Reason extends string>(
  leftOut: ReadonlyMap<Reason, LeftOutRows>,
): ({ readonly reason: Reason } & LeftOutRows)[] {
  return [...leftOut]
    .map(([reason, rows]) => ({ reason, ...rows }))
    .sort((a, b) => b.rowCount - a.rowCount || compareTexts(a.reason, b.reason));
}

/**
 * The part of a message that says that no row of a table gives a price, and why.
 *
 * @param words The text of each reason; the reason itself when absent.
 */
export function noPriceText<Reason extends string>(
  wanted: string,
  { rowCount, leftOut }: { readonly rowCount: number; readonly leftOut: ReadonlyMap<Reason, LeftOutRows> },
  words?: Readonly<Record<Reason, string>>,
): string {
  const reasons = [...leftOut].map(([reason, rows]) => `; ${rows.rowCount} × ${words?.[reason] ?? reason}`);
  return `holds no ${wanted} (rows: ${rowCount}${reasons.join("")})`;
}
