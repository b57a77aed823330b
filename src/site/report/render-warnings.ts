/** All warnings, by kind. */

import { originText, type Warning, warningKinds, warningNames } from "../../contract/publication-report.ts";
import type { SnapshotIdentity } from "../../engine/model/dataset.ts";
import { capitalized } from "../../engine/model/snake-case.ts";
import { renderDetails } from "../pages/elements.ts";
import { type Markup, markup } from "../pages/markup.ts";
import type { SnapshotReport } from "./collect-report.ts";
import { countText, recordedText } from "./report-text.ts";

/** The warnings of a kind that are shown; the others are folded up. */
const openMax = 5;

export function renderWarnings({ warnings, against, snapshot }: SnapshotReport): Markup {
  const scope =
    against === undefined
      ? "Of all prices of the snapshot."
      : "Of the prices that the snapshot adds or changes, and of what lacks new ones.";
  if (warnings.total === 0) return markup`<p>${scope} There is none.</p>`;
  const kinds = warningKinds.filter((kind) => (warnings.counts.get(kind) ?? 0) > 0);
  return markup`<p>${scope} What looks wrong may be true; each names what was found and what was expected.</p>
${kinds.map((kind) => {
  const count = warnings.counts.get(kind) ?? 0;
  const shown = warnings.problems.filter((warning) => warning.kind === kind);
  const list = (part: readonly Warning[]): Markup =>
    markup`<ul class="warnings">${part.map((warning) => renderWarning(warning, snapshot))}</ul>`;
  const [open, folded] = [shown.slice(0, openMax), shown.slice(openMax)];
  const uncounted = count - shown.length;
  return markup`<h3>${capitalized(warningNames[kind][1])}: ${countText(count)} <code>${kind}</code></h3>
${list(open)}
${folded.length > 0 && renderDetails(`${countText(folded.length)} more`, list(folded))}
${uncounted > 0 && markup`<p>${countText(uncounted)} further ones are counted only.</p>`}
`;
})}`;
}

function renderWarning(warning: Warning, snapshot: SnapshotIdentity): Markup {
  const { price, origin } = warning;
  const uuid = price && markup` <code class="quiet">${price.uuid}</code>`;
  const from = origin && markup` <span class="quiet">${originText(origin)}</span>`;
  return markup`<li><strong>${subjectOf(warning, snapshot)}</strong>${reasonOf(warning)}${from}${uuid}</li>\n`;
}

/** `price is 9,500, expected …`: the value found and the expected one. */
function reasonOf({ field, found, wanted }: Warning): string {
  return `${field === undefined ? "" : `${field} is `}${found}, expected ${wanted}`;
}

/**
 * `Maize at Wakulima, 2026-01-15 (WFP): `: which price a warning is about; empty without one. Readers of a published
 * snapshot no longer have its files and lines, so the price is named instead.
 */
function subjectOf({ price }: Warning, snapshot: SnapshotIdentity): string {
  if (price === undefined) return "";
  const { product, market, recordedAt, source } = price;
  return `${product} at ${market}, ${recordedText(recordedAt, source, snapshot)} (${source}): `;
}
