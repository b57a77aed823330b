import { createProgram, orWrongUse, runProgram, WrongUseError } from "../src/cli/command.ts";
import { type ReloadReport, reloadService } from "../src/cli/reload.ts";
import { type Report, reported } from "../src/cli/render-report-lines.ts";
import { type Config, ConfigError, readConfig } from "../src/config.ts";
import { commandLine } from "../src/contract/command-line.ts";
import { programVersion, unknownCommit, versionText } from "../src/engine/files/program-version.ts";
import { readCurrentIfAny } from "../src/engine/snapshots/current-snapshot.ts";

const reloadLine = commandLine("reload");

const program = createProgram(reloadLine, "Makes the running service load the snapshot that CURRENT names now.", [
  `${reloadLine} --json`,
  `ADMIN_PORT=4001 ${reloadLine} --json`,
])
  .addHelpText("after", "\nADMIN_HOST and ADMIN_PORT are the address of the service's admin port.")
  .option("--json", "report as one JSON object")
  .action(reported(reload));

await runProgram(program);

async function reload(): Promise<Report> {
  const { adminHost, adminPort, dataDirectory } = commandConfig();
  const report = await reloadService({ host: adminHost, port: adminPort });
  const { id, changed, milliseconds } = report;
  const what = changed ? `the service now serves ${id}` : `the service serves ${id} already`;
  const current = await readCurrentIfAny(dataDirectory);
  return {
    json: { ...report, ...(current !== null && { current }) },
    lines: [
      `${what}; it took ${Math.round(milliseconds)} ms`,
      ...currentLines(id, current, dataDirectory),
      ...versionLines(report),
    ],
  };
}

/** A line where the dataset directory of this command names another snapshot. */
function currentLines(served: string, current: string | null, dataDirectory: string): readonly string[] {
  if (current === null || current === served) return [];
  return [`CURRENT in ${dataDirectory} names ${current}: the service has another DATA_DIR, or is pinned`];
}

/** A line where the service is of another version than this command. */
function versionLines({ version, commit }: ReloadReport): readonly string[] {
  const own = programVersion();
  if (version === own.version) return [];
  const found = version === undefined ? "one before 1.0.0" : versionText({ version, commit: commit ?? unknownCommit });
  return [`the version of the service is ${found}, that of this command ${versionText(own)}`];
}

function commandConfig(): Config {
  const config = orWrongUse(ConfigError, () => readConfig(process.env));
  if (config.adminPort === 0) throw new WrongUseError("ADMIN_PORT is 0, expected the port that the service chose");
  return config;
}
