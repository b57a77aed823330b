/** Buckets that speak S3: pushing to one, following one, and the signatures of requests. */

import { spawn } from "node:child_process";
import { hash } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, readFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import t, { type Test } from "tap";
import type { SnapshotId } from "../../src/engine/snapshots/snapshot-layout.ts";
import { fetchAnyOf } from "../../src/publishing/transfer/fetch-snapshot.ts";
import { openOrigin, type RemoteFolder, remoteFolder, type SendRequest } from "../../src/publishing/transfer/origin.ts";
import { pushSnapshot } from "../../src/publishing/transfer/push-snapshot.ts";
import { bucketTarget, type PushTarget } from "../../src/publishing/transfer/push-target.ts";
import { followerOf } from "../../src/service-parts.ts";
import { runCommand } from "../cli/run-command.ts";
import { runScript } from "../cli/run-script.ts";
import { naiveSignature } from "../support/naive-signature.ts";
import { daysLater, publishedData, publishTables } from "../support/published-data.ts";
import { priceRows } from "../support/snapshot-files.ts";
import { holdsWithin } from "../support/start-process.ts";
import { prepareService, startPrepared } from "../support/start-threads.ts";

/** The credentials that the test server knows. */
const credentials = { region: "us-east-1", accessKeyId: "S3RVER", secretAccessKey: "S3RVER" };

/** Starts an S3 server with an empty bucket. @returns Its address. */
async function startS3(t: Test): Promise<string> {
  const folder = t.testdir();
  const program = join(fileURLToPath(import.meta.resolve("@20minutes/s3rver")), "../cli.js");
  const code = `require(${JSON.stringify(program)})`;
  const flags = ["-d", folder, "-p", "0", "-a", "127.0.0.1", "--configure-bucket", "prices"];
  const start = `${code}.parseAsync(["", "", ...${JSON.stringify(flags)}])`;
  const server = spawn(process.execPath, ["--eval", start], { stdio: ["ignore", "pipe", "inherit"] });
  t.teardown(async () => {
    server.kill("SIGKILL");
    await once(server, "exit");
  });
  for await (const line of createInterface(server.stdout)) {
    const port = /127\.0\.0\.1:(\d+)/.exec(line)?.[1];
    server.stdout.resume();
    if (port !== undefined) return `http://127.0.0.1:${port}`;
  }
  throw new Error("the S3 server has ended");
}

const endpoint = await startS3(t);
let addressCount = 0;

/** The address of an empty part of the bucket, one for each test. */
function emptyAddress(): string {
  return `s3://prices/some/prefix-${++addressCount}`;
}

function bucketAt(address: string, overrides: { endpoint?: string; secretAccessKey?: string } = {}): RemoteFolder {
  const folder = remoteFolder(address, { ...credentials, endpoint, ...overrides });
  if (folder?.bucket === undefined) throw new Error(`${address} is no bucket`);
  return folder;
}

function targetAt(address: string, folder: RemoteFolder): PushTarget {
  return bucketTarget(folder, folder.bucket as NonNullable<RemoteFolder["bucket"]>, address);
}

t.test("a bucket takes snapshots, and a replica follows it with the same credentials", async (t) => {
  const root = t.testdir();
  const address = emptyAddress();
  const { data, ids } = await publishedData(join(root, "publisher"), 2);
  const folder = bucketAt(address);
  const target = targetAt(address, folder);
  const push = (days: number, keep?: number) =>
    pushSnapshot({ dataDirectory: data, target, now: daysLater(days), keep });
  t.match(await push(2), { outcome: "pushed", snapshot: ids[1] });
  t.match(await push(2), { outcome: "already-there", written: 0 });

  mkdirSync(join(root, "replica", "data"), { recursive: true });
  const prepared = prepareService(join(root, "replica"), {
    createFollower: followerOf({ address, folder, publicKey: null, pollMilliseconds: 25, keep: 2 }),
    ...{ retryTimes: { first: 50, max: 100 }, pollMilliseconds: 20 },
  });
  const service = await startPrepared(t, prepared);
  const serves = (id: string) =>
    holdsWithin(30_000, async () => {
      const ready = (await (await fetch(`${service.adminUrl}/ready`)).json()) as { snapshot: string };
      return ready.snapshot === id;
    });
  t.ok(await serves(ids[1] as string));
  const third = await publishTables(join(root, "publisher"), { prices: priceRows(23) }, daysLater(3));
  const report = await push(4);
  t.match(report, { outcome: "pushed", snapshot: third });
  t.ok(await serves(third));

  t.same((await target.listSnapshots()).sort(), [ids[1], third].sort());
  t.same((await push(5, 1)).removed, [], "when it was replaced is known from now on");
  t.same((await push(6, 1)).removed, [ids[1]]);
  t.same(await target.listSnapshots(), [third]);
  t.equal(await target.readText(`snapshots/${ids[1]}/prices.ndjson`), undefined);
});

t.test("rows for another database come from the snapshot that a bucket announces", async (t) => {
  const root = t.testdir();
  const address = emptyAddress();
  const { data } = await publishedData(join(root, "publisher"), 1);
  await pushSnapshot({ dataDirectory: data, target: targetAt(address, bucketAt(address)), now: daysLater(1) });
  const { accessKeyId, secretAccessKey } = credentials;
  const variables = { S3_ENDPOINT: endpoint, AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey };
  const args = ["--stdout", "--origin", address, "--data-dir", join(root, "copy")];
  const { code, stdout } = await runScript("scale-out/load-clickhouse", args, root, variables);
  t.strictSame([code, stdout.split("\n").length - 1], [0, 20]);
  const withoutKey = await runScript("scale-out/load-clickhouse", args, root, { S3_ENDPOINT: endpoint });
  t.strictSame([withoutKey.code, withoutKey.stdout], [2, ""]);
  t.match(withoutKey.stderr, /^--origin is "s3:.*", expected https:\/\/… or s3:\/\/bucket\/prefix/);
});

t.test("a cut transfer goes on with a range, and many objects are listed in several answers", async (t) => {
  const root = t.testdir();
  const address = emptyAddress();
  const { data, ids } = await publishedData(join(root, "publisher"), 1);
  const folder = bucketAt(address);
  const target = targetAt(address, folder);
  await pushSnapshot({ dataDirectory: data, target, now: daysLater(1) });
  const id = ids[0] as SnapshotId;
  const whole = readFileSync(join(data, "snapshots", id, "prices.ndjson"));
  const origin = openOrigin(address, folder);
  const rest = await origin.open(`snapshots/${id}/prices.ndjson`, { from: 100 });
  if (typeof rest !== "object") throw new Error(`found ${rest}`);
  t.equal(rest.from, 100);
  const chunks: Uint8Array[] = [];
  for await (const chunk of rest.content) chunks.push(chunk);
  t.ok(Buffer.concat(chunks).equals(whole.subarray(100)));
  t.equal(await origin.open(`snapshots/${id}/prices.ndjson`, { from: whole.length }), "at-end");
  t.equal(await origin.open("snapshots/none/prices.ndjson"), 404);

  const small = async (path: string): Promise<void> => void (await target.putText(path, "x", null));
  for (let first = 0; first < 1010; first += 101) {
    await Promise.all(Array.from({ length: 101 }, (_, index) => small(`snapshots/many-${first + index}/file`)));
  }
  t.equal((await target.listSnapshots()).length, 1011);
});

t.test("without the right secret nothing is read or written", async (t) => {
  const root = t.testdir();
  const address = emptyAddress();
  const { data } = await publishedData(join(root, "publisher"), 1);
  const target = targetAt(address, bucketAt(address, { secretAccessKey: "wrong" }));
  await t.rejects(target.put("file", { path: join(data, "CURRENT"), bytes: 1, sha256: "00", isPlain: false }), {
    name: "TransferError",
    message:
      /^PUT http.*\/prices\/some\/prefix-\d\/file: found status 403 \(SignatureDoesNotMatch\), expected success$/,
  });
  t.equal(await openOrigin(address, bucketAt(address, { secretAccessKey: "wrong" })).open("announcement.json"), 403);
});

t.test("an announcement is written on a condition, where the store knows conditions", async (t) => {
  const root = t.testdir();
  const address = emptyAddress();
  const { data } = await publishedData(join(root, "publisher"), 1);
  const folder = bucketAt(address);
  let answer: number | undefined;
  const conditions: unknown[] = [];
  const send: SendRequest = async (url, init) => {
    const headers = new Headers(init.headers);
    const condition = headers.get("if-match") ?? headers.get("if-none-match");
    if (condition !== null) conditions.push(condition);
    return condition === null || answer === undefined
      ? await folder.send(url, init)
      : new Response("<Error><Code>Test</Code></Error>", { status: answer });
  };
  const target = targetAt(address, { ...folder, send });
  const push = () => pushSnapshot({ dataDirectory: data, target, now: daysLater(1) });
  answer = 412;
  await t.rejects(push(), { name: "TransferError", reason: "sequence" });
  t.equal(await target.readText("announcement.json"), undefined);
  answer = 501;
  t.match(await push(), { outcome: "pushed" });
  t.same(conditions, ["*", "*"]);
  answer = undefined;
  const there = await target.readText("announcement.json");
  t.equal(await target.putText("announcement.json", "next", there), true);
  t.same(conditions.slice(2), [there?.version]);
});

t.test("push of the command line takes the credentials from the environment", async (t) => {
  const root = t.testdir();
  const address = emptyAddress();
  const publisher = join(root, "publisher");
  const { ids } = await publishedData(publisher, 1);
  const environment = { S3_ENDPOINT: endpoint, AWS_ACCESS_KEY_ID: "S3RVER", AWS_SECRET_ACCESS_KEY: "S3RVER" };
  const push = ["push", address, "--data-dir", "data"];
  const pushed = await runCommand("snapshot", push, publisher, environment);
  t.match(pushed, { code: 0, stdout: new RegExp(String(ids[0])) }, pushed.stderr);
  const without = await runCommand("snapshot", push, publisher, { S3_ENDPOINT: endpoint });
  t.match(without, { code: 2, stderr: /AWS_ACCESS_KEY_ID/ });

  const origin = openOrigin(address, bucketAt(address));
  const dataDirectory = join(root, "replica", "data");
  mkdirSync(dataDirectory, { recursive: true });
  const id = ids[0] as SnapshotId;
  const fetched = await fetchAnyOf(id, { dataDirectory, origin, publicKey: null, sharesFiles: false });
  t.equal(fetched.id, id);
});

/** https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html */
const published = [
  {
    method: "GET",
    url: "https://examplebucket.s3.amazonaws.com/test.txt",
    headers: { range: "bytes=0-9" },
    body: "",
    signature: "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41",
  },
  {
    method: "PUT",
    url: "https://examplebucket.s3.amazonaws.com/test%24file.text",
    headers: { date: "Fri, 24 May 2013 00:00:00 GMT", "x-amz-storage-class": "REDUCED_REDUNDANCY" },
    body: "Welcome to Amazon S3.",
    signature: "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd",
  },
  {
    method: "GET",
    url: "https://examplebucket.s3.amazonaws.com/?lifecycle=",
    headers: {},
    body: "",
    signature: "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543",
  },
  {
    method: "GET",
    url: "https://examplebucket.s3.amazonaws.com/?max-keys=2&prefix=J",
    headers: {},
    body: "",
    signature: "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7",
  },
];

t.test("the published examples have the published signatures", async (t) => {
  for (const { method, url, headers, body, signature } of published) {
    const signed = {
      ...headers,
      host: "examplebucket.s3.amazonaws.com",
      "x-amz-content-sha256": hash("sha256", body),
      "x-amz-date": "20130524T000000Z",
    };
    const secretAccessKey = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY";
    t.equal(naiveSignature({ method, url, headers: signed, region: "us-east-1", secretAccessKey }), signature, url);
  }
});

t.test("every request that is sent has the signature of the description", async (t) => {
  const seen: { method: string; path: string; headers: IncomingHttpHeaders }[] = [];
  const server = createServer((request, response) => {
    seen.push({ method: request.method ?? "", path: request.url ?? "", headers: request.headers });
    request.resume().on("end", () => response.writeHead(200).end());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.teardown(() => server.close());
  const { port } = server.address() as AddressInfo;
  const address = emptyAddress();
  const folder = bucketAt(address, { endpoint: `http://127.0.0.1:${port}` });
  const target = targetAt(address, folder);
  const { data } = await publishedData(t.testdir(), 1);
  const path = join(data, "CURRENT");
  await target.put("a file name", { path, bytes: 1, sha256: hash("sha256", readFileSync(path)), isPlain: true });
  await target.putText("announcement.json", "text", { text: "", version: '"etag"' });
  await target.listSnapshots();
  await target.removeSnapshot("an id");
  await openOrigin(address, folder).open("announcement.json", { from: 5, etag: '"etag"' });
  await openOrigin(address, folder).open("announcement.json", { etag: '"etag"' });
  t.equal(seen.length, 7);
  for (const { method, path, headers } of seen) {
    const { authorization = "" } = headers;
    const found =
      /^AWS4-HMAC-SHA256 Credential=S3RVER\/(\d{8})\/us-east-1\/s3\/aws4_request, SignedHeaders=(\S+), Signature=(\w+)$/;
    const [, , names = "", signature] = found.exec(authorization) ?? [];
    const signed = Object.fromEntries(names.split(";").map((name) => [name, String(headers[name])]));
    const wanted = naiveSignature({
      ...{ method, url: `http://127.0.0.1:${port}${path}`, headers: signed },
      ...credentials,
    });
    t.equal(signature, wanted, `${method} ${path}`);
    t.match(names, /(^|;)host;.*x-amz-content-sha256;x-amz-date/);
  }
});
