import type { Command } from "commander";
import { counted } from "../../engine/model/counted.ts";
import { toSnapshotId } from "../../engine/snapshots/snapshot-layout.ts";
import { type UndoReport, undoAppend } from "../../publishing/publish/undo-append.ts";
import { onAnnouncedDirectory } from "./push-after.ts";
import { type PublicationMessages, runPublishing } from "./run-publishing.ts";
import { addWritingCommand, type PublicationOptions } from "./snapshot-command.ts";

const description =
  "Take back one append: its prices go, and what it had replaced is again as the files below say. Small tables and " +
  "decisions stay.";

/** Adds `undo ID | FILE`: takes back one append. */
export function addCommands(program: Command): void {
  addWritingCommand(program, "undo", description, [
    "20261121T083000Z-1f2e3d4c5b6a --dry-run",
    'prices/2026-11-21.ndjson --note "Prices of another county"',
  ])
    .argument("<append>", "id of the snapshot that it published, or one of its files, as show lists them")
    .action(
      onAnnouncedDirectory(async (append: string, options: PublicationOptions) => {
        const id = toSnapshotId(append);
        const named = id === undefined ? { file: append } : { id };
        return await runPublishing(options, (request) => undoAppend({ ...request, append: named }), messages);
      }),
    );
}

const messages: PublicationMessages<UndoReport> = {
  outcomes: { published: "undone", "would-publish": "would-undo", "already-current": "unchanged" },
  summary({ undone, gone, restored }) {
    const prices = `${counted(gone, "price")} gone, ${restored} restored`;
    return `${undone.join(", ")} taken back: ${prices}`;
  },
  isOfRows: false,
  unchanged: () => "it is undone already, nothing published",
  values({ undone, gone, restored, stays, withdrawals, acceptances, tables = null }) {
    return { undone, gone, restored, stays, withdrawals, acceptances, kept_changes: tables };
  },
  problemsAfter: ({ tables }) =>
    tables === undefined
      ? ["warning: the snapshot before the append is removed, so that its changes of small tables are not known"]
      : [],
};
