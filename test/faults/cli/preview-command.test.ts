/** The preview of a snapshot or draft, which runs until it is ended. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { fileURLToPath } from "node:url";
import t, { type Test } from "tap";
import { runCommand } from "../../cli/run-command.ts";
import { commandVariables, type ScriptResult, scriptUrl } from "../../cli/run-script.ts";
import { publishedData } from "../../support/published-data.ts";
import { priceRows, writeRecords } from "../../support/snapshot-files.ts";

interface Preview {
  readonly printed: string;
  /** Ends it as Ctrl-C does. @returns Its exit code and signal. */
  readonly end: () => Promise<unknown>;
}

/** Runs `preview` until it has said where it is. */
async function preview(t: Test, data: string, ...args: readonly string[]): Promise<Preview> {
  const child = spawn(process.execPath, [fileURLToPath(scriptUrl("snapshot")), "preview", ...args], {
    env: commandVariables({ DATA_DIR: data }),
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "close");
  t.teardown(() => child.kill("SIGKILL"));
  let printed = "";
  for await (const chunk of child.stdout.setEncoding("utf8").iterator({ destroyOnReturn: false })) {
    printed += chunk;
    if (printed.includes("Ctrl-C")) break;
  }
  return {
    printed,
    end() {
      child.kill("SIGINT");
      return ended;
    },
  };
}

t.test("a draft is previewed by its id, marked on each page, with the report on it", async (t) => {
  const root = t.testdir({});
  const { data, ids } = await publishedData(root, 1);
  await writeRecords(`${root}/more`, { prices: priceRows(23) });
  const args = ["publish", "more", "--draft", "--json"];
  const drafted = await runCommand("snapshot", args, root, { DATA_DIR: data });
  const { id } = JSON.parse(drafted.stdout) as { readonly id: string };

  const { printed, end } = await preview(t, data, id);
  const [, url = ""] = /^draft \S+ at (http:\/\/127\.0\.0\.1:\d+\/explore)$/m.exec(printed) ?? [];
  t.match(printed, new RegExp(`^draft ${id} at .*\\nwhat it changes at ${url}/draft\\nCtrl-C ends it\\n$`));
  const page = await (await fetch(url)).text();
  t.match(page, "Draft, not published");
  t.match(page, `Compared with ${ids[0]}: 3 prices added, 0 corrected, 0 removed;`);
  t.match(await (await fetch(`${url}/draft`)).text(), `Report on draft ${id}`);
  t.strictSame(await end(), [0, null]);
});

t.test("without an id the current snapshot is previewed, which no page calls a draft", async (t) => {
  const { data, ids } = await publishedData(t.testdir({}), 1);
  const { printed, end } = await preview(t, data);
  t.match(printed, new RegExp(`^${ids[0]} at http://127`));
  const [, url = ""] = / at (\S+)/.exec(printed) ?? [];
  t.notMatch(await (await fetch(url)).text(), /draft/i);
  t.strictSame(await end(), [0, null]);
});

t.test("what cannot be previewed is refused in a line: no such id, no directory, a port that is taken", async (t) => {
  const root = t.testdir({});
  const { data } = await publishedData(root, 1);
  const refused = (args: readonly string[], folder = data): Promise<ScriptResult> =>
    runCommand("snapshot", ["preview", ...args], root, { DATA_DIR: folder });
  const id = "20200101T000000Z-000000000000";
  t.strictSame(await refused([id]), {
    ...{ code: 1, stdout: "" },
    stderr: `${id}: found no such snapshot or draft; list and drafts list them\n`,
  });
  t.match(await refused([], `${root}/nothing`), { code: 1, stdout: "", stderr: /^.*nothing.*\n$/ });
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  t.teardown(() => server.close());
  const { port } = server.address() as AddressInfo;
  t.match(await refused(["--port", String(port)]), { code: 1, stdout: "", stderr: /^.*--port.*\n$/ });
});
