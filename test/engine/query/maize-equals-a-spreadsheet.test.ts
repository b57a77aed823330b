/**
 * The figure most asked for, wholesale white maize by month, from the published snapshot and from the export it was
 * made of, as someone with a spreadsheet would work it out. The export is no part of the project: WFP_CSV names a copy.
 */
import { readFileSync } from "node:fs";
import t from "tap";
import { type Day, dayFromText } from "../../../src/engine/model/calendar.ts";
import { bundledDataset, bundledStore } from "../../support/bundled-data.ts";
import { askStatistics } from "../../support/statistics-groups.ts";

const exportPath = process.env["WFP_CSV"];

if (exportPath === undefined) {
  t.comment("WFP_CSV is not set: wholesale maize by month is not compared with the export");
} else {
  t.test("wholesale white maize by month is what a spreadsheet makes of the export", async (t) => {
    const dataset = await bundledDataset();
    const maize = dataset.products.find(({ name }) => name === "Maize (white)");
    if (maize === undefined) throw new Error(`snapshot ${dataset.snapshot.id} has no Maize (white)`);
    const answer = await askStatistics(await bundledStore(), {
      productUuid: maize.uuid,
      dayFirst: dayFromText("2006-01-01") as Day,
      dayLast: dayFromText("2026-12-31") as Day,
      marketType: "Wholesale",
      grouping: "month",
      unit: "kg",
    });
    if ("problem" in answer) throw new Error(`expected figures, found: ${answer.problem}`);

    const wanted = monthsOfExport(readFileSync(exportPath, "utf8"));
    t.ok(wanted.length > 100, `${wanted.length} months`);
    t.same(
      answer.groups.map(({ label, figures }) => [label, figures.count]),
      wanted.map(({ month, count }) => [month, count]),
    );
    for (const [at, { month, count, ...figures }] of wanted.entries()) {
      for (const [name, figure] of Object.entries(figures) as [keyof typeof figures, number][]) {
        const answered = answer.groups[at]?.figures[name] ?? Number.NaN;
        if (!(Math.abs(answered - figure) <= 1e-6)) t.fail(`${month}: ${name} is ${answered}, expected ${figure}`);
      }
    }
    t.match(answer, {
      currency: "KES",
      excludedSamples: 0,
      overall: { count: wanted.reduce((sum, { count }) => sum + count, 0) },
    });
  });
}

interface Month {
  readonly month: string;
  readonly count: number;
  readonly average: number;
  readonly min: number;
  readonly max: number;
  readonly median: number;
  readonly deviation: number;
}

/** Shillings per kilogram, months ascending. */
function monthsOfExport(csv: string): Month[] {
  const rows = csv
    .split("\n")
    .map((line) =>
      (line.match(/("[^"]*"|[^,]*)(,|$)/g) ?? []).map((field) => field.replace(/,$/, "").replace(/"/g, "")),
    );
  const header = rows[0] ?? [];
  const cell = (row: string[], column: string) => row[header.indexOf(column)] ?? "";
  const maize = rows.filter(
    (row) => cell(row, "commodity") === "Maize (white)" && cell(row, "pricetype") === "Wholesale",
  );
  const kilograms: Record<string, number> = { KG: 1, "90 KG": 90 };
  const byMonth = Map.groupBy(maize, (row) => cell(row, "date").slice(0, 7));
  return [...byMonth]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([month, rows]) => {
      const prices = rows
        .map((row) => Number(cell(row, "price")) / (kilograms[cell(row, "unit")] ?? Number.NaN))
        .sort((a, b) => a - b);
      const count = prices.length;
      const average = prices.reduce((sum, price) => sum + price, 0) / count;
      const squares = prices.reduce((sum, price) => sum + (price - average) ** 2, 0);
      const [low = 0, high = 0] = [prices[Math.ceil(count / 2) - 1], prices[Math.floor(count / 2)]];
      return {
        month,
        count,
        average,
        min: prices[0] ?? 0,
        max: prices[count - 1] ?? 0,
        median: (low + high) / 2,
        deviation: count === 1 ? 0 : Math.sqrt(squares / (count - 1)),
      };
    });
}
