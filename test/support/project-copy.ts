/** A folder in which commands of the manuals run as in the project, on a copy of the bundled data. */
import { cp, mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import type { Test } from "tap";
import { projectFolder } from "./test-files.ts";

/** @returns The folder, in which `data` alone is not that of the project. */
export async function copyProject(t: Test): Promise<string> {
  const root = t.testdir({});
  for (const name of ["package.json", "node_modules", "scripts", "src"]) {
    await symlink(join(projectFolder, name), join(root, name));
  }
  await mkdir(join(root, "data"));
  for (const name of ["CURRENT", "snapshots"]) {
    await cp(join(projectFolder, "data", name), join(root, "data", name), { recursive: true });
  }
  return root;
}
