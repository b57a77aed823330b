/**
 * Checks the OpenAPI document against the recommended rules of Redocly, whose engine runs here without its command-line
 * program and sends nothing anywhere. A finding of any severity fails the check.
 */
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { createProgram, runProgram } from "../../src/cli/command.ts";
import { printProblem, printReport } from "../../src/cli/output.ts";
import { endpoints } from "../../src/service/http/endpoint-table.ts";
import { renderApiDescription } from "../../src/site/docs/openapi.ts";

const program = createProgram("npm run lint:openapi --", "Checks /openapi.json against the rules of Redocly.", [
  "npm run lint:openapi",
]).action(async () => {
  const source = renderApiDescription(endpoints, ["A source"]);
  const findings = await lintWithRedocly(source);
  for (const finding of findings) printProblem(`${finding}\n`);
  if (findings.length > 0) process.exitCode = 1;
  else printReport("openapi.json: no findings of Redocly\n");
});

await runProgram(program);

async function lintWithRedocly(source: string): Promise<string[]> {
  const config = await createConfig({ extends: ["recommended"] });
  const findings = await lintFromString({ source, config });
  return findings.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer ?? ""}`);
}
