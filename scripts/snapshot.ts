import type { Command } from "commander";
import { createProgram, runProgram } from "../src/cli/command.ts";

/** What adds each command, in the order of the help. A command loads only its own code, which is up to half of all. */
const commands: Readonly<Record<string, () => Promise<(program: Command) => void>>> = {
  validate: async () => (await import("../src/cli/snapshot/validate.ts")).addValidateCommand,
  publish: async () => (await import("../src/cli/snapshot/publish.ts")).addPublishCommand,
  append: async () => (await import("../src/cli/snapshot/append.ts")).addAppendCommand,
  "accept-price": async () => (await import("../src/cli/snapshot/rulings.ts")).addAcceptCommand,
  withdraw: async () => (await import("../src/cli/snapshot/rulings.ts")).addWithdrawCommand,
  reinstate: async () => (await import("../src/cli/snapshot/rulings.ts")).addReinstateCommand,
  drafts: async () => (await import("../src/cli/snapshot/drafts.ts")).addDraftsCommand,
  approve: async () => (await import("../src/cli/snapshot/drafts.ts")).addApproveCommand,
  reject: async () => (await import("../src/cli/snapshot/drafts.ts")).addRejectCommand,
  list: async () => (await import("../src/cli/snapshot/list.ts")).addListCommand,
  show: async () => (await import("../src/cli/snapshot/show.ts")).addShowCommand,
  diff: async () => (await import("../src/cli/snapshot/diff.ts")).addDiffCommand,
  downloads: async () => (await import("../src/cli/snapshot/downloads.ts")).addDownloadsCommand,
  export: async () => (await import("../src/cli/snapshot/export.ts")).addExportCommand,
  report: async () => (await import("../src/cli/snapshot/report.ts")).addReportCommand,
  log: async () => (await import("../src/cli/snapshot/log.ts")).addLogCommand,
  rollback: async () => (await import("../src/cli/snapshot/rollback.ts")).addRollbackCommand,
  announce: async () => (await import("../src/cli/snapshot/announce.ts")).addAnnounceCommand,
  push: async () => (await import("../src/cli/snapshot/push.ts")).addPushCommand,
  pin: async () => (await import("../src/cli/snapshot/pin.ts")).addPinCommand,
  unpin: async () => (await import("../src/cli/snapshot/pin.ts")).addUnpinCommand,
  "publisher-key": async () => (await import("../src/cli/snapshot/publisher-key.ts")).addPublisherKeyCommand,
  verify: async () => (await import("../src/cli/snapshot/verify.ts")).addVerifyCommand,
  gc: async () => (await import("../src/cli/snapshot/gc.ts")).addGarbageCommand,
};

const program = createProgram("snapshot", "Checks, publishes, compares and removes snapshots of the data.", [
  "npm run snapshot -- validate new-records",
  "npm run snapshot -- publish new-records --dry-run",
  'npm run snapshot -- publish new-records --note "WFP export of July"',
  "npm run snapshot -- append 2026-11-21.ndjson --dry-run",
  'npm run snapshot -- withdraw f3faf40b-e013-51db-8734-96f1c3e4ce4e --reason "Entered for another market"',
  "npm run snapshot -- list",
  "npm run snapshot -- report --out report.html",
  "npm run snapshot -- export --format csv --table prices --out prices.csv",
  "npm run snapshot -- rollback",
  "npm run snapshot -- gc --keep 5 --min-age 7d --dry-run",
]);

const [name = ""] = process.argv.slice(2);
const all = Object.entries(commands);
const chosen = all.filter(([known]) => known === name);
// Without the name of a command the program shows them all, as help or as what was expected.
for (const [, load] of chosen.length > 0 ? chosen : all) (await load())(program);

await runProgram(program);
