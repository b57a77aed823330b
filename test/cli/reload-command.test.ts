import { createServer, type RequestListener } from "node:http";
import t, { type Test } from "tap";
import { freePort } from "../../scripts/deploy/trial.ts";
import { programVersion, versionText } from "../../src/engine/files/program-version.ts";
import { listenOn } from "../support/listen-on.ts";
import { runCommand } from "./run-command.ts";
import { runScript, type ScriptResult } from "./run-script.ts";

/** Runs the command against an admin port that answers like this. */
async function reloadAgainst(
  t: Test,
  answer: RequestListener,
  args: readonly string[] = [],
  directory = t.testdir({}),
): Promise<ScriptResult> {
  const port = await listenOn(t, createServer(answer));
  return await runCommand("reload", args, directory, { ADMIN_HOST: "127.0.0.1", ADMIN_PORT: String(port) });
}

function answering(status: number, body: unknown): RequestListener {
  return (_request, response) => {
    response.writeHead(status, { "Content-Type": "application/json" });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  };
}

t.test("the id and the time are printed once the service serves the snapshot", async (t) => {
  const asked: string[] = [];
  const result = await reloadAgainst(t, (request, response) => {
    asked.push(`${request.method} ${request.url}`);
    const answer = { id: "20261120T083000Z-0123456789ab", changed: true, milliseconds: 41.7, ...programVersion() };
    answering(200, answer)(request, response);
  });
  t.same(asked, ["POST /reload"]);
  t.same(result, {
    code: 0,
    stdout: "the service now serves 20261120T083000Z-0123456789ab; it took 42 ms\n",
    stderr: "",
  });
});

t.test("a service that serves it already says so", async (t) => {
  const answer = { id: "20261120T083000Z-0123456789ab", changed: false, milliseconds: 1 };
  const { code, stdout } = await reloadAgainst(t, answering(200, answer), ["--json"]);
  t.equal(code, 0);
  t.same(JSON.parse(stdout), { ok: true, ...answer });
});

t.test("a service that serves another snapshot than CURRENT of the dataset directory names says so", async (t) => {
  const answer = { id: "20261120T083000Z-0123456789ab", changed: false, milliseconds: 1, ...programVersion() };
  const run = async (current: string, args: readonly string[] = []) => {
    const { code, stdout } = await reloadAgainst(
      t,
      answering(200, answer),
      args,
      t.testdir({ data: { CURRENT: current } }),
    );
    t.equal(code, 0);
    return stdout;
  };
  const other = "20261121T083000Z-0123456789ab";
  const lines = (await run(`${other}\n`)).trimEnd().split("\n").slice(1);
  t.strictSame(lines, [`CURRENT in data names ${other}: the service has another DATA_DIR, or is pinned`]);
  t.match(JSON.parse(await run(`${other}\n`, ["--json"])), { id: answer.id, current: other });
  t.notMatch(await run(`${answer.id}\n`), /CURRENT/);
});

t.test("a service of another version than the command says so", async (t) => {
  const answer = { id: "20261120T083000Z-0123456789ab", changed: true, milliseconds: 1 };
  const own = versionText(programVersion());
  for (const [fields, found] of [
    [{}, "one before 1.0.0"],
    [{ version: "9.0.0", commit: "0123456789abcdef" }, "9.0.0 (0123456789ab)"],
  ] as const) {
    const { code, stdout } = await reloadAgainst(t, answering(200, { ...answer, ...fields }));
    t.equal(code, 0);
    t.match(stdout, `\nthe version of the service is ${found}, that of this command ${own}\n`);
  }
});

t.test("when the old snapshot stayed, the reason is reported and the exit status is 1", async (t) => {
  const refusal = { id: "20261119T083000Z-0123456789ab", error: { message: "crops.json: no such file" } };
  t.same(await reloadAgainst(t, answering(500, refusal)), {
    code: 1,
    stdout: "",
    stderr: "the service did not reload: crops.json: no such file; it still serves 20261119T083000Z-0123456789ab\n",
  });
  const { code, stdout } = await reloadAgainst(t, answering(409, { error: "busy" }), ["--json"]);
  t.equal(code, 1);
  t.same(JSON.parse(stdout), { ok: false, message: "the service did not reload: busy" });
});

t.test("an answer that is none of this is reported with its status", async (t) => {
  t.match(await reloadAgainst(t, answering(404, "not found")), {
    code: 1,
    stderr: /did not reload: it answered 404\n$/,
  });
  t.match(await reloadAgainst(t, answering(200, "[]")), { code: 1, stderr: /did not reload: it answered 200\n$/ });
});

t.test("when no service answers, that is reported with the address", async (t) => {
  const port = await freePort();
  const advice = "start it, or set ADMIN_HOST and ADMIN_PORT as it has them";
  t.same(await runScript("reload", [], t.testdir({}), { ADMIN_PORT: String(port) }), {
    code: 1,
    stdout: "",
    stderr: `no service answers at 127.0.0.1:${port} (ECONNREFUSED): ${advice}\n`,
  });
});

t.test("a wrong variable is wrong use", async (t) => {
  const run = (env: Record<string, string>) => runCommand("reload", [], t.testdir({}), env);
  t.match(await run({ ADMIN_PORT: "http" }), { code: 2, stderr: /^ADMIN_PORT is "http"/ });
  t.match(await run({ ADMIN_PORT: "0" }), { code: 2, stderr: /^ADMIN_PORT is 0/ });
});
