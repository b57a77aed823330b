import { join } from "node:path";
import t from "tap";
import { programVersion } from "../../../src/engine/files/program-version.ts";
import type { Instant } from "../../../src/engine/model/calendar.ts";
import { issueKey } from "../../../src/service/auth/keys-file.ts";
import { rawExchange } from "../../support/raw-exchange.ts";
import { signedHeaders } from "../../support/signed-request.ts";
import { folderWithData, holdsWithin, type LogLine, startProcess } from "../../support/start-process.ts";

const now = (): Instant => Date.now() as Instant;

t.test("a process that serves", async (t) => {
  const folder = await folderWithData(t);
  const keysFile = join(folder, "keys.json");
  const publicOne = await issueKey(keysFile, { kind: "public", label: "web" }, now);
  const secretOne = await issueKey(keysFile, { kind: "secret", label: "server" }, now);
  const { process, baseUrl, adminUrl } = await startProcess(t, folder, { THREADS: "2" });
  const withKey = { "X-API-Key": publicOne.key };

  await t.test("says on stdout and in the log where it listens", async (t) => {
    t.equal(process.stdout, `prices for people at ${baseUrl}/explore\nlistening on ${baseUrl}\n`);
    t.match(process.logged("listening"), [{ url: baseUrl, admin_url: adminUrl }]);
    t.match(baseUrl, /^http:\/\/127\.0\.0\.1:\d+$/);
    t.not(new URL(baseUrl).port, new URL(adminUrl).port);
    t.match(process.logged("listening"), [{ threads: 2, ...programVersion() }]);
  });

  await t.test("answers the admin port's paths", async (t) => {
    const [snapshotLine] = process.logged("snapshot loaded");
    const ready = {
      status: "ready",
      ...programVersion(),
      snapshot: snapshotLine?.["snapshot"],
      prices: 1,
      broken_snapshots: [],
      reload_error: null,
    };
    for (const [method, path, status, body] of [
      ["GET", "/live", 200, { status: "live" }],
      ["GET", "/live?verbose=1", 200, { status: "live" }],
      ["GET", "/ready", 200, ready],
      ["POST", "/live", 405, { error: "method_not_allowed", code: "METHOD_NOT_ALLOWED" }],
      ["DELETE", "/ready", 405, { error: "method_not_allowed", code: "METHOD_NOT_ALLOWED" }],
      ["GET", "/reload", 405, { error: "method_not_allowed", code: "METHOD_NOT_ALLOWED" }],
      ["GET", "/", 404, { error: "not_found", code: "NOT_FOUND" }],
      ["GET", "/live/", 404, { error: "not_found", code: "NOT_FOUND" }],
      ["GET", "/api/v1/counties", 404, { error: "not_found", code: "NOT_FOUND" }],
    ] as const) {
      const response = await fetch(adminUrl + path, { method, headers: withKey });
      t.equal(response.status, status, `${method} ${path}`);
      t.strictSame(await response.json(), body);
      const allowed = path === "/reload" ? "POST" : "GET, HEAD";
      t.equal(response.headers.get("Allow"), status === 405 ? allowed : null);
    }
    const head = await fetch(`${adminUrl}/ready`, { method: "HEAD" });
    t.strictSame([head.status, await head.text()], [200, ""]);
  });

  await t.test("does not answer the admin port's paths on the public port", async (t) => {
    for (const path of ["/live", "/ready", "/metrics", "/snapshot", "/reload"]) {
      const response = await fetch(baseUrl + path);
      t.equal(response.status, 404);
      t.match(await response.json(), { error: "not_found", code: "NOT_FOUND" });
    }
  });

  await t.test("writes one JSON line a request, without keys and signatures", async (t) => {
    const body = "{}";
    const path = "/api/v1/prices/search";
    const signed = signedHeaders({ method: "POST", path, body, key: secretOne.key });
    const json = { "Content-Type": "application/json" };
    const unknownKey = "svc_pub_UnknownPublicForTestsOnly002EhOuc";
    const inTarget = `/api/v1/counties?key=${secretOne.key}`;
    const forged = "0".repeat(64);

    await send("log-get", "GET", "/api/v1/counties", withKey);
    await send("log-head", "HEAD", "/api/v1/counties", withKey);
    await send("log-signed", "POST", path, { ...signed, ...json }, body);
    await send("log-forged", "POST", path, { ...signed, ...json, "X-Signature": forged }, body);
    await send("log-none", "GET", "/api/v1/counties", {});
    await send("log-unknown", "GET", "/api/v1/counties", { "X-API-Key": unknownKey });
    await send("log-target", "GET", inTarget, withKey);
    await send("log-lost", "GET", "/nowhere", {});

    const snapshot = process.logged("snapshot loaded")[0]?.["snapshot"];
    const publicId = publicOne.entry.id;
    const secretId = secretOne.entry.id;
    for (const [id, method, status, code, key] of [
      ["log-get", "GET", 200, undefined, publicId],
      ["log-head", "HEAD", 200, undefined, publicId],
      ["log-signed", "POST", 200, undefined, secretId],
      ["log-forged", "POST", 401, "INVALID_SIGNATURE", secretId],
      ["log-none", "GET", 401, "MISSING_API_KEY", undefined],
      ["log-unknown", "GET", 401, "INVALID_API_KEY", undefined],
      ["log-target", "GET", 400, "VALIDATION_ERROR", publicId],
      ["log-lost", "GET", 404, "NOT_FOUND", undefined],
    ] as const) {
      t.ok(await holdsWithin(1000, () => linesOf(id).length > 0), `${id} is logged`);
      const lines = linesOf(id);
      t.equal(lines.length, 1);
      const { msg, level, method: loggedMethod, status: loggedStatus, duration_ms, ...line } = lines[0] as LogLine;
      t.strictSame([msg, level, loggedMethod, loggedStatus], ["request", 30, method, status]);
      t.strictSame([line["code"], line["key"], line["snapshot"]], [code, key, snapshot]);
      t.ok(typeof duration_ms === "number" && duration_ms > 0 && duration_ms < 10_000);
    }
    t.match(
      linesOf("log-target")[0]?.["target"],
      /^\/api\/v1\/counties\?key=svc_sec_/,
      "a key in the target is masked",
    );
    for (const secret of [publicOne.key, secretOne.key, unknownKey, signed["X-Signature"], forged]) {
      t.notOk(process.stderr.includes(secret));
    }

    function linesOf(id: string): LogLine[] {
      return process.log.filter((line) => line["request_id"] === id);
    }

    async function send(id: string, method: string, target: string, headers: object, sentBody?: string): Promise<void> {
      const response = await fetch(baseUrl + target, {
        method,
        headers: { ...headers, "X-Request-Id": id },
        body: sentBody ?? null,
      });
      t.equal(response.headers.get("X-Request-Id"), id);
      await response.text();
    }
  });

  await t.test("writes a line for what is not HTTP, too", async (t) => {
    const { answers } = await rawExchange(Number(new URL(baseUrl).port), "NONSENSE\r\n\r\n");
    t.equal(answers[0]?.status, 400);
    const requestId = answers[0]?.headers["x-request-id"];
    t.ok(await holdsWithin(1000, () => process.logged("broken request").length > 0));
    t.match(process.logged("broken request"), [{ request_id: requestId, status: 400, code: "BAD_REQUEST" }]);
  });

  await t.test("writes nothing but JSON lines with level, time and process", async (t) => {
    t.strictSame(process.complaints, []);
    for (const { level, time, pid } of process.log) {
      t.equal(level, 30);
      t.equal(new Date(String(time)).toISOString(), time);
      t.equal(pid, process.child.pid);
    }
  });
});
