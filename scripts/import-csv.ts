import { createProgram, runProgram, WrongUseError } from "../src/cli/command.ts";
import { problemLines, problemReport, warningLines } from "../src/cli/problem-report.ts";
import { type Report, type ReportOptions, reported } from "../src/cli/render-report-lines.ts";
import { dataDirectoryOption } from "../src/cli/snapshot/snapshot-command.ts";
import { commandLine } from "../src/contract/command-line.ts";
import type { Instant } from "../src/engine/model/calendar.ts";
import { counted } from "../src/engine/model/counted.ts";
import { snakeCased } from "../src/engine/model/snake-case.ts";
import { visibleText } from "../src/engine/model/visible-text.ts";
import { problemsPerKindMax, problemText } from "../src/engine/snapshots/problem.ts";
import { checkSheet } from "../src/publishing/importers/sheet/check-sheet.ts";
import { columnTexts } from "../src/publishing/importers/sheet/header-rows.ts";
import { importSheet, type SheetWork } from "../src/publishing/importers/sheet/import-sheet.ts";
import { inspectFile } from "../src/publishing/importers/sheet/inspect-table.ts";
import { writeMapping } from "../src/publishing/importers/sheet/mapping.ts";
import type { UnmatchedName } from "../src/publishing/importers/sheet/matches-file.ts";
import { reportLines } from "../src/publishing/importers/sheet/sheet-report.ts";

interface Options extends ReportOptions {
  readonly mapping: string;
  readonly init?: boolean;
  readonly source?: string;
  readonly out?: string;
  readonly check?: string;
  readonly matches?: string;
  readonly dataDir: string;
  readonly force?: boolean;
  readonly date?: string;
  readonly yes?: boolean;
}

/** Names without a match that are shown; matches.csv has all of them. */
const unmatchedLinesMax = 20;

/** What else a field can be said in than a column, or the texts of all rows. */
const elsewhere: Readonly<Record<string, string>> = {
  date: ", of a wide table in the headings of prices, or with --date",
  price: '; of a wide table "headings"',
};

const importCsv = commandLine("import csv");

const program = createProgram(
  importCsv,
  "Turns a table of prices, CSV or a workbook (.xlsx), into files that snapshot append takes.",
  [
    `${importCsv} prices.xlsx --init --mapping mapping.json --source "Kitui County"`,
    `${importCsv} prices.xlsx --mapping mapping.json --check wrong.xlsx`,
    `${importCsv} prices.xlsx --mapping mapping.json --out new-prices`,
  ],
)
  .argument("<file>", "CSV or a workbook (.xlsx)")
  .requiredOption("--mapping <file>", "which column is what; --init makes it")
  .option("--init", "inspect the file and write a mapping to edit")
  .option("--source <name>", "with --init: the source of the prices; the name of the file when absent")
  .option("--date <day or month>", "of all prices of a table without dates: 2026-06-15, or 2026-06")
  .option("--out <dir>", "folder to make; new or empty")
  .option("--check <file>", "import nothing, and write the table as a new workbook that says what is wrong in each row")
  .option("--matches <file>", "names that the snapshot does not have; matches.csv beside the mapping when absent")
  .addOption(dataDirectoryOption("dataset directory with the current markets, products and units"))
  .option("--force", "replace an earlier import in that folder")
  .option("--yes", "import a table of mostly new prices of days before the newest of its source")
  .option("--json", "print the report as one JSON object")
  .action(reported((path: string, options: Options) => (options.init ? inspect(path, options) : read(path, options))));

await runProgram(program);

async function inspect(path: string, options: Options): Promise<Report> {
  if (options.out !== undefined || options.check !== undefined || options.force) {
    throw new WrongUseError("--init writes a new mapping alone, expected no --out, --check and --force");
  }
  const { file, form, mapping, headings, missing, notes } = await inspectFile(path, options.source);
  await writeMapping(options.mapping, mapping);
  return {
    json: { file, ...form, mapping, headings, missing, notes },
    lines: [
      `${file}: ${mapping.header_row === 0 ? "no headings" : `headings in row ${mapping.header_row}`}: ` +
        `${headings.map((heading) => JSON.stringify(heading)).join(", ")}`,
      ...Object.entries(mapping.columns).flatMap(([field, column]) => columnLines(field, columnTexts(column))),
      ...Object.entries(mapping.values ?? {}).map(([field, value]) => `${field}: ${JSON.stringify(value)} in all rows`),
      `dates: ${mapping.date_formats?.join(", or ")}`,
      `numbers: decimal ${JSON.stringify(mapping.decimal)}, thousands ${JSON.stringify(mapping.thousands)}`,
      ...(form === null ? [] : [`text: ${form.encoding}, cells separated by ${JSON.stringify(form.delimiter)}`]),
      ...notes.map((note) => `note: ${note}`),
      ...missing.map((field) => `to be completed: ${field}, in "columns"${elsewhere[field] ?? ' or "values"'}`),
      `written to ${options.mapping}`,
    ],
  };
}

function columnLines(field: string, headings: readonly string[]): string[] {
  const called = headings.length === 1 ? "column" : "columns";
  const named = headings.map((heading) => JSON.stringify(heading)).join(", ");
  return headings.length === 0 ? [] : [`${field}: ${called} ${named}`];
}

async function read(path: string, options: Options): Promise<Report> {
  const { out, mapping, matches, dataDir, force } = options;
  if (options.source !== undefined) throw new WrongUseError('--source is given, expected "source" in the mapping');
  const work = {
    path,
    mappingPath: mapping,
    matchesPath: matches,
    dataDirectory: dataDir,
    date: options.date,
    acceptsEarlier: options.yes ?? false,
    now: Date.now() as Instant,
  };
  if (options.check !== undefined) return await check(work, options.check, options);
  if (out === undefined) throw new WrongUseError("--out is missing, expected a folder to make (or --init, or --check)");
  const outcome = await importSheet({ ...work, outputPath: out, replacesImport: force ?? false });
  const warnings = { warnings: problemReport(outcome.warnings), seconds: options.seconds() };
  if (outcome.outcome === "imported") {
    return {
      json: { outcome: outcome.outcome, ...(snakeCased(outcome.report) as object), ...warnings },
      problems: warningLines(outcome.warnings),
      lines: [...reportLines(outcome.report), `written to ${out}, for ${commandLine("snapshot")} append`],
    };
  }
  const { problems, unmatched, matchesPath } = outcome;
  const advice = `complete "use" in ${matchesPath}, and import again`;
  const nameCount = `${counted(unmatched.length, "name")} without a match, or with several: ${advice}`;
  const refusals = [
    ...(problems.total > 0 ? [counted(problems.total, "problem")] : []),
    ...(unmatched.length > 0 ? [nameCount] : []),
  ];
  const names = { unmatched: snakeCased(unmatched), matches: matchesPath };
  return {
    json: { outcome: outcome.outcome, ...problemReport(problems), ...names, ...warnings },
    problems: [...problemLines(problems), ...unmatchedLines(unmatched), ...warningLines(outcome.warnings)],
    lines: [],
    refusal: `refused: ${refusals.join("; ")}`,
  };
}

async function check(work: SheetWork, path: string, options: Options): Promise<Report> {
  if (options.out !== undefined || options.force) {
    throw new WrongUseError("--check writes a new workbook alone, expected no --out and no --force");
  }
  const { problems, warnings } = await checkSheet(work, path);
  const found = { warnings: problemReport(warnings), seconds: options.seconds() };
  const shown = problems.problems.slice(0, problemsPerKindMax).map(problemText);
  const rest = problems.total - shown.length;
  const said = `${counted(problems.total, "problem")}${problems.isCut ? ", where reading stopped" : ""}`;
  return {
    json: { outcome: problems.total === 0 ? "right" : "wrong", workbook: path, ...problemReport(problems), ...found },
    problems: [...shown, ...(rest > 0 ? [`… and ${rest} more`] : []), ...warningLines(warnings)],
    lines: problems.total === 0 ? [`nothing is wrong; written to ${path}`] : [],
    ...(problems.total === 0 ? {} : { refusal: `${said}: see the column "what is wrong" of ${path}` }),
  };
}

function unmatchedLines(unmatched: readonly UnmatchedName[]): string[] {
  const lines = unmatched.slice(0, unmatchedLinesMax).map(({ kind, found, rowCount, lineFirst }) => {
    const name = `${kind.replace("_", " ")} ${JSON.stringify(found)}`;
    return visibleText(`${name}: ${counted(rowCount, "row")}, first in row ${lineFirst}`);
  });
  const rest = unmatched.length - lines.length;
  return rest > 0 ? [...lines, `… and ${rest} more`] : lines;
}
