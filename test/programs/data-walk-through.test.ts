/** The month of a feed and own prices, and the wrong price, in data/README.md, run as printed, and what it prints. */
import { readdirSync, readFileSync } from "node:fs";
import { cp, mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import t from "tap";
import { runProcess } from "../cli/run-script.ts";
import { projectFolder } from "../support/test-files.ts";

/** A line of its own between the outputs of two blocks. */
const separator = "--- next block ---";

t.test("the walk-through prints what the manual shows, and leaves nothing behind", { timeout: 120_000 }, async (t) => {
  const [, section = ""] = readFileSync(join(projectFolder, "data/README.md"), "utf8").split("\n### A month of both\n");
  const blocks = [...(section.split("\n## ")[0] ?? "").matchAll(/^```(sh)?\n(.*?)^```$/gms)];
  const commands = blocks.filter(([, language]) => language === "sh").map(([, , text = ""]) => text);
  t.ok(commands.length >= 6, `${commands.length} blocks of commands`);

  const root = t.testdir({});
  // The commands copy the data, and change nothing else of the project.
  for (const name of ["package.json", "node_modules", "scripts", "src"]) {
    await symlink(join(projectFolder, name), join(root, name));
  }
  await mkdir(join(root, "data"));
  for (const name of ["CURRENT", "snapshots"]) {
    await cp(join(projectFolder, "data", name), join(root, "data", name), { recursive: true });
  }
  const before = readdirSync(root).sort();
  const script = commands.map((text) => `${text}\necho "${separator}"\n`).join("");
  const { code, stdout } = await runProcess("sh", ["-c", `exec 2>&1\n${script}`], root);
  t.equal(code, 0);
  t.same(readdirSync(root).sort(), before);

  const outputs = stdout.split(`${separator}\n`);
  let block = -1;
  for (const [, language, text = ""] of blocks) {
    if (language === "sh") {
      block++;
      continue;
    }
    const printed = (outputs[block] ?? "").split("\n");
    for (const line of text.trimEnd().split("\n")) {
      const [start = "", middle = "", end = middle] = line.split("…");
      const isShown = (found: string): boolean =>
        line.includes("…") ? found.startsWith(start) && found.includes(middle) && found.endsWith(end) : found === line;
      const at = printed.findIndex(isShown);
      t.ok(at >= 0, line, { found: printed });
      printed.splice(0, at + 1);
    }
  }
});
