import type { Command } from "commander";
import { createProgram, runProgram } from "../src/cli/command.ts";
import { commandLine } from "../src/contract/command-line.ts";

/** The commands in the order of the help, by file: one loads only its own code, which is up to half of all. */
const files: readonly {
  readonly names: readonly string[];
  readonly load: () => Promise<{ readonly addCommands: (program: Command) => void }>;
}[] = [
  { names: ["validate"], load: () => import("../src/cli/snapshot/validate.ts") },
  { names: ["publish"], load: () => import("../src/cli/snapshot/publish.ts") },
  { names: ["append"], load: () => import("../src/cli/snapshot/append.ts") },
  { names: ["accept-price", "withdraw", "reinstate"], load: () => import("../src/cli/snapshot/decision-commands.ts") },
  { names: ["drafts", "approve", "reject"], load: () => import("../src/cli/snapshot/drafts.ts") },
  { names: ["list"], load: () => import("../src/cli/snapshot/list.ts") },
  { names: ["show"], load: () => import("../src/cli/snapshot/show.ts") },
  { names: ["diff"], load: () => import("../src/cli/snapshot/diff.ts") },
  { names: ["changes"], load: () => import("../src/cli/snapshot/changes-command.ts") },
  { names: ["downloads"], load: () => import("../src/cli/snapshot/downloads-command.ts") },
  { names: ["export"], load: () => import("../src/cli/snapshot/export.ts") },
  { names: ["report"], load: () => import("../src/cli/snapshot/report-command.ts") },
  { names: ["preview"], load: () => import("../src/cli/snapshot/preview-command.ts") },
  { names: ["log"], load: () => import("../src/cli/snapshot/log-command.ts") },
  { names: ["rollback"], load: () => import("../src/cli/snapshot/rollback.ts") },
  { names: ["undo"], load: () => import("../src/cli/snapshot/undo.ts") },
  {
    names: ["announce", "forget-sequence", "push", "pin", "unpin", "publisher-key"],
    load: () => import("../src/cli/snapshot/other-machines.ts"),
  },
  { names: ["verify"], load: () => import("../src/cli/snapshot/verify.ts") },
  { names: ["gc"], load: () => import("../src/cli/snapshot/gc.ts") },
];

const snapshot = commandLine("snapshot");

const program = createProgram(snapshot, "Checks, publishes, compares and removes snapshots of the data.", [
  `${snapshot} validate new-records`,
  `${snapshot} publish new-records --dry-run`,
  `${snapshot} publish new-records --note "WFP export of July"`,
  `${snapshot} append 2026-11-21.ndjson --dry-run`,
  `${snapshot} withdraw f3faf40b-e013-51db-8734-96f1c3e4ce4e --reason "Entered for another market"`,
  `${snapshot} list`,
  `${snapshot} report --out report.html`,
  `${snapshot} export --format csv --table prices --out prices.csv`,
  `${snapshot} rollback`,
  `${snapshot} gc --keep 5 --min-age 7d --dry-run`,
]);

const [name = ""] = process.argv.slice(2);
const chosen = files.filter(({ names }) => names.includes(name));
// Without the name of a command the program shows them all, as help or as what was expected.
for (const { load } of chosen.length > 0 ? chosen : files) (await load()).addCommands(program);

await runProgram(program);
