/** The road to a column store over several machines, as its manual has it, where ClickHouse is installed. */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import t from "tap";
import { projectFolder } from "../support/test-files.ts";

const script = join(projectFolder, "scripts/scale-out/try-clickhouse.ts");

t.test("two shards of ClickHouse answer as the service does", async (t) => {
  const { stdout } = await promisify(execFile)(process.execPath, [script]);
  if (stdout.startsWith("skipped: ")) {
    t.comment(stdout);
    return;
  }
  const lines = stdout.trimEnd().split("\n");
  t.match(lines, [/^loaded \d+ \+ \d+ prices/, /^monthly-/, /^newest-/, /^series/, "ClickHouse: all as expected"]);
  // The manual shows a run; only its times differ.
  const manual = readFileSync(join(projectFolder, "scripts/scale-out/README.md"), "utf8");
  const shown = /^loaded .+\n(?:.+\n)*?ClickHouse: all as expected$/m.exec(manual)?.[0].split("\n");
  const withoutTimes = (line: string): string => line.replaceAll(/[\d.]+ m?s$/g, "");
  t.strictSame(lines.map(withoutTimes), shown?.map(withoutTimes));
});
