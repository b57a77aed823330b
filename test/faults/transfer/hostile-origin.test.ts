/** An origin that sends what never ends, leads elsewhere or unpacks to too much: it is refused, and what is served stays. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { gzipSync, zstdCompressSync } from "node:zlib";
import t from "tap";
import { openOrigin, type RemoteFolder } from "../../../src/publishing/transfer/origin.ts";
import type { Service } from "../../../src/service/serve/start-service.ts";
import { startFolderOrigin } from "../../support/folder-origin.ts";
import { daysLater, publishTables } from "../../support/published-data.ts";
import { metric, prepareReplica, publisher, readyOf, serves } from "../../support/replica.ts";
import { priceRows } from "../../support/snapshot-files.ts";
import { holdsWithin } from "../../support/start-process.ts";
import { startPrepared } from "../../support/start-threads.ts";

const mebibyte = 2 ** 20;
const zeros = Buffer.alloc(64 * mebibyte);

/** What answers a path in place of the file. */
type Answer = (response: ServerResponse, range: string | undefined) => void;

/** Sends blanks until the other side has had enough, or so many bytes. */
class LongBody {
  sent = 0;
  readonly #statedBytes: number | undefined;

  constructor(statedBytes?: number) {
    this.#statedBytes = statedBytes;
  }

  readonly answer: Answer = (response) => {
    this.sent = 0;
    const block = Buffer.alloc(65_536, " ");
    response.writeHead(200, this.#statedBytes === undefined ? {} : { "content-length": this.#statedBytes });
    const write = (): void => {
      while (!response.destroyed) {
        this.sent += block.length;
        if (!response.write(block)) return;
      }
    };
    response.on("drain", write).on("error", () => {});
    write();
  };
}

const send =
  (body: string | Uint8Array, headers: Record<string, string> = {}, status = 200): Answer =>
  (response) => {
    response.writeHead(status, headers).end(body);
  };

t.test("whatever an origin sends, it is refused in one line, and what is served stays", async (t) => {
  const { root, data, ids, origin, folder } = await publisher(t);
  const elsewhere = await startFolderOrigin(t, data);
  const prepared = prepareReplica(folder, origin);
  const service = await startPrepared(t, prepared);
  t.ok(await serves(service, ids[1] as string));
  origin.isAway = true;
  const next = await publishTables(root, { prices: priceRows(200) }, daysLater(4));
  const [announcement, manifest, prices] = [
    "/announcement.json",
    `/snapshots/${next}/manifest.json`,
    `/snapshots/${next}/prices.ndjson`,
  ];
  const announced = JSON.parse(readFileSync(join(data, announcement), "utf8"));
  const announce = (fields: object): Answer => send(JSON.stringify({ ...announced, ...fields }));
  const withManifest = (text: string): Record<string, Answer> => ({
    [manifest]: send(text),
    [announcement]: announce({ manifest_sha256: createHash("sha256").update(text).digest("hex") }),
  });
  const pricesBytes = statSync(join(data, prices)).size;
  const [endless, gigabyte] = [new LongBody(), new LongBody(1024 * mebibyte)];
  const gzipped = send(gzipSync(zeros), { "content-encoding": "gzip" });
  const redirect = (path: string): Answer => send("", { location: `${elsewhere.url}${path}` }, 302);
  const ownManifest = JSON.parse(readFileSync(join(data, manifest), "utf8"));
  const changed = (fields: object): string => JSON.stringify({ ...ownManifest, ...fields });
  const renamed = (name: string): string =>
    changed({ files: ownManifest.files.with(0, { ...ownManifest.files[0], name }) });
  const cases: readonly [
    what: string,
    reason: string,
    message: RegExp,
    answers: Record<string, Answer>,
    mebibytes?: number,
  ][] = [
    ["an endless announcement", "length", /more than 4096 bytes/, { [announcement]: endless.answer }, 64],
    ["an announcement that unpacks to 64 MiB", "length", /more than 4096 bytes/, { [announcement]: gzipped }],
    ["a manifest of 1 GB", "length", /manifest\.json: found more than 67108864/, { [manifest]: gigabyte.answer }, 80],
    ["an endless manifest", "length", /manifest\.json: found more than 67108864/, { [manifest]: endless.answer }, 80],
    ["a deep manifest", "manifest", /manifest\.json: found/, withManifest("[".repeat(5 * mebibyte))],
    [
      "a manifest with a line break",
      "manifest",
      /manifest\.json: id is "a\\nb"/,
      withManifest(changed({ id: "a\nb" })),
    ],
    ["an endless file", "length", /prices\.ndjson: found more than/, { [prices]: endless.answer }, 64],
    ["an endless copy", "length", /prices\.ndjson\.zst: found more than/, { [`${prices}.zst`]: endless.answer }, 64],
    [
      "a copy that unpacks to 64 MiB",
      "length",
      new RegExp(`prices\\.ndjson: found more than ${pricesBytes} bytes`),
      { [`${prices}.zst`]: send(zstdCompressSync(zeros)) },
    ],
    [
      "a redirected announcement",
      "status",
      /announcement\.json: found a redirect/,
      { [announcement]: redirect(announcement) },
    ],
    ["a redirected manifest", "status", /manifest\.json: found a redirect/, { [manifest]: redirect(manifest) }],
    ["a redirected file", "status", /prices\.ndjson: found a redirect/, { [prices]: redirect(prices) }],
    ["an HTML page as a file", "length", /prices\.ndjson: found 13 bytes/, { [prices]: send("<html></html>") }],
    ["a cut, then 404", "status", /prices\.ndjson: found status 404/, { [prices]: cutThen(send("gone", {}, 404)) }],
    [
      "a cut, then another part",
      "status",
      /prices\.ndjson: found another part of the file/,
      { [prices]: cutThen(send("x", { "content-range": "bytes 7-7/9" }, 206)) },
    ],
    ["a page as the announcement", "announcement", /expected a JSON object/, { [announcement]: send("<html></html>") }],
    ["another format", "announcement", /format is "2", expected 1/, { [announcement]: announce({ format: 2 }) }],
    ["no announcement", "status", /found status 404, expected the announcement/, { [announcement]: send("", {}, 404) }],
    ["another manifest", "hash", /manifest\.json: found sha256/, { [manifest]: send(changed({ note: "other" })) }],
    ["no manifest", "status", /found status 404, expected the manifest/, { [manifest]: send("", {}, 404) }],
    ["a page as the manifest", "manifest", /expected .*JSON/i, withManifest("<html></html>")],
    ["a path upwards", "manifest", /name is "\.\.\/counties\.json"/, withManifest(renamed("../counties.json"))],
    ["an absolute path", "manifest", /name is "\/etc\/passwd"/, withManifest(renamed("/etc/passwd"))],
    ["no file", "status", /prices\.ndjson: found status 404/, { [prices]: send("", {}, 404) }],
    ["no zstd", "hash", /prices\.ndjson\.zst|expected zstd data/, { [`${prices}.zst`]: send("no zstd") }],
    ["an error of the server", "status", /prices\.ndjson: found status 500/, { [prices]: send("", {}, 500) }],
  ];
  /** An attempt asks for several files. It is over when its replica polls again, and then no file was sent to it. */
  const untilAttemptsEnd = async (): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    origin.misbehave = (request, response) => {
      response.writeHead(503).end();
      if (request.url === announcement) resolve();
      return true;
    };
    origin.isAway = false;
    await promise;
  };
  for (const [what, reason, message, answers, mebibytes] of cases) {
    await t.test(what, async (t) => {
      const series = `origin_refusals_total{reason="${reason}"}`;
      await untilAttemptsEnd();
      const before = await metric(service, series);
      endless.sent = 0;
      origin.misbehave = (request, response) => {
        const answer = answers[request.url ?? ""];
        answer?.(response, request.headers.range);
        return answer !== undefined;
      };
      const isRefused = async (): Promise<boolean> =>
        message.test(await errorOf(service)) && (await metric(service, series)) > before;
      t.ok(await holdsWithin(30_000, isRefused), await errorOf(service));
      t.notOk((await errorOf(service)).includes("\n"), "one line");
      const staged = (): string[] => readdirSync(join(folder, "data/snapshots")).filter((name) => name.startsWith("."));
      t.ok(await holdsWithin(30_000, () => staged().length === 0), "nothing of it stays");
      t.match(await readyOf(service), { status: "ready", snapshot: ids[1] });
      if (mebibytes !== undefined) {
        const sent = Math.max(endless.sent, gigabyte.sent);
        t.ok(sent > 0 && sent < mebibytes * mebibyte, `${sent} bytes were sent`);
      }
      gigabyte.sent = 0;
    });
  }
  t.same(elsewhere.requests, [], "no other host was asked");
  const refusals = prepared.log.filter(({ reason }) => reason !== undefined);
  t.ok(refusals.length > 10, "each is logged, unless it is the one before");
  t.notOk(refusals.some(({ msg }) => String(msg).includes("\n")));

  await untilAttemptsEnd();
  const askedBefore = origin.requests.length;
  let cuts = 0;
  origin.misbehave = (request, response, file) => {
    if (request.url !== prices || cuts > 0) return false;
    cuts++;
    const content = readFileSync(file);
    response.writeHead(200, { "content-length": content.length, etag: '"cut"' });
    response.write(content.subarray(0, 1000), () => setTimeout(() => response.destroy(), 100));
    return true;
  };
  t.ok(await serves(service, next), "once it sends what it announced, that is taken over");
  t.equal(cuts, 1);
  t.ok(
    origin.requests.slice(askedBefore).some((request) => /prices\.ndjson bytes=\d+-$/.test(request)),
    "a cut connection goes on where it was, with the rest of the file alone",
  );
  t.equal(readFileSync(join(folder, "data", prices), "utf8"), readFileSync(join(data, prices), "utf8"));
});

async function errorOf(service: Service): Promise<string> {
  return (await readyOf(service)).follows.error ?? "";
}

/** Sends the beginning of a file and closes the connection; the request for the rest gets the answer. */
function cutThen(answer: Answer): Answer {
  return (response, range) => {
    if (range !== undefined) {
      answer(response, range);
      return;
    }
    response.writeHead(200, { "content-length": 10_000 });
    response.write("x".repeat(100), () => setTimeout(() => response.destroy(), 50));
  };
}

t.test("an ETag is relied on once its file was not changed for two seconds", async (t) => {
  const changed = { at: new Date() };
  const server = createServer((_request, response) => {
    response.writeHead(200, { etag: '"same"', "last-modified": changed.at.toUTCString() }).end("{}");
  }).listen(0, "127.0.0.1");
  t.teardown(() => server.close());
  await new Promise((resolve) => server.once("listening", resolve));
  const remote: RemoteFolder = { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, send: fetch };
  const etag = async (): Promise<string | null> => {
    const found = await openOrigin("origin", remote).open("announcement.json");
    return typeof found === "object" ? found.etag : null;
  };
  t.equal(await etag(), null, "it may be changed again in this second");
  changed.at = new Date(Date.now() - 3000);
  t.equal(await etag(), '"same"');
});
