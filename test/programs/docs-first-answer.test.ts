/** A developer with the page /docs alone: the commands that it prints get keys, a first answer and a signed one. */
import { execFile, spawnSync } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import t from "tap";
import { freePort } from "../../scripts/deploy/trial.ts";
import { findNodes, parseMarkup, textWithin } from "../support/parse-markup.ts";
import { signedHeaders } from "../support/signed-request.ts";
import { serviceEnvironment, startProcess } from "../support/start-process.ts";
import { projectFolder } from "../support/test-files.ts";

const runFile = promisify(execFile);

const lacksPrograms =
  ["curl", "openssl", "bash"].some((program) => spawnSync(program, ["--help"]).error !== undefined) &&
  "curl, openssl or bash is not there";

t.test("a key and a first signed answer from /docs alone, by its commands as printed", async (t) => {
  if (lacksPrograms) return t.comment(lacksPrograms);
  const port = await freePort();
  const keysFile = join(t.testdir({}), "keys.json");
  const variables = {
    ...{ PORT: String(port), PUBLIC_URL: `http://127.0.0.1:${port}`, KEYS_FILE: keysFile },
    DATA_DIR: join(projectFolder, "data"),
  };
  await startProcess(t, t.testdirName, variables);
  const page = await (await fetch(`http://127.0.0.1:${port}/docs`)).text();
  const blocks = findNodes(parseMarkup(page, /^(?:[/#]|https?:|data:image\/svg)/), ({ name }) => name === "pre");
  const commands = blocks.map(({ children }) => textWithin(children));
  t.equal(commands.length, 3, "keys, a first answer, a signed one");
  t.notMatch(commands.join("\n"), "…", "nothing is left for the reader to fill in");

  const env = serviceEnvironment(t.testdirName, { KEYS_FILE: keysFile });
  const script = [...commands, 'echo "$SIGNING_KEY"'].join("\necho\n");
  const { stdout } = await runFile("bash", ["-euo", "pipefail", "-c", script], { cwd: projectFolder, env });
  const [, latest = "", signed = "", key = ""] = stdout.split("\n");
  t.match(JSON.parse(latest), { data: [{ prices: [{ unit: String }] }] });
  const path = "/api/v1/prices/statistics";
  const [, body = ""] = /^BODY='(.+)'$/m.exec(commands[2] ?? "") ?? [];
  const headers = { "Content-Type": "application/json", ...signedHeaders({ method: "POST", path, body, key }) };
  const again = await fetch(`http://127.0.0.1:${port}${path}`, { method: "POST", body, headers });
  t.strictSame(JSON.parse(signed), await again.json());
  t.match(JSON.parse(signed), { data: { statistics: [{ period: "2020", sample_count: Number }] } });
});
