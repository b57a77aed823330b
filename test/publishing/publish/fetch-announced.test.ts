/** A copy of the snapshot that an origin announces, for programs that load it into another database. */
import { generateKeyPairSync } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import t from "tap";
import { readCurrentIfAny } from "../../../src/engine/snapshots/current-snapshot.ts";
import { snapshotPath } from "../../../src/engine/snapshots/snapshot-layout.ts";
import { fetchAnnounced } from "../../../src/publishing/publish/fetch-announced.ts";
import { streamRows } from "../../../src/publishing/publish/stream-rows.ts";
import { openOrigin, remoteFolder } from "../../../src/publishing/transfer/origin.ts";
import { TransferError } from "../../../src/publishing/transfer/transfer-error.ts";
import { startFolderOrigin } from "../../support/folder-origin.ts";
import { daysLater, publishedData, publishTables } from "../../support/published-data.ts";
import { priceRows } from "../../support/snapshot-files.ts";

function originAt(url: string): ReturnType<typeof openOrigin> {
  const folder = remoteFolder(url, undefined);
  if (folder === undefined) throw new TypeError(`${url} is no address`);
  return openOrigin(url, folder);
}

t.test("the announced snapshot is fetched once, files that are there are linked, CURRENT stays", async (t) => {
  const root = t.testdir({ copy: {} });
  const { data, ids } = await publishedData(root, 1);
  const served = await startFolderOrigin(t, data);
  const dataDirectory = join(root, "copy");
  const request = { dataDirectory, origin: originAt(served.url), publicKey: null };
  t.equal(await fetchAnnounced(request), ids[0]);
  let text = "";
  const write = async (lines: string): Promise<void> => {
    text += lines;
  };
  const { rows } = await streamRows({ dataDirectory, id: ids[0], write });
  t.strictSame([rows, text.split("\n").length - 1], [20, 20]);
  t.equal(await readCurrentIfAny(dataDirectory), null);
  served.requests.length = 0;
  t.equal(await fetchAnnounced(request), ids[0]);
  t.strictSame(served.requests, ["/announcement.json"]);

  const next = await publishTables(root, { prices: priceRows(21) }, daysLater(1));
  served.requests.length = 0;
  t.equal(await fetchAnnounced(request), next);
  t.ok(served.requests.some((path) => path.includes("/prices.ndjson")));
  t.notOk(
    served.requests.some((path) => path.includes("/markets.ndjson")),
    "tables that have not changed are linked",
  );
});

t.test("another manifest under the announced id is refused, and an announcement the key did not sign", async (t) => {
  const root = t.testdir({ copy: {} });
  const { data } = await publishedData(root, 1);
  const served = await startFolderOrigin(t, data);
  const request = { dataDirectory: join(root, "copy"), origin: originAt(served.url), publicKey: null };
  const id = await fetchAnnounced(request);
  await writeFile(join(snapshotPath(request.dataDirectory, id), "manifest.json"), "{}");
  await t.rejects(fetchAnnounced(request), { reason: "hash", message: /found another manifest, expected that of/ });
  const { publicKey } = generateKeyPairSync("ed25519");
  await t.rejects(fetchAnnounced({ ...request, publicKey }), {
    reason: "signature",
    message: /expected one of ORIGIN_PU/,
  });
  const away = { ...request, origin: originAt(`${served.url}/elsewhere`) };
  await t.rejects(fetchAnnounced(away), TransferError);
  await t.rejects(fetchAnnounced(away), { reason: "status", message: /found status 404, expected an announcement/ });
});
