import type { Command } from "commander";
import { requireFreeFile, writeWholeFile } from "../../engine/files/write-whole-file.ts";
import { instantText } from "../../engine/model/calendar.ts";
import { counted } from "../../engine/model/counted.ts";
import { snakeCased } from "../../engine/model/snake-case.ts";
import type { SnapshotId } from "../../engine/snapshots/snapshot-layout.ts";
import { readPublicationReport } from "../../publishing/publish/read-publication-report.ts";
import type { MonthMedian, PriceChart } from "../../site/report/collect-price-charts.ts";
import { collectReport, type SnapshotReport } from "../../site/report/collect-report.ts";
import { renderReport } from "../../site/report/render-report.ts";
import { checkedArgument } from "../argument.ts";
import { bytesText } from "../bytes-text.ts";
import { WrongUseError } from "../command.ts";
import { problemReport } from "../problem-report.ts";
import type { Report } from "../render-report-lines.ts";
import { changesReport } from "./changes-report.ts";
import { addDirectoryCommand, type DirectoryOptions, onDirectory, snapshotIdArgument } from "./snapshot-command.ts";

interface PageOptions extends DirectoryOptions {
  readonly against?: SnapshotId;
  readonly draft?: SnapshotId;
  readonly out?: string;
  readonly service?: string;
}

const description =
  "Make a page to look at or to mail: what a snapshot changes, its warnings, and charts of what moves or has a " +
  "warning. With --json, print the same as data.";

const httpUrlArgument = checkedArgument(
  (text) => (URL.canParse(text) && /^https?:/.test(text) ? text : undefined),
  "an address that begins with http:// or https://",
);

const examples = [
  "--out report.html",
  "20261129T014906Z-d29501def8a2 --against 20261120T083000Z-1f2e3d4c5b6a --out report.html",
  "--json",
];

/** Adds `report [ID]`: a page that shows a snapshot to the people who publish it. */
export function addCommands(program: Command): void {
  addDirectoryCommand(program, "report", description, examples)
    .argument("[id]", "id of a snapshot; the current one when absent", snapshotIdArgument)
    .option("--against <id>", "snapshot to compare with; the parent when absent", snapshotIdArgument)
    .option("--draft <id>", "show this draft", snapshotIdArgument)
    .option("--out <path>", "HTML file to make")
    .option("--service <url>", "address of the service, which the page then leads to", httpUrlArgument)
    .action(onDirectory(report));
}

async function report(published: SnapshotId | undefined, options: PageOptions): Promise<Report> {
  const { dataDir, json, against, draft, out, service: serviceUrl, onBytes, seconds } = options;
  if (published !== undefined && draft !== undefined)
    throw new WrongUseError("an id and --draft are given, expected one of them");
  if (out === undefined && json !== true)
    throw new WrongUseError("--out is missing, expected a file to make, or --json");
  const [id, isDraft] = [draft ?? published, draft !== undefined];
  if (out !== undefined) await requireFreeFile(out);
  const publication = await readPublicationReport({ dataDirectory: dataDir, id, isDraft, against, onBytes });
  const report = collectReport(publication);
  const bytes =
    out === undefined ? undefined : await writeWholeFile(out, [renderReport(report, { isDraft, serviceUrl })]);
  return {
    json: { ...reportJson(report), ...(out === undefined ? {} : { out, bytes }), seconds: seconds() },
    lines: [
      `wrote the report on ${report.snapshot.id} to ${out} in ${seconds()} s: ${bytesText(bytes ?? 0)}, ` +
        counted(report.warnings.total, "warning"),
    ],
  };
}

/** The content of the page, as data. */
function reportJson(report: SnapshotReport): Readonly<Record<string, unknown>> {
  const { snapshot, against, uncompared, counts, firstRecordedAt, lastRecordedAt } = report;
  return {
    id: snapshot.id,
    against: against?.id ?? null,
    ...(against === undefined ? { uncompared } : {}),
    counts,
    first_recorded_at: firstRecordedAt === null ? null : instantText(firstRecordedAt),
    last_recorded_at: lastRecordedAt === null ? null : instantText(lastRecordedAt),
    changes: changesReport(report.changes) ?? null,
    warnings: problemReport(report.warnings),
    prices: report.charts.map(chartJson),
  };
}

function chartJson({ move, monthsBefore, newMonths, marks, dayFirst, dayLast, ...chart }: PriceChart): unknown {
  const monthsJson = (months: readonly MonthMedian[]) =>
    months.map(({ month, median, min, max, samples }) => ({ month, median, min, max, samples }));
  return snakeCased({
    ...chart,
    move:
      move === undefined
        ? null
        : { from: move.before.price, to: move.after.price, unit: move.unit, currency: move.currency },
    monthsBefore: monthsJson(monthsBefore),
    newMonths: monthsJson(newMonths),
    marks: marks.map(({ recorded: { uuid }, kinds, suspicious, price }) => {
      return { uuid, kinds, suspicious, price: price ?? null };
    }),
  });
}
