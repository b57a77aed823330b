/** The help text of every program names a command line that starts this program. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import t from "tap";
import { runScript } from "../../cli/run-script.ts";
import { projectFolder } from "../../support/test-files.ts";

const { scripts: npmScripts } = JSON.parse(readText("package.json")) as {
  readonly scripts: Readonly<Record<string, string>>;
};

const programs = globSync("scripts/**/*.ts", { cwd: projectFolder })
  .map((file) => file.replaceAll("\\", "/"))
  .filter((file) => readText(file).includes("createProgram("));

/** The file that a command line of a help text starts; undefined where it starts none. */
function startedFile(commandLine: string): string | undefined {
  const [, script = "", name] = /^npm run (\S+) --(?: (\w+))?$/.exec(commandLine) ?? [];
  const [, file] = /^node scripts\/run\.js (?:--\S+ )*(\S+)$/.exec(npmScripts[script] ?? commandLine) ?? [];
  if (name === undefined || file === undefined) return file;
  const [, named] = new RegExp(`^ {2}${name}: trial\\(\\s*"([^"]+)"`, "m").exec(readText(file)) ?? [];
  return named === undefined ? undefined : `scripts/${named}`;
}

function readText(file: string): string {
  return readFileSync(join(projectFolder, file), "utf8");
}

t.test("the first line of every help text names a command that exists and is this program", async (t) => {
  t.ok(programs.length >= 14, `found ${programs.length} programs`);
  const helps = await Promise.all(
    programs.map((file) => runScript(file.slice("scripts/".length, -".ts".length), ["--help"], projectFolder)),
  );
  for (const [at, file] of programs.entries()) {
    const [, commandLine = ""] = /^Usage: (.+?) (?:\[|<)/.exec(helps[at]?.stdout ?? "") ?? [];
    t.equal(startedFile(commandLine), file, `${file}: ${commandLine}`);
  }
});
