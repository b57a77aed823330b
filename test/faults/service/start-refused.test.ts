/** One process for each kind of refusal; config.test.ts and start-service.test.ts have the others of each kind. */
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import t, { type Test } from "tap";
import { listenOn } from "../../support/listen-on.ts";
import { folderWithData, spawnService, type Variables } from "../../support/start-process.ts";

t.jobs = 2;

/** Starts what must not start: exit code 1, nothing on stdout, one line for a person on stderr. @returns The line. */
async function refusal(t: Test, folder: string, variables: Variables): Promise<string> {
  const service = spawnService(t, folder, variables);
  t.strictSame(await service.ended, { code: 1, signal: null });
  t.equal(service.stdout, "");
  t.equal(service.complaints.length, 1, "one line");
  t.strictSame(
    service.log.filter(({ level }) => Number(level) > 30),
    [],
    "the log has nothing to add",
  );
  t.notOk(existsSync(join(folder, "keys.json")), "no keys file is made");
  return service.complaints[0] ?? "";
}

t.test("a wrong variable", { buffered: true }, async (t) => {
  const folder = t.testdir({});
  const line = await refusal(t, folder, { TRUST_PROXY: "proxy.example.org" });
  t.equal(
    line,
    'TRUST_PROXY is "proxy.example.org", expected a number of proxies from 0 to 32, or IP addresses and networks ' +
      "(10.0.0.0/8), separated by commas",
  );
  t.strictSame(readdirSync(folder), [], "nothing is made");
});

t.test("a broken snapshot without a parent", { buffered: true }, async (t) => {
  const folder = await folderWithData(t);
  const [id = ""] = readdirSync(join(folder, "data/snapshots"));
  writeFileSync(join(folder, "data/snapshots", id, "prices.ndjson"), '{"uuid":\n{}\n');
  t.match(
    await refusal(t, folder, {}),
    /^snapshot \S+ does not load and has no parent: .*: \d+ problems?, the first: prices\.ndjson.* expected /,
  );
});

t.test("a port that is in use", { buffered: true }, async (t) => {
  const port = await listenOn(t, createServer());
  const line = await refusal(t, await folderWithData(t), { ADMIN_PORT: String(port) });
  t.equal(line, `ADMIN_PORT: port ${port} on 127.0.0.1 is in use, expected a free one (0 lets the system choose)`);
});
