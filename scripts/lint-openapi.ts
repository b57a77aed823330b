/**
 * Checks the OpenAPI document against the recommended rules of Redocly and Spectral, whose engines run here without
 * their command-line programs and send nothing anywhere. `npm run check` calls it; a finding of any severity fails it.
 */
import { createConfig, lintFromString } from "@redocly/openapi-core";
import spectralCore, { type RulesetDefinition } from "@stoplight/spectral-core";
import spectralRulesets from "@stoplight/spectral-rulesets";
import { createProgram, runProgram } from "../src/cli/command.ts";
import { printProblem, printReport } from "../src/cli/output.ts";
import { endpoints } from "../src/service/http/endpoint-table.ts";
import { renderApiDescription } from "../src/site/docs/openapi.ts";

const program = createProgram(
  "npm run lint:openapi --",
  "Checks /openapi.json against the rules of Redocly and Spectral.",
  ["npm run lint:openapi"],
).action(async () => {
  const source = renderApiDescription(endpoints, ["A source"]);
  const findings = [...(await lintWithRedocly(source)), ...(await lintWithSpectral(source))];
  for (const finding of findings) printProblem(`${finding}\n`);
  if (findings.length > 0) process.exitCode = 1;
  else printReport("openapi.json: no findings of Redocly and Spectral\n");
});

await runProgram(program);

async function lintWithRedocly(source: string): Promise<string[]> {
  const config = await createConfig({ extends: ["recommended"] });
  const findings = await lintFromString({ source, config });
  return findings.map(({ ruleId, message, location }) => `redocly ${ruleId}: ${message} ${location[0]?.pointer ?? ""}`);
}

async function lintWithSpectral(source: string): Promise<string[]> {
  const spectral = new spectralCore.Spectral();
  // The types of the package lack a member that a rule set which extends nothing does not need.
  const rules = spectralRulesets.oas as RulesetDefinition;
  spectral.setRuleset({ extends: [[rules, "recommended"]] });
  const findings = await spectral.run(source);
  return findings.map(({ code, message, path }) => `spectral ${code}: ${message} /${path.join("/")}`);
}
