import { visibleText } from "../../domain/visible-text.ts";
import type { ImportReport } from "./import-report.ts";
import { leftOutReasons } from "./price-fact.ts";

/** A report as lines for a person: what was kept, converted and left out. */
export function reportText(report: ImportReport): string {
  return [
    `Read ${count(report.rowCount, "row")}, ${report.dayFirst} to ${report.dayLast}.`,
    "",
    "Kept",
    `  ${count(report.priceCount, "price")}: ${whole(report.retailPriceCount)} retail, ${whole(report.wholesalePriceCount)} wholesale`,
    `  ${count(report.productCount, "product")}, ${whole(report.activeProductCount)} of them active`,
    `  ${count(report.marketCount, "market")} at ${count(report.placeCount, "place")}, ${whole(report.activeMarketCount)} of them active`,
    "",
    "Converted",
    ...report.units.map(
      ({ wfpUnit, unit, priceCount }) => `  unit ${wfpUnit} to "${unit}": ${count(priceCount, "price")}`,
    ),
    ...report.notes.map(({ note, priceCount }) => `  note "${note}": ${count(priceCount, "price")}`),
    ...report.judgedPlaces.map(
      ({ marketId, county, reason }) => `  market ${marketId} decided by hand, ${county} County: ${reason}`,
    ),
    ...report.placesWithoutLocation.map((name) => `  no coordinates: ${name}`),
    ...report.productsWithoutText.map((name) => `  plain description, no product text: ${name}`),
    "",
    "Left out",
    ...(report.leftOut.length === 0 ? ["  nothing"] : []),
    ...report.leftOut.map(
      ({ reason, rowCount, lineFirst }) =>
        `  ${count(rowCount, "row")}: ${leftOutReasons[reason]} (first at line ${lineFirst})`,
    ),
    ...report.marketsWithoutCounty.map(
      ({ marketId, name, admin2 }) => `  market ${marketId} "${name}" has no county, its district is "${admin2}"`,
    ),
    "",
  ]
    .map(visibleText)
    .join("\n");
}

/** A report as one JSON object with snake_case keys. */
export function reportJson(report: ImportReport): string {
  return `${JSON.stringify(snakeCased(report), null, 2)}\n`;
}

function snakeCased(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(snakeCased);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [
      key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      snakeCased(part),
    ]),
  );
}

function count(amount: number, noun: string): string {
  return `${whole(amount)} ${noun}${amount === 1 ? "" : "s"}`;
}

/** 26745 → "26,745", the same in every locale. */
function whole(amount: number): string {
  return String(amount).replace(/\B(?=(\d{3})+$)/g, ",");
}
