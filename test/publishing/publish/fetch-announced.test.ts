/** A copy of the snapshot that an origin announces, for programs that load it into another database. */
import { generateKeyPairSync } from "node:crypto";
import { type FileHandle, open, writeFile } from "node:fs/promises";
import { join } from "node:path";
import t from "tap";
import { readCurrentIfAny } from "../../../src/engine/snapshots/current-snapshot.ts";
import { snapshotPath } from "../../../src/engine/snapshots/snapshot-layout.ts";
import { fetchAnnounced } from "../../../src/publishing/publish/fetch-announced.ts";
import { PublishedSnapshot } from "../../../src/publishing/publish/open-published.ts";
import { streamRows } from "../../../src/publishing/publish/stream-rows.ts";
import { verifyFiles } from "../../../src/publishing/publish/verify-snapshot.ts";
import { openOrigin, remoteFolder } from "../../../src/publishing/transfer/origin.ts";
import { pushSnapshot } from "../../../src/publishing/transfer/push-snapshot.ts";
import { folderTarget } from "../../../src/publishing/transfer/push-target.ts";
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

t.test("a disk that takes a part of what is written gets the rest, compressed files and others", async (t) => {
  const root = t.testdir({ plain: {}, unpacked: {} });
  const { data } = await publishedData(root, 1);
  const pushed = join(root, "pushed");
  await pushSnapshot({ dataDirectory: data, target: folderTarget(pushed), now: daysLater(1) });
  const handle = await open(join(root, "handle"), "w");
  const write = handle.write as (chunk: Buffer, from: number, length: number, at: number | null) => unknown;
  await handle.close();
  const prototype = Object.getPrototypeOf(handle) as { write: (...args: never[]) => unknown };
  t.teardown(() => Object.assign(prototype, { write }));
  prototype.write = function half(this: FileHandle, chunk: Buffer, _from?: number, length = chunk.length, at?: number) {
    return write.call(this, chunk, 0, Math.ceil(length / 2), at ?? null);
  } as never;
  for (const [name, origin] of [
    ["plain", data],
    ["unpacked", pushed],
  ] as const) {
    const dataDirectory = join(root, name);
    const served = await startFolderOrigin(t, origin);
    const id = await fetchAnnounced({ dataDirectory, origin: originAt(served.url), publicKey: null });
    const { directory, manifest } = await PublishedSnapshot.read(dataDirectory, id);
    t.strictSame((await verifyFiles(directory, manifest)).problems, [], name);
  }
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
