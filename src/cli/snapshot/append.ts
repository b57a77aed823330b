import { stat } from "node:fs/promises";
import type { Command } from "commander";
import { counted } from "../../engine/model/counted.ts";
import { type AppendReport, appendPrices } from "../../publishing/publish/append-prices.ts";
import type { PublicationOutcome } from "../../publishing/publish/publication.ts";
import { countAppended } from "../../publishing/publish/publication-log.ts";
import { WrongUseError } from "../command.ts";
import { rowsText } from "../problem-report.ts";
import type { Report } from "../render-report-lines.ts";
import { keptRecordLines, tableChangeLines } from "./changes-report.ts";
import { type PublicationDetails, runPublishing, withheldLines } from "./run-publishing.ts";
import { addPublicationCommand, onDirectory, type PublicationOptions } from "./snapshot-command.ts";

const description =
  "Publish new and corrected prices, products, markets and units on top of the current snapshot; a known uuid is " +
  "replaced.";

/** Adds `append FILE…`: publishes new and corrected prices on top of the current snapshot. */
export function addCommands(program: Command): void {
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
    .action(onDirectory(append));
}

async function append(files: readonly string[], options: PublicationOptions): Promise<Report> {
  for (const file of files) {
    const stats = await stat(file).catch(() => undefined);
    if (stats?.isFile() !== true && stats?.isDirectory() !== true) throw new WrongUseError(`${file}: no such file`);
  }
  return await runPublishing(options, (request) => appendPrices({ ...request, files }), detailsOf);
}

/** The words of the JSON report for what was done with the snapshot; other outcomes are called as they are. */
const outcomeWords: Readonly<Partial<Record<PublicationOutcome, string>>> = {
  published: "appended",
  "would-publish": "would-append",
  "already-current": "unchanged",
};

function detailsOf(report: AppendReport): PublicationDetails {
  const { outcome, id, rows, files, knownCount, withheld, tableChanges, keptRecords } = report;
  const { added, replaced } = countAppended(files);
  const outcomeWord = outcomeWords[outcome] ?? outcome;
  const tables = { table_changes: tableChanges, kept_records: keptRecords };
  const json = { outcome: outcomeWord, added, replaced, known: knownCount, withheld, ...tables };
  const jsonEnd = { stage_seconds: report.seconds };
  if (outcome === "already-current") {
    const stays = `${id} has everything already, nothing published`;
    const lines = [stays, ...withheldLines(withheld), ...keptRecordLines(keptRecords)];
    return { json, jsonEnd, summary: undefined, lines };
  }
  return {
    json,
    jsonEnd,
    summary: `${counted(added, "price")} added, ${replaced} replaced`,
    lines: [
      ...knownLines(knownCount),
      ...withheldLines(withheld),
      `${outcome === "would-publish" ? "it would have" : "it has"} ${rowsText(rows)}`,
      ...tableChangeLines(tableChanges),
      ...keptRecordLines(keptRecords),
    ],
  };
}

/** A line that counts the prices left out because they are there already; none where there are none. */
function knownLines(known: number): string[] {
  const which = known === 1 ? "it" : "them";
  return known === 0 ? [] : [`left out because the snapshot has ${which} already: ${counted(known, "price")}`];
}
