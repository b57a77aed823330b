import { createProgram, orWrongUse, RefusedError, runProgram, WrongUseError } from "../src/cli/command.ts";
import { printReport } from "../src/cli/output.ts";
import { type ReloadReport, reloadService } from "../src/cli/reload-service.ts";
import { ConfigError, readConfig } from "../src/config.ts";

const program = createProgram("reload", "Has the running service serve the snapshot that CURRENT names now.", [
  "npm run reload",
  "ADMIN_PORT=4001 npm run reload -- --json",
])
  .addHelpText("after", "\nThe service is looked for at ADMIN_HOST and ADMIN_PORT, as the service reads them.")
  .option("--json", "report as one JSON object")
  .action(async ({ json = false }: { readonly json?: boolean }) => {
    try {
      const report = await reloadService(adminAddress());
      printReport(json ? `${JSON.stringify({ ok: true, ...report }, null, 2)}\n` : reportText(report));
    } catch (error) {
      if (json && error instanceof RefusedError) {
        printReport(`${JSON.stringify({ ok: false, message: error.message }, null, 2)}\n`);
      }
      throw error;
    }
  });

await runProgram(program);

function reportText({ id, changed, milliseconds }: ReloadReport): string {
  const what = changed ? `the service now serves ${id}` : `the service serves ${id} already`;
  return `${what}; it took ${Math.round(milliseconds)} ms\n`;
}

function adminAddress(): { readonly host: string; readonly port: number } {
  const { adminHost, adminPort } = orWrongUse(ConfigError, () => readConfig(process.env));
  if (adminPort === 0) throw new WrongUseError("ADMIN_PORT is 0, expected the port that the service chose");
  return { host: adminHost, port: adminPort };
}
