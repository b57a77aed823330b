/**
 * Asks the registry about the installed packages: whether each is the one that the registry signed, and whether holes
 * are known in those that the service uses. Exit status 1 when the registry answers and names a package. One that does
 * not answer, as a mirror may not, says nothing about packages: a line says so, and nothing fails.
 */
import { spawnSync } from "node:child_process";
import { printProblem, printReport } from "../src/cli/output.ts";
import { parseObject } from "../src/engine/model/json-object.ts";

const questions = [
  { args: ["audit", "signatures"], reportField: "invalid" },
  { args: ["audit", "--omit=dev"], reportField: "auditReportVersion" },
] as const;

for (const { args, reportField } of questions) {
  const command = `npm ${args.join(" ")}`;
  const { stdout, status, error } = spawnSync("npm", [...args, "--json", "--fetch-retries=0"], { encoding: "utf8" });
  const report = parseObject(stdout ?? "");
  if (report === undefined || !(reportField in report)) {
    printReport(
      `${command}: nothing checked, the registry does not answer: ` +
        `${reasonOf(report) ?? error?.message ?? "no report"}\n`,
    );
  } else if (status === 0) {
    printReport(`${command}: nothing found\n`);
  } else {
    printProblem(`${command}: ${stdout.trim()}`);
    process.exitCode = 1;
  }
}

/** What npm prints instead of a report. */
function reasonOf(answer: Readonly<Record<string, unknown>> | undefined): string | undefined {
  const { message, error } = (answer ?? {}) as { message?: string; error?: { summary?: string } };
  return message ?? error?.summary;
}
