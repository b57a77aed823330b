/** The commands on drafts: `drafts`, `approve` and `reject`. */
import type { Command } from "commander";
import { readCurrentIfAny } from "../../dataset/current-snapshot.ts";
import { draftsPath, type SnapshotId } from "../../dataset/snapshot-layout.ts";
import { approveDraft, rejectDraft } from "../../publish/approve-draft.ts";
import { listSnapshots } from "../../publish/list-snapshots.ts";
import { WrongUseError } from "../command.ts";
import { rowsText } from "../problem-report.ts";
import { runReported } from "../report.ts";
import { textTable } from "../text-table.ts";
import { changesLines, changesReport } from "./changes-report.ts";
import { makePublishedDownloads } from "./downloads.ts";
import { entryReport } from "./list.ts";
import {
  addDirectoryCommand,
  changedDirectory,
  checkedText,
  type DirectoryOptions,
  snapshotIdArgument,
  writingWarnings,
} from "./snapshot-command.ts";

const exampleId = "20261120T083000Z-1f2e3d4c5b6a";

/** Adds `drafts`: lists what waits for approval. */
export function addDraftsCommand(program: Command): void {
  const description = "List the drafts, newest first, and which of them can still be approved.";
  addDirectoryCommand(program, "drafts", description, ["", "--json"]).action(listDrafts);
}

/** Adds `approve ID`: makes a draft the current snapshot. */
export function addApproveCommand(program: Command): void {
  const description = "Make a draft the current snapshot, if that is still the one that it was compared with.";
  addDirectoryCommand(program, "approve", description, [`${exampleId} --by "Achieng Otieno"`])
    .argument("<id>", "id of a draft", snapshotIdArgument)
    .option("--by <name>", "who approves it: logged", checkedText("--by"))
    .option("--no-downloads", "do not make the files for download, see downloads")
    .action(approve);
}

/** Adds `reject ID`: removes a draft. */
export function addRejectCommand(program: Command): void {
  addDirectoryCommand(program, "reject", "Remove a draft.", [`${exampleId} --reason "Prices of May a second time"`])
    .argument("<id>", "id of a draft", snapshotIdArgument)
    .option("--by <name>", "who rejects it: logged", checkedText("--by"))
    .option("--reason <text>", "why, in a line: logged", checkedText("--reason"))
    .action(reject);
}

interface DraftOptions extends DirectoryOptions {
  readonly by?: string;
  readonly reason?: string;
  readonly downloads?: boolean;
}

async function listDrafts({ dataDir, json }: DirectoryOptions): Promise<void> {
  await runReported(
    json,
    async () => ({
      drafts: (await listSnapshots(draftsPath(dataDir))).snapshots,
      current: await readCurrentIfAny(dataDir),
    }),
    ({ drafts, current }) => ({
      json: {
        current,
        drafts: drafts.map((entry) => ({
          ...entryReport(entry),
          can_be_approved: entry.manifest !== undefined && entry.manifest.parent === current,
        })),
      },
      problems: drafts.flatMap(({ fault }) => (fault === undefined ? [] : [`warning: ${fault}`])),
      lines: [
        drafts.length === 0
          ? "no draft"
          : textTable(
              ["ID", "PRICES", "STATE", "COMPARED WITH", "NOTE"],
              drafts.map(({ id, rows, manifest }) => [
                id,
                String(rows?.prices ?? "-"),
                manifest === undefined ? "broken" : manifest.parent === current ? "waiting" : "outdated",
                manifest?.parent ?? "-",
                manifest?.note ?? "",
              ]),
            ),
      ],
    }),
  );
}

async function approve(id: SnapshotId, { by, downloads = true, ...options }: DraftOptions): Promise<void> {
  if (by === undefined) throw new WrongUseError("--by is missing, expected who approves it");
  await runReported(
    options.json,
    async () => await approveDraft({ ...changedDirectory(options, by), id }),
    ({ outcome, parent, current, rows, changesMeanwhile, logFault }, seconds) => {
      const isOutdated = outcome === "outdated";
      const texts = {
        approved: `approved ${id} in ${seconds} s: ${rowsText(rows)}`,
        "already-current": `${id} is current already, nothing changed`,
        outdated: `from ${parent ?? "nothing"} to ${current ?? "nothing"}:`,
      };
      return {
        json: {
          ...{ outcome, id, parent, current, rows },
          ...(isOutdated ? { changes_meanwhile: changesReport(changesMeanwhile) ?? null } : {}),
          seconds,
        },
        problems: writingWarnings(undefined, logFault),
        lines: [texts[outcome], ...changesLines(changesMeanwhile)],
        refusal: isOutdated
          ? `${id} was compared with ${parent ?? "nothing"}, found ${current ?? "nothing"} current; draft it again`
          : undefined,
      };
    },
  );
  if (downloads) await makePublishedDownloads(options.dataDir, id);
}

async function reject(id: SnapshotId, { by, reason, ...options }: DraftOptions): Promise<void> {
  await runReported(
    options.json,
    async () => await rejectDraft({ ...changedDirectory(options, by), id, reason }),
    (logFault) => ({
      json: { id },
      problems: writingWarnings(undefined, logFault),
      lines: [`rejected ${id}, its files are removed`],
    }),
  );
}
