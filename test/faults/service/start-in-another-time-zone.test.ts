import { createHash } from "node:crypto";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import t from "tap";
import type { Instant } from "../../../src/engine/model/calendar.ts";
import { issueKey } from "../../../src/service/auth/keys-file.ts";
import { signedHeaders } from "../../support/signed-request.ts";
import { type RunningService, startProcess } from "../../support/start-process.ts";

const goldenData = join(import.meta.dirname, "../../golden/three-counties/data");
const maize = "10000000-0000-4000-8000-000000000001";
const span = { start_date: "2025-12-01", end_date: "2026-02-28" };

const questions: readonly (readonly [path: string, body: object])[] = [
  ...["day", "week", "month", "market", "county"].map(
    (grouping) => ["/api/v1/prices/statistics", { product_uuid: maize, ...span, group_by: grouping }] as const,
  ),
  ...["2025-12-31", "2026-01-01", "2026-01-15"].map(
    (day) => ["/api/v1/prices/search", { start_date: day, end_date: day }] as const,
  ),
  ["/api/v1/prices/search", { end_date: "2025-12-31" }],
  ["/api/v1/prices/search", { start_date: "2026-01-01" }],
  ["/api/v1/prices/latest", {}],
];

t.test("the time zone of the process changes no byte of an answer", async (t) => {
  const folder = t.testdir({});
  const dataDirectory = join(folder, "data");
  await cp(goldenData, dataDirectory, { recursive: true });
  const now = (): Instant => Date.now() as Instant;
  const { key } = await issueKey(join(folder, "keys.json"), { kind: "secret", label: "test" }, now);
  const zones = ["UTC", "America/New_York"];
  const [utc = [], newYork = []] = await Promise.all(
    zones.map(async (zone) => {
      const service = await startProcess(t, folder, { DATA_DIR: dataDirectory, TZ: zone });
      return Promise.all(questions.map(([path, body]) => ask(service, key, path, JSON.stringify(body))));
    }),
  );
  for (const [index, [path, body]] of questions.entries()) {
    t.match(utc[index], { status: 200 });
    t.strictSame(newYork[index], utc[index], `${path} ${JSON.stringify(body)}`);
  }
  const months = questions.findIndex(([, body]) => "group_by" in body && body.group_by === "month");
  t.match(
    JSON.parse(newYork[months]?.text ?? ""),
    {
      data: {
        statistics: [
          { period: "2025-12", sample_count: 3 },
          { period: "2026-01", sample_count: 3 },
        ],
      },
    },
    "the year ends at midnight in Nairobi",
  );
});

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly digest: string;
}

async function ask({ baseUrl }: RunningService, key: string, path: string, body: string): Promise<Answer> {
  const headers = { ...signedHeaders({ method: "POST", path, body, key }), "Content-Type": "application/json" };
  const response = await fetch(baseUrl + path, { method: "POST", headers, body });
  const bytes = Buffer.from(await response.arrayBuffer());
  const digest = createHash("sha256").update(bytes).digest("hex");
  return { status: response.status, text: bytes.toString(), digest };
}
