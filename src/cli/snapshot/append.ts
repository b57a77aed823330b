import type { Command } from "commander";
import { counted } from "../../engine/model/counted.ts";
import { type AppendReport, appendPrices, countAppended } from "../../publishing/publish/append-prices.ts";
import type { Report } from "../render-report-lines.ts";
import { onAnnouncedDirectory } from "./push-after.ts";
import { type PublicationMessages, runPublishing } from "./run-publishing.ts";
import { addPublicationCommand, type PublicationOptions, requireFileOrDirectory } from "./snapshot-command.ts";

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
    .action(onAnnouncedDirectory(append));
}

async function append(files: readonly string[], options: PublicationOptions): Promise<Report> {
  for (const file of files) await requireFileOrDirectory(file);
  return await runPublishing(options, (request) => appendPrices({ ...request, files }), messages);
}

/** Messages of an append. */
const messages: PublicationMessages<AppendReport> = {
  outcomes: { published: "appended", "would-publish": "would-append", "already-current": "unchanged" },
  summary(report) {
    const { added, replaced } = countAppended(report);
    return `${counted(added, "price")} added, ${replaced} replaced`;
  },
  isOfRows: false,
  unchanged: ({ id }) => `${id} has everything already, nothing published`,
  known: (count) => `left out because the snapshot has ${count === 1 ? "it" : "them"} already`,
  values(report) {
    const { knownCount: known, withheld, keptWithdrawn: kept_withdrawn, tableChanges, keptRecords } = report;
    const tables = { table_changes: tableChanges, kept_records: keptRecords };
    return { ...countAppended(report), known, withheld, kept_withdrawn, ...tables };
  },
};
