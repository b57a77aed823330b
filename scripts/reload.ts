import { createProgram, orWrongUse, runProgram, WrongUseError } from "../src/cli/command.ts";
import { type ReloadReport, reloadService } from "../src/cli/reload.ts";
import { runReported } from "../src/cli/report.ts";
import { ConfigError, readConfig } from "../src/config.ts";

const program = createProgram("reload", "Makes the running service load the snapshot that CURRENT names now.", [
  "npm run reload",
  "ADMIN_PORT=4001 npm run reload -- --json",
])
  .addHelpText("after", "\nADMIN_HOST and ADMIN_PORT are the address of the service's admin port.")
  .option("--json", "report as one JSON object")
  .action(async ({ json = false }: { readonly json?: boolean }) => {
    const reload = (): Promise<ReloadReport> => reloadService(adminAddress());
    await runReported(json, reload, (report) => ({ json: { ...report }, lines: [reportText(report)] }));
  });

await runProgram(program);

function reportText({ id, changed, milliseconds }: ReloadReport): string {
  const what = changed ? `the service now serves ${id}` : `the service serves ${id} already`;
  return `${what}; it took ${Math.round(milliseconds)} ms`;
}

function adminAddress(): { readonly host: string; readonly port: number } {
  const { adminHost, adminPort } = orWrongUse(ConfigError, () => readConfig(process.env));
  if (adminPort === 0) throw new WrongUseError("ADMIN_PORT is 0, expected the port that the service chose");
  return { host: adminHost, port: adminPort };
}
