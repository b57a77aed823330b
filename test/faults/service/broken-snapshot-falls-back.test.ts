import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import t from "tap";
import { programVersion } from "../../../src/engine/files/program-version.ts";
import type { Instant } from "../../../src/engine/model/calendar.ts";
import { issueKey } from "../../../src/service/auth/keys-file.ts";
import { priceRow, writeCurrentSnapshot } from "../../support/snapshot-files.ts";
import { startProcess } from "../../support/start-process.ts";

t.test("a start whose snapshots are broken serves the newest ancestor that loads, and says so", async (t) => {
  const folder = t.testdir({});
  const data = join(folder, "data");
  const oldest = await writeCurrentSnapshot(data, { createdAt: "2026-02-01T08:30:00Z" });
  const middle = await writeCurrentSnapshot(data, {
    createdAt: "2026-02-02T08:30:00Z",
    parent: oldest,
    tables: { prices: [priceRow({ unit: "stone" })] },
  });
  const newest = await writeCurrentSnapshot(data, { createdAt: "2026-02-03T08:30:00Z", parent: middle });
  appendFileSync(join(data, "snapshots", newest, "markets.ndjson"), "half a line");

  const now = (): Instant => Date.now() as Instant;
  const { key } = await issueKey(join(folder, "keys.json"), { kind: "public", label: "test" }, now);
  const { process, baseUrl, adminUrl } = await startProcess(t, folder);

  t.strictSame(await (await fetch(`${adminUrl}/ready`)).json(), {
    status: "ready",
    ...programVersion(),
    snapshot: oldest,
    prices: 1,
    broken_snapshots: [newest, middle],
    reload_error: null,
  });

  const fallbacks = process.log.filter(({ level }) => level === 50);
  t.match(fallbacks, [
    { snapshot: newest, parent: middle, msg: /markets\.ndjson.*; trying its parent$/ },
    { snapshot: middle, parent: oldest, msg: /prices\.ndjson:1: "unit" is "stone".*; trying its parent$/ },
  ]);
  t.equal(fallbacks.length, 2);
  t.match(process.logged("snapshot loaded"), [{ snapshot: oldest, prices: 1 }]);
  t.strictSame(process.complaints, []);

  const response = await fetch(`${baseUrl}/api/v1/prices/latest`, { headers: { "X-API-Key": key } });
  t.equal(response.status, 200);
  t.equal(response.headers.get("X-Snapshot-Id"), oldest);

  writeFileSync(join(data, "CURRENT"), `${oldest}\n`);
  t.equal((await fetch(`${adminUrl}/reload`, { method: "POST" })).status, 200);
  const ready = (await (await fetch(`${adminUrl}/ready`)).json()) as { readonly broken_snapshots: unknown };
  t.strictSame(ready.broken_snapshots, [], "what CURRENT names is served");
});
