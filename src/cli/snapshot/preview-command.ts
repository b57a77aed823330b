import { once } from "node:events";
import type { Command } from "commander";
import { draftReportPath } from "../../contract/paths.ts";
import { readCurrent, SnapshotUnavailableError } from "../../engine/snapshots/current-snapshot.ts";
import type { SnapshotId } from "../../engine/snapshots/snapshot-layout.ts";
import { holdsSnapshot, openSnapshotStore } from "../../publishing/publish/open-published.ts";
import { readDraftReport } from "../../publishing/publish/read-publication-report.ts";
import { startPreview } from "../../service/serve/preview.ts";
import { draftSite } from "../../site/draft-site.ts";
import { site } from "../../site/site.ts";
import { checkedArgument } from "../argument.ts";
import { printProblem } from "../output.ts";
import type { Report } from "../render-report-lines.ts";
import { addDirectoryCommand, type DirectoryOptions, onDirectory, snapshotIdArgument } from "./snapshot-command.ts";

interface PreviewCommandOptions extends DirectoryOptions {
  readonly port: number;
}

const description =
  "Show a snapshot or a draft in the pages for people, on a port of this machine that nobody else reaches, until " +
  "Ctrl-C. Pages of a draft say so, and compare it with what is served.";

const portMax = 65_535;

const portArgument = checkedArgument(
  (text) => (/^\d{1,5}$/.test(text) && Number(text) <= portMax ? Number(text) : undefined),
  `a whole number from 0 to ${portMax}`,
);

/** Adds `preview [ID]`. */
export function addCommands(program: Command): void {
  addDirectoryCommand(program, "preview", description, ["", "20261120T083000Z-1f2e3d4c5b6a --port 3002"])
    .argument("[id]", "id of a snapshot or draft; the current snapshot when absent", snapshotIdArgument)
    .option("--port <port>", "port on 127.0.0.1; 0 lets the system choose", portArgument, 0)
    .action(onDirectory(preview));
}

async function preview(wanted: SnapshotId | undefined, { dataDir, port }: PreviewCommandOptions): Promise<Report> {
  const id = wanted ?? (await readCurrent(dataDir));
  const draft = wanted && (await readDraftReport(dataDir, wanted));
  if (draft === undefined && !(await holdsSnapshot(dataDir, id))) {
    throw new SnapshotUnavailableError(`${id}: found no such snapshot or draft; list and drafts list them`);
  }
  const onFailure = (_fields: object, message: string): void => printProblem(`${message}\n`);
  const { url, stop } = await startPreview({
    store: draft?.store ?? (await openSnapshotStore(dataDir, id)),
    dataDirectory: dataDir,
    site: draft === undefined ? site : draftSite(draft),
    port,
    onFailure,
  });
  const reportUrl = draft === undefined ? null : String(new URL(draftReportPath, url));
  return {
    json: { id, is_draft: draft !== undefined, url, report_url: reportUrl },
    lines: [
      `${draft === undefined ? "" : "draft "}${id} at ${url}`,
      ...(reportUrl === null ? [] : [`what it changes at ${reportUrl}`]),
      "Ctrl-C ends it",
    ],
    async afterwards() {
      await Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]);
      await stop();
    },
  };
}
