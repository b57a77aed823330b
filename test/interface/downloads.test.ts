/** Downloads over HTTP; that they are right, test/publishing/publish compares with a scan. */
import { createHash, randomBytes } from "node:crypto";
import { mkdir, readFile, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import t, { type Test } from "tap";
import type { SnapshotId } from "../../src/engine/snapshots/snapshot-layout.ts";
import { makeDownloads } from "../../src/publishing/publish/make-downloads.ts";
import { requestedRange } from "../../src/service/http/answer/file-conditions.ts";
import { DownloadFiles } from "../../src/service/serve/download-files.ts";
import { conditionsOf } from "../support/conditions.ts";
import { expectError } from "../support/expect-answer.ts";
import { tuplesOf } from "../support/fields-of.ts";
import { publishedData } from "../support/published-data.ts";
import { publicKey } from "../support/signed-request.ts";
import { type RunningApp, startApp } from "../support/start-app.ts";
import { holdsWithin } from "../support/start-process.ts";
import { placesOf, testAdmission } from "../support/test-admission.ts";

const prefix = "/api/v1/downloads";

interface Entry {
  readonly snapshot: string;
  readonly state: string;
  readonly files: readonly { name: string; bytes: number; sha256: string; media_type: string; rows: number | null }[];
}

interface Published {
  readonly data: string;
  readonly ids: readonly SnapshotId[];
  readonly app: RunningApp;
}

/** An app with so many published snapshots, whose downloads are made. */
async function startPublished(t: Test, count: number): Promise<Published> {
  const { data, ids } = await publishedData(t.testdir({}), count);
  for (const id of ids) await makeDownloads(data, id);
  const app = await startApp(t, undefined, { deps: { downloads: new DownloadFiles(data), exportAccess: "public" } });
  return { data, ids, app };
}

t.test("downloads of kept snapshots are listed and served, whole, in parts, or not again", async (t) => {
  const root = t.testdir({});
  const { data, ids } = await publishedData(root, 2);
  const [first, second] = ids as [SnapshotId, SnapshotId];
  const admission = testAdmission();
  const deps = { downloads: new DownloadFiles(data), admission, exportAccess: "public" } as const;
  const app = await startApp(t, undefined, { deps });
  const missing = { note: null, state: "not_made", problem: null, files: [] };
  t.match((await app.get(prefix)).body, {
    data: [
      { snapshot: second, published_at: "2026-11-21T08:30:00.000Z", ...missing },
      { snapshot: first, published_at: "2026-11-20T08:30:00.000Z", ...missing },
    ],
  });
  expectError(t, await app.get(`${prefix}/${second}/series.csv`), { code: "NOT_FOUND" }, "nothing here makes them");
  const changes = await app.get(`${prefix}/${second}/changes.csv.gz`);
  t.match(changes, { status: 200, headers: { "content-type": "application/gzip" } }, "publishing makes this one");
  for (const id of ids) await makeDownloads(data, id);
  const listed = await app.get(prefix);
  t.notOk("etag" in listed.headers, "the list changes while a snapshot is served");
  const { data: entries } = listed.body as { data: Entry[] };
  t.strictSame(tuplesOf(entries, "snapshot", "state"), [
    [second, "made"],
    [first, "made"],
  ]);
  t.match(entries[0]?.files.at(-1), { name: "changes.csv.gz", table: "changes", rows: 1 });
  for (const { name, bytes, sha256, media_type: type } of entries[1]?.files ?? []) {
    const path = `${prefix}/${first}/${name}`;
    const whole = await app.get(path);
    t.match(whole, {
      status: 200,
      headers: {
        "content-type": type,
        "content-length": String(bytes),
        etag: `"${sha256}"`,
        "cache-control": "private, max-age=31536000, immutable",
        "accept-ranges": "bytes",
        "x-snapshot-id": first,
        "content-disposition": `attachment; filename="${first}-${name}"`,
        "access-control-expose-headers": /\bETag\b.*Content-Disposition, Content-Range, Accept-Ranges$/,
      },
    });
    t.equal(createHash("sha256").update(whole.bytes).digest("hex"), sha256, name);
    const folder = name === "changes.csv.gz" ? "snapshots" : "downloads";
    t.ok(whole.bytes.equals(await readFile(join(data, folder, first, name))));
    const part = await app.get(path, { Range: "bytes=4-9" });
    t.strictSame(
      [part.status, part.headers["content-range"], part.headers["content-length"], part.bytes],
      [206, `bytes 4-9/${bytes}`, "6", whole.bytes.subarray(4, 10)],
    );
    const last = await app.get(path, { Range: "bytes=-5", "If-Range": `"${sha256}"` });
    t.ok(last.bytes.equals(whole.bytes.subarray(-5)));
    t.equal((await app.get(path, { Range: "bytes=-5", "If-Range": '"another"' })).status, 200);
    t.equal((await app.get(path, { "If-None-Match": `"a", "${sha256}"` })).status, 304);
    const head = await app.send({ method: "HEAD", path, headers: { "X-API-Key": publicKey } });
    t.strictSame([head.status, head.text, head.headers["content-length"]], [200, "", String(bytes)]);
    const headers = { "X-API-Key": publicKey, Range: "bytes=4-9" };
    const partOfHead = await app.send({ method: "HEAD", path, headers });
    t.strictSame(
      [partOfHead.status, partOfHead.headers["content-length"], partOfHead.headers["content-range"]],
      [200, String(bytes), undefined],
      "Range is for GET alone",
    );
    const behind = await app.get(path, { Range: `bytes=${bytes}-` });
    expectError(t, behind, { code: "RANGE_NOT_SATISFIABLE" });
    t.equal(behind.headers["content-range"], `bytes */${bytes}`);
  }
  for (const path of [`${second}/none.csv`, `${second}/..%2FCURRENT`, "nothing/prices.parquet", `${second}/.partial`]) {
    expectError(t, await app.get(`${prefix}/${path}`), { code: "NOT_FOUND" }, path);
  }
  expectError(t, await app.get(`${prefix}?page=1`), { code: "VALIDATION_ERROR", fields: ["page"] });
  await rm(join(data, "snapshots", first), { recursive: true });
  t.equal(((await app.get(prefix)).body as { data: Entry[] }).data.length, 1, "only of snapshots that are kept");
  expectError(t, await app.get(`${prefix}/${first}/series.csv`), { code: "NOT_FOUND" });
  t.ok(await holdsWithin(2000, () => placesOf(admission, "requests").held + placesOf(admission, "answers").held === 0));
});

t.test("damaged files of one snapshot leave the list and the downloads of all others as they are", async (t) => {
  const { data, ids, app } = await startPublished(t, 2);
  const [other, id] = ids as [SnapshotId, SnapshotId];
  const listed = async (): Promise<Entry[]> => ((await app.get(prefix)).body as { data: Entry[] }).data;
  const [before] = await listed();
  const changes = join(data, "snapshots", id, "changes.csv.gz");
  const damages: Readonly<Record<string, () => Promise<unknown>>> = {
    "no gzip": () => writeFile(changes, "uuid,change"),
    empty: () => writeFile(changes, ""),
    "no line": () => writeFile(changes, gzipSync("")),
    "a directory": () => mkdir(changes),
    "a link to itself": () => symlink("changes.csv.gz", changes),
  };
  for (const [name, damage] of Object.entries(damages)) {
    await rm(changes, { recursive: true });
    await damage();
    const [entry] = await listed();
    t.strictSame(entry, { ...before, files: before?.files.slice(0, -1) }, name);
    expectError(t, await app.get(`${prefix}/${id}/changes.csv.gz`), { code: "NOT_FOUND" }, name);
    t.equal((await app.get(`${prefix}/${id}/series.csv`)).status, 200, name);
  }
  await writeFile(join(data, "downloads", id, "metadata.json"), '{"snapshot"');
  t.match(await listed(), [
    { snapshot: id, state: "not_made", files: [] },
    { snapshot: other, state: "made" },
  ]);
});

t.test("conditions are read as RFC 9110 has them, in its order", async (t) => {
  const { ids, app } = await startPublished(t, 1);
  const path = `${prefix}/${ids[0]}/series.csv`;
  const { headers } = await app.get(path);
  t.equal(headers["last-modified"], "Fri, 20 Nov 2026 08:30:00 GMT");
  const tag = String(headers.etag);
  const at = "Fri, 20 Nov 2026 08:30:00 GMT";
  const before = "Fri, 20 Nov 2026 08:29:59 GMT";
  const cases: [number, Record<string, string>][] = [
    ...conditionsOf(tag, at, before),
    [206, { "If-Match": tag, Range: "bytes=0-1" }],
    [412, { "If-Match": '"a"', Range: "bytes=99999999-" }],
    [206, { "If-Range": tag, Range: "bytes=0-1" }],
    [206, { "If-Range": at, Range: "bytes=0-1" }],
    [206, { "If-Range": "Friday, 20-Nov-26 08:30:00 GMT", Range: "bytes=0-1" }],
    [200, { "If-Range": before, Range: "bytes=0-1" }],
    [200, { "If-Range": "Fri, 20 Nov 2026 08:30:01 GMT", Range: "bytes=0-1" }],
    [200, { "If-Range": `W/${tag}`, Range: "bytes=0-1" }],
    [200, { "If-Range": "*", Range: "bytes=0-1" }],
    [200, { "If-Range": "", Range: "bytes=0-1" }],
    [412, { "If-Unmodified-Since": before }],
    [412, { "If-Unmodified-Since": "Friday, 20-Nov-26 08:29:59 GMT" }],
    [412, { "If-Unmodified-Since": "Fri Nov 20 08:29:59 2026" }],
    [412, { "If-Unmodified-Since": "Sun Nov  1 08:29:59 2026" }],
    [200, { "If-Unmodified-Since": "2020-01-01" }],
    [200, { "If-Unmodified-Since": "Sun, 30 Feb 2020 08:29:59 GMT" }],
    [200, { "If-Unmodified-Since": "Fri, 20 Foo 2020 08:29:59 GMT" }],
    [412, { "If-Unmodified-Since": before, "If-None-Match": tag }],
    [304, { "If-Modified-Since": at }],
    [200, { "If-Modified-Since": before }],
    [200, { "If-Modified-Since": "yesterday" }],
    [200, { "If-Modified-Since": at, "If-None-Match": '"a"' }],
  ];
  for (const [status, sent] of cases) {
    const answer = await app.get(path, sent);
    t.equal(answer.status, status, JSON.stringify(sent));
    if (status === 412) expectError(t, answer, { code: "PRECONDITION_FAILED" });
    const head = await app.send({ method: "HEAD", path, headers: { "X-API-Key": publicKey, ...sent } });
    t.equal(head.status, status === 206 ? 200 : status, "HEAD");
  }
});

t.test("without downloads the list is empty", async (t) => {
  t.strictSame((await (await startApp(t)).signedGet(prefix)).body, { data: [] });
});

t.test("a file of many chunks is whole; one that ends too soon is cut, never ended as if complete", async (t) => {
  const { data, ids, app } = await startPublished(t, 1);
  const [id = ""] = ids;
  const path = join(data, "downloads", id);
  // In place of the file of a large snapshot.
  const content = randomBytes(300_000);
  const file = join(path, "prices.parquet");
  await writeFile(file, content);
  const metadata = join(path, "metadata.json");
  const described = (await readFile(metadata, "utf8")).replace(
    /("prices\.parquet"[^}]*"bytes": )\d+/,
    `$1${content.length}`,
  );
  await writeFile(metadata, described);
  t.ok((await app.get(`${prefix}/${id}/prices.parquet`)).bytes.equals(content));
  const { bytes } = await app.get(`${prefix}/${id}/prices.parquet`, { Range: "bytes=1000-200999" });
  t.ok(bytes.equals(content.subarray(1000, 201_000)));
  await truncate(file, 100_000);
  await t.rejects(app.get(`${prefix}/${id}/prices.parquet`), { code: "ECONNRESET" });
});

t.test("ranges are read as RFC 9110 has them", async (t) => {
  const cases: [string | undefined, [number, number] | undefined][] = [
    [undefined, undefined],
    ["bytes=0-0", [0, 1]],
    ["bytes=2-", [2, 10]],
    ["bytes=2-99", [2, 10]],
    ["bytes=-3", [7, 10]],
    ["bytes=-99", [0, 10]],
    ["bytes=3-2", undefined],
    ["bytes=-", undefined],
    ["bytes=0-1,3-4", undefined],
    ["lines=0-1", undefined],
  ];
  for (const [header, wanted] of cases) {
    const range = requestedRange(header, 10);
    t.strictSame(range && [range.from, range.to], wanted, String(header));
  }
  for (const header of ["bytes=10-", "bytes=-0", "bytes=10-12"]) {
    t.throws(() => requestedRange(header, 10), { code: "RANGE_NOT_SATISFIABLE" });
  }
});
