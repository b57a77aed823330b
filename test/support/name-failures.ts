/**
 * Loaded into the runner of tap (scripts of package.json): when tests have failed, their names are the last lines,
 * after the totals, whatever the reporter.
 */
import { globSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { Parser } from "tap-parser";

/** Where tap keeps what each test file has reported. */
const resultsFolder = ".tap/test-results";
const started = Date.now();

process.on("exit", (status) => {
  if (status === 0) return;
  const files = globSync("**/*.tap", { cwd: resultsFolder }).sort();
  const names = files
    .filter((file) => statSync(join(resultsFolder, file)).mtimeMs >= started)
    .flatMap((file) => failedTests(file.slice(0, -".tap".length), readFileSync(join(resultsFolder, file), "utf8")));
  if (names.length > 0) process.stdout.write(`failed:\n${names.map((name) => `  ${name}\n`).join("")}`);
});

/** @returns The names of the assertions, or else tests, that failed in a file, after those that hold them. */
function failedTests(file: string, text: string): string[] {
  const names: string[] = [];
  const parser = new Parser();
  collectFailures(parser, [file], names);
  let isWhole = false;
  parser.on("complete", ({ ok }: { readonly ok: boolean }) => {
    isWhole = ok;
  });
  parser.end(text);
  // The file has ended before its tests have.
  return names.length > 0 || isWhole ? names : [file];
}

function collectFailures(parser: Parser, path: readonly string[], names: string[]): void {
  let before = names.length;
  parser.on("child", (child: Parser) => {
    before = names.length;
    collectFailures(child, [...path, child.name], names);
  });
  parser.on("assert", ({ ok, skip, todo, name }) => {
    // A test that has ended for its time has its name behind it alone.
    const nameless = [...path, "", ""].join(" > ");
    for (let at = before; at < names.length; at++) {
      names[at] = (names[at] as string).replace(nameless, [...path, name, ""].join(" > "));
    }
    // A test that fails by what is in it has been named so.
    if (!ok && !skip && !todo && names.length === before) names.push([...path, name].join(" > "));
    before = names.length;
  });
}
