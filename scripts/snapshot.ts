import { createProgram, runProgram } from "../src/cli/command.ts";
import { addAppendCommand } from "../src/cli/snapshot/append.ts";
import { addDiffCommand } from "../src/cli/snapshot/diff.ts";
import { addDownloadsCommand } from "../src/cli/snapshot/downloads.ts";
import { addExportCommand } from "../src/cli/snapshot/export.ts";
import { addGarbageCommand } from "../src/cli/snapshot/gc.ts";
import { addListCommand } from "../src/cli/snapshot/list.ts";
import { addPublishCommand } from "../src/cli/snapshot/publish.ts";
import { addReportCommand } from "../src/cli/snapshot/report.ts";
import { addRollbackCommand } from "../src/cli/snapshot/rollback.ts";
import { addShowCommand } from "../src/cli/snapshot/show.ts";
import { addValidateCommand } from "../src/cli/snapshot/validate.ts";
import { addVerifyCommand } from "../src/cli/snapshot/verify.ts";

const program = createProgram("snapshot", "Checks, publishes, compares and removes snapshots of the data.", [
  "npm run snapshot -- validate new-records",
  "npm run snapshot -- publish new-records --dry-run",
  'npm run snapshot -- publish new-records --note "WFP export of July"',
  "npm run snapshot -- append 2026-11-21.ndjson --dry-run",
  "npm run snapshot -- list",
  "npm run snapshot -- report --out report.html",
  "npm run snapshot -- export --format csv --table prices --out prices.csv",
  "npm run snapshot -- rollback",
  "npm run snapshot -- gc --keep 5 --min-age 7d --dry-run",
]);
addValidateCommand(program);
addPublishCommand(program);
addAppendCommand(program);
addListCommand(program);
addShowCommand(program);
addDiffCommand(program);
addDownloadsCommand(program);
addExportCommand(program);
addReportCommand(program);
addRollbackCommand(program);
addVerifyCommand(program);
addGarbageCommand(program);

await runProgram(program);
