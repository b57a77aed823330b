import { createProgram, runProgram } from "../src/cli/command.ts";
import { addPublishCommand } from "../src/cli/snapshot/publish.ts";
import { addValidateCommand } from "../src/cli/snapshot/validate.ts";

const program = createProgram("snapshot", "Checks and publishes snapshots of the data.", [
  "npm run snapshot -- validate new-records",
  'npm run snapshot -- publish new-records --note "Market day of 20 November"',
]);
addValidateCommand(program);
addPublishCommand(program);

await runProgram(program);
