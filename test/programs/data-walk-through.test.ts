/** The walk-throughs of the pages in data/, run as printed, and what they print. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import t, { type Test } from "tap";
import { runProcess } from "../cli/run-script.ts";
import { copyProject } from "../support/project-copy.ts";
import { projectFolder } from "../support/test-files.ts";

/** A line of its own between the outputs of two blocks. */
const separator = "--- next block ---";

/** Pages, the heading at which the commands of each begin, and how many blocks of them it has at least. */
const walkThroughs = [
  ["README.md", "## A market day", 6],
  ["FEEDS.md", "## A month of both", 6],
  ["CORRECTING.md", "# A wrong price, and drafts", 6],
] as const;

for (const [page, heading, blocksMin] of walkThroughs) {
  const title = `the commands of ${page} print what it shows, and leave nothing behind`;
  t.test(title, { timeout: 120_000 }, async (t) => await follow(t, page, heading, blocksMin));
}

async function follow(t: Test, page: string, heading: string, blocksMin: number): Promise<void> {
  const text = readFileSync(join(projectFolder, "data", page), "utf8");
  const [, section = ""] = `\n${text}`.split(`\n${heading}\n`);
  const blocks = [...section.matchAll(/^```(sh)?\n(.*?)^```$/gms)];
  const commands = blocks.filter(([, language]) => language === "sh").map(([, , shown = ""]) => withoutService(shown));
  t.ok(commands.length >= blocksMin, `${commands.length} blocks of commands`);

  const root = await copyProject(t);
  const before = readdirSync(root).sort();
  const script = commands.map((shown) => `${shown}\necho "${separator}"\n`).join("");
  const { code, stdout } = await runProcess("sh", ["-c", `exec 2>&1\n${script}`], root);
  t.equal(code, 0);
  t.same(readdirSync(root).sort(), before);

  const outputs = stdout.split(`${separator}\n`);
  let block = -1;
  for (const [, language, shown = ""] of blocks) {
    if (language === "sh") {
      block++;
      continue;
    }
    const printed = (outputs[block] ?? "").split("\n");
    for (const line of shown.trimEnd().split("\n")) {
      const [start = "", middle = "", end = middle] = line.split("…");
      const isShown = (found: string): boolean =>
        line.includes("…") ? found.startsWith(start) && found.includes(middle) && found.endsWith(end) : found === line;
      const at = printed.findIndex(isShown);
      t.ok(at >= 0, line, { found: printed });
      printed.splice(0, at + 1);
    }
  }
}

/** Commands without those that ask a running service. */
function withoutService(commands: string): string {
  return commands.replace(/^(?:npm run reload|curl ).*\n/gm, "");
}
