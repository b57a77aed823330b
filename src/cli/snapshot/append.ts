import { stat } from "node:fs/promises";
import type { Command } from "commander";
import { type AppendReport, appendPrices } from "../../publish/append-prices.ts";
import { countAppended } from "../../publish/publication-log.ts";
import { WrongUseError } from "../command.ts";
import { rowsText, warningLines } from "../problem-report.ts";
import type { Report } from "../report.ts";
import { changesLines } from "./changes-report.ts";
import { runPublishing } from "./run-publishing.ts";
import {
  addPublicationCommand,
  type PublicationOptions,
  publicationJson,
  publicationText,
  withheldLines,
  writingWarnings,
} from "./snapshot-command.ts";
import { tableChangeLines } from "./table-changes-report.ts";

const description =
  "Publish new and corrected prices, products, markets and units on top of the current snapshot; a known uuid is " +
  "replaced.";

/** Adds `append FILE…`: publishes new and corrected prices on top of the current snapshot. */
export function addAppendCommand(program: Command): void {
  addPublicationCommand(program, "append", description, [
    "2026-11-21.ndjson --dry-run",
    '2026-11-21.ndjson --note "Market day of 21 November"',
    "markets.ndjson 2026-11-21.ndjson",
  ])
    .argument(
      "<file...>",
      "files of prices (.ndjson, .ndjson.gz), small tables by their names (products.ndjson, markets.ndjson, " +
        "units.json), folders of these",
    )
    .action(append);
}

async function append(files: readonly string[], options: PublicationOptions): Promise<void> {
  for (const file of files) {
    const stats = await stat(file).catch(() => undefined);
    if (stats?.isFile() !== true && stats?.isDirectory() !== true) throw new WrongUseError(`${file}: no such file`);
  }
  await runPublishing(options, files, async (request) => await appendPrices({ ...request, files }), reportOf);
}

function reportOf(report: AppendReport, seconds: number): Report {
  const { outcome, id, rows, files, knownCount, withheld, tableChanges, warnings, changes, compilation, logFault } =
    report;
  const { added, replaced } = countAppended(files);
  const has = outcome === "would-append" ? "it would have" : "it has";
  const counts = { added, replaced, known: knownCount, withheld, table_changes: tableChanges };
  const json = { ...publicationJson(report, counts, seconds), stage_seconds: report.seconds };
  if (outcome === "unchanged") {
    return { json, lines: [`${id} has everything already, nothing published`, ...withheldLines(withheld)] };
  }
  return {
    json,
    problems: [...warningLines(warnings), ...writingWarnings(compilation, logFault)],
    lines: [
      `${publicationText(outcome, id)} in ${seconds} s: ${added} prices added, ${replaced} replaced`,
      ...(knownCount > 0 ? [`left out because the snapshot has them already: ${knownCount} prices`] : []),
      ...withheldLines(withheld),
      `${has} ${rowsText(rows)}`,
      ...tableChangeLines(tableChanges),
      ...changesLines(changes),
    ],
  };
}
