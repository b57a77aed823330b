/** The road to a column store over several machines, as its manual has it, where ClickHouse is installed. */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import t from "tap";
import { projectFolder } from "../support/test-files.ts";

const folder = join(projectFolder, "scripts/scale-out");

t.test("two shards of ClickHouse answer as the service does, also without one of their replicas", async (t) => {
  const { stdout } = await promisify(execFile)(process.execPath, [join(folder, "try-clickhouse.ts")]);
  if (stdout.startsWith("skipped: ")) {
    t.comment(stdout);
    return;
  }
  const lines = stdout.trimEnd().split("\n");
  const questions = [/^latest-/, /^monthly-/, /^search-/, /^series/];
  const killed = /^a replica of the first shard is killed/;
  const expected = [/^loaded \d+ prices/, /^left/, /^the next/, ...questions, killed, ...questions];
  t.match(lines, [...expected, "ClickHouse: all as expected"]);
  // The manual shows a run; only its times and bytes differ.
  const manual = readFileSync(join(folder, "CLICKHOUSE.md"), "utf8");
  const shown = /^loaded .+\n(?:.+\n)*?ClickHouse: all as expected$/m.exec(manual)?.[0].split("\n");
  const withoutFigures = (line: string): string => line.replaceAll(/[\d.]+ (?:m?s|[kM]?B|bytes)\b/g, "");
  t.strictSame(lines.map(withoutFigures), shown?.map(withoutFigures));
});
