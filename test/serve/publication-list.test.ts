import { rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import t from "tap";
import { listPublications } from "../../src/serve/publication-list.ts";
import { publishedData } from "../support/published-data.ts";

t.test("the snapshots that are kept are listed, newest first, with what they hold and follow", async (t) => {
  const { data, ids } = await publishedData(t.testdir({}), 3);
  const [first, second, third] = ids;
  t.match(await listPublications(data), [
    { id: third, parent: second, rows: { prices: 22 }, replacedPrices: 0, publishedAt: "2026-11-22T08:30:00.000Z" },
    { id: second, parent: first, rows: { prices: 21 } },
    { id: first, parent: null, rows: { prices: 20 } },
  ]);
  await rm(join(data, "snapshots", String(second), "manifest.json"));
  const left = await listPublications(data);
  t.strictSame(
    left?.map(({ id }) => id),
    [third, first],
    "a broken one is left out",
  );
});

t.test("a folder that cannot be read is no list", async (t) => {
  const root = t.testdir({ data: {} });
  t.strictSame(await listPublications(join(root, "data")), [], "one without snapshots is an empty one");
  await symlink("snapshots", join(root, "data", "snapshots"));
  t.equal(await listPublications(join(root, "data")), null);
});
