/** The command line of load-clickhouse.ts. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import t from "tap";
import { runProcess, runScript, scriptUrl } from "../../cli/run-script.ts";
import { startServer } from "../../scale-out/fake-clickhouse.ts";
import { publishedData } from "../../support/published-data.ts";
import { writeCurrentSnapshot } from "../../support/snapshot-files.ts";
import { lacksPosix } from "../../support/why-skipped.ts";

const name = "scale-out/load-clickhouse";

t.test("--stdout prints the rows of the current snapshot, and says on stderr how many", async (t) => {
  const root = t.testdir({});
  const { data, ids } = await publishedData(root, 2);
  const { code, stdout, stderr } = await runScript(name, ["--stdout", "--data-dir", data], root);
  t.equal(code, 0);
  const rows = stdout.trimEnd().split("\n");
  t.equal(rows.length, 21);
  t.type(JSON.parse(rows[0] ?? "").price, "number");
  t.match(stderr, new RegExp(`^21 prices of ${ids[1]} in [\\d.]+ s\n$`));
  const older = await runScript(name, [ids[0] ?? "", "--stdout"], root, { DATA_DIR: data });
  t.equal(older.stdout.trimEnd().split("\n").length, 20);
});

t.test("a snapshot without prices is reported as loaded, and the second time as loaded already", async (t) => {
  const data = t.testdir({});
  const id = await writeCurrentSnapshot(data, { tables: { prices: [] } });
  const { url } = await startServer(t);
  const args = ["--url", url.href, "--data-dir", data];
  const loaded = await runScript(name, args, data);
  t.match(
    loaded.stdout,
    new RegExp(`^loaded 0 prices of ${id} in [\\d.]+ s: 0 B\nleft out: 0 replaced, 0 withdrawn\n$`),
  );
  t.equal((await runScript(name, args, data)).stdout, `${id} is loaded already\n`);
});

t.test("wrong use exits with 2, and what cannot be read or reached with 1, in a line that names it", async (t) => {
  const root = t.testdir({});
  const { data } = await publishedData(root, 1);
  const directory = ["--data-dir", data];
  const expected = [
    [[], 2, "expected either --url or --stdout\n"],
    [["--stdout", "--url", "http://127.0.0.1:9"], 2, "expected either --url or --stdout\n"],
    [["--stdout", "--json"], 2, "--json is given with --stdout, which has the rows\n"],
    [["--url", "http://user:secret@127.0.0.1"], 2, /without a user/],
    [["--url", "ftp://127.0.0.1"], 2, /^--url is not as expected: http:\/\/host:8123/],
    [["--stdout", "--origin", "s3:///"], 2, /^--origin is "s3:\/\/\/", expected https/],
    [["--stdout", "--data-dir", join(root, "none")], 1, /none: found no such folder, expected the dataset directory/],
    [["--url", "http://127.0.0.1:9"], 1, /^127\.0\.0\.1:9: connect ECONNREFUSED/],
    [["20200101T000000Z-000000000000", "--stdout"], 1, /20200101T000000Z-000000000000/],
  ] as const;
  for (const [args, code, message] of expected) {
    const allArgs = args.includes("--data-dir" as never) ? args : [...args, ...directory];
    const result = await runScript(name, allArgs, root);
    t.match(result, { code, stdout: "", stderr: message }, args.join(" "));
    t.notMatch(result.stderr, /^ {4}at |secret/m);
  }
});

t.test("a reader that closes the pipe ends the command with 1", { skip: lacksPosix }, async (t) => {
  const root = t.testdir({});
  const { data } = await publishedData(root, 1);
  const command = `"$0" "$1" --stdout --data-dir "$2" | true; echo "\${PIPESTATUS[0]}"`;
  const script = fileURLToPath(scriptUrl(name));
  const { stdout, stderr } = await runProcess("bash", ["-c", command, process.execPath, script, data], root);
  t.equal(stdout, "1\n");
  t.equal(stderr, "the reader of the rows has closed the pipe\n");
});
