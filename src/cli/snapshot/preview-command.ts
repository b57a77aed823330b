import { once } from "node:events";
import type { Command } from "commander";
import { readCurrent } from "../../engine/snapshots/current-snapshot.ts";
import type { SnapshotId } from "../../engine/snapshots/snapshot-layout.ts";
import { openSnapshotStore } from "../../publishing/publish/open-published.ts";
import { startPreview } from "../../service/serve/preview.ts";
import { site } from "../../site/site.ts";
import { checkedArgument } from "../argument.ts";
import { printProblem, printReport } from "../output.ts";
import { addDirectoryCommand, type DirectoryOptions, snapshotIdArgument } from "./snapshot-command.ts";

interface PreviewCommandOptions extends DirectoryOptions {
  readonly port: number;
}

const description =
  "Show a snapshot in the pages for people, on a port of this machine that nobody else reaches, until Ctrl-C.";

const portMax = 65_535;

const portArgument = checkedArgument(
  (text) => (/^\d{1,5}$/.test(text) && Number(text) <= portMax ? Number(text) : undefined),
  `a whole number from 0 to ${portMax}`,
);

/** Adds `preview [ID]`. */
export function addCommands(program: Command): void {
  addDirectoryCommand(program, "preview", description, ["", "20261120T083000Z-1f2e3d4c5b6a --port 3002"])
    .argument("[id]", "id of a snapshot; the current one when absent", snapshotIdArgument)
    .option("--port <port>", "port on 127.0.0.1; 0 lets the system choose", portArgument, 0)
    .action(preview);
}

async function preview(wanted: SnapshotId | undefined, { dataDir, port }: PreviewCommandOptions): Promise<void> {
  const id = wanted ?? (await readCurrent(dataDir));
  const store = await openSnapshotStore(dataDir, id);
  const onFailure = (_fields: object, message: string): void => printProblem(`${message}\n`);
  const { url, stop } = await startPreview({ store, dataDirectory: dataDir, site, port, onFailure });
  printReport(`${id} at ${url}\nCtrl-C ends it\n`);
  await Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]);
  await stop();
}
