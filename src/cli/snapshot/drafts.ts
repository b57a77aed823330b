/** The commands on drafts: `drafts`, `approve` and `reject`. */

import type { Command } from "commander";
import { snakeCased } from "../../engine/model/snake-case.ts";
import { lengthsMax } from "../../engine/model/text-lengths.ts";
import { readCurrentIfAny } from "../../engine/snapshots/current-snapshot.ts";
import { draftsPath, type SnapshotId } from "../../engine/snapshots/snapshot-layout.ts";
import { approveDraft, rejectDraft } from "../../publishing/publish/approve-draft.ts";
import { listSnapshots, type SnapshotEntry } from "../../publishing/publish/list-snapshots.ts";
import { WrongUseError } from "../command.ts";
import { rowsText } from "../problem-report.ts";
import type { Report } from "../render-report-lines.ts";
import { textTable } from "../text-table.ts";
import { changesLines, changesReport } from "./changes-report.ts";
import { makePublishedDownloads } from "./downloads-command.ts";
import { entryReport } from "./list.ts";
import { lapsedLines } from "./publication-fields.ts";
import { onAnnouncedDirectory } from "./push-after.ts";
import {
  addClockOption,
  addDirectoryCommand,
  changedDirectory,
  checkedText,
  type DirectoryOptions,
  onDirectory,
  snapshotIdArgument,
} from "./snapshot-command.ts";

const exampleId = "20261120T083000Z-1f2e3d4c5b6a";

/** Adds `drafts`, which lists what waits for approval, `approve ID` and `reject ID`. */
export function addCommands(program: Command): void {
  const list = "List the drafts, newest first, and which of them can still be approved.";
  addDirectoryCommand(program, "drafts", list, ["", "--json"]).action(onDirectory(listDrafts));
  const approval = "Make a draft the current snapshot, if that is still the one that it was compared with.";
  addClockOption(addDirectoryCommand(program, "approve", approval, [`${exampleId} --by "Achieng Otieno"`]))
    .argument("<id>", "id of a draft", snapshotIdArgument)
    .option("--by <name>", "who approves it: logged", checkedText("--by", lengthsMax.name))
    .option("--no-downloads", "do not make the files for download, see downloads")
    .action(onAnnouncedDirectory(approve));
  addDirectoryCommand(program, "reject", "Remove a draft.", [`${exampleId} --reason "Prices of May a second time"`])
    .argument("<id>", "id of a draft", snapshotIdArgument)
    .option("--by <name>", "who rejects it: logged", checkedText("--by", lengthsMax.name))
    .option("--reason <text>", "why, in a line: logged", checkedText("--reason"))
    .action(onDirectory(reject));
}

interface DraftOptions extends DirectoryOptions {
  readonly by?: string;
  readonly reason?: string;
  readonly allowClock?: boolean;
  readonly downloads?: boolean;
}

async function listDrafts({ dataDir }: DirectoryOptions): Promise<Report> {
  const { snapshots: drafts } = await listSnapshots(draftsPath(dataDir));
  const current = await readCurrentIfAny(dataDir);
  const isWaiting = ({ manifest }: SnapshotEntry): boolean => manifest !== undefined && manifest.parent === current;
  const rows = drafts.map((draft) => [
    draft.id,
    String(draft.rows?.prices ?? "-"),
    draft.manifest === undefined ? "broken" : isWaiting(draft) ? "waiting" : "outdated",
    draft.manifest?.parent ?? "-",
    draft.manifest?.note ?? "",
  ]);
  return {
    json: {
      current,
      drafts: drafts.map((draft) => ({ ...entryReport(draft), can_be_approved: isWaiting(draft) })),
    },
    problems: drafts.flatMap(({ fault }) => (fault === undefined ? [] : [`warning: ${fault}`])),
    lines: [rows.length === 0 ? "no draft" : textTable(["ID", "PRICES", "STATE", "COMPARED WITH", "NOTE"], rows)],
  };
}

async function approve(
  id: SnapshotId,
  { by, allowClock, downloads = true, ...options }: DraftOptions,
): Promise<Report> {
  if (by === undefined) throw new WrongUseError("--by is missing, expected who approves it");
  const approval = await approveDraft({ ...changedDirectory(options, by), id, allowClock });
  const { outcome, parent, current, rows, changesMeanwhile, lapsed } = approval;
  const seconds = options.seconds();
  const isOutdated = outcome === "outdated";
  const texts = {
    approved: `approved ${id} in ${seconds} s: ${rowsText(rows)}`,
    "already-current": `${id} is current already, nothing changed`,
    outdated: `from ${parent ?? "nothing"} to ${current ?? "nothing"}:`,
  };
  return {
    json: {
      outcome,
      id,
      parent,
      current,
      rows,
      lapsed: snakeCased(lapsed),
      ...(isOutdated ? { changes_meanwhile: changesReport(changesMeanwhile) ?? null } : {}),
      seconds,
    },
    lines: [texts[outcome], ...lapsedLines(lapsed), ...changesLines(changesMeanwhile)],
    refusal: isOutdated
      ? `${id} was compared with ${parent ?? "nothing"}, found ${current ?? "nothing"} current; draft it again`
      : undefined,
    end: { done: `published ${isOutdated ? current : id}`, isPublished: true, left: approval.unfinished },
    afterwards: downloads ? () => makePublishedDownloads(options, id) : undefined,
  };
}

async function reject(id: SnapshotId, { by, reason, ...options }: DraftOptions): Promise<Report> {
  const { unfinished: left } = await rejectDraft({ ...changedDirectory(options, by), id, reason });
  const done = `rejected ${id}`;
  const files = left.some(({ step }) => step === "cleaning") ? "" : ", its files are removed";
  return { json: { id }, lines: [`${done}${files}`], end: { done, isPublished: false, left } };
}
