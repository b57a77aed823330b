/** The bucket that `npm run try -- bucket` starts, used as the lines that it prints say. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import t from "tap";
import { commandVariables, runScript } from "../../cli/run-script.ts";
import { publishedData } from "../../support/published-data.ts";
import { holdsWithin, startProcess } from "../../support/start-process.ts";
import { projectFolder } from "../../support/test-files.ts";

t.test("a bucket is tried by one command: what it prints pushes to it, and a service follows it", async (t) => {
  const root = t.testdir({});
  const bucket = spawn(process.execPath, [join(projectFolder, "scripts/try.ts"), "bucket"], {
    env: commandVariables({ TMPDIR: root }),
    stdio: ["ignore", "pipe", "inherit"],
  });
  t.teardown(() => bucket.kill("SIGKILL"));
  const lines: string[] = [];
  for await (const line of createInterface(bucket.stdout)) {
    lines.push(line);
    if (line.includes("npm start")) break;
  }
  /** The variables that a printed line sets, in front of a command or by `export`. */
  const variablesOf = (line: string): Record<string, string> =>
    Object.fromEntries(
      [...line.matchAll(/\b([A-Z][A-Z0-9_]*)=(\S+)/g)].map(([, name = "", value = ""]) => [name, value]),
    );
  const lineWith = (text: string): string => lines.find((line) => line.includes(text)) ?? "";
  const access = Object.assign({}, ...lines.filter((line) => line.startsWith("export ")).map(variablesOf));
  t.match(access, { S3_ENDPOINT: /^http:\/\/127\.0\.0\.1:\d+$/, AWS_REGION: "us-east-1" });

  const { data, ids } = await publishedData(join(root, "publisher"), 1);
  const { PUSH_TO = "" } = variablesOf(lineWith("snapshot -- announce"));
  const pushed = await runScript("snapshot", ["announce"], root, { ...access, DATA_DIR: data, PUSH_TO });
  t.match(pushed, { code: 0, stdout: /pushed/ });

  const replica = join(root, "replica");
  await mkdir(replica);
  const { ORIGIN = "" } = variablesOf(lineWith("npm start"));
  t.equal(ORIGIN, PUSH_TO);
  const { adminUrl } = await startProcess(t, replica, { ...access, ORIGIN });
  const servesIt = async (): Promise<boolean> => {
    const answer = await fetch(`${adminUrl}/snapshot`);
    return answer.ok && ((await answer.json()) as { readonly id: string }).id === ids[0];
  };
  t.ok(await holdsWithin(10_000, servesIt), "the service follows the bucket");

  const [folder = ""] = readdirSync(root).filter((name) => name.startsWith("farm-prices-bucket-"));
  t.ok(folder !== "");
  bucket.kill("SIGINT");
  const [code] = await once(bucket, "exit");
  t.equal(code, 0);
  t.notOk(existsSync(join(root, folder)), "the bucket is gone");
});
