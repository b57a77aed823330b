/** A dataset directory behind nginx, with the deployed configuration: what others may fetch of it, and how. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import t, { type Test } from "tap";
import { originSite, withoutTls, writeNginxFiles } from "../../scripts/deploy/nginx-trial.ts";
import { freePort } from "../../scripts/deploy/trial.ts";
import {
  announcementName,
  decisionFileNames,
  isGzipName,
  manifestFileName,
  optionalTableKinds,
  type SnapshotId,
  tableFileNames,
} from "../../src/engine/snapshots/snapshot-layout.ts";
import { announceSnapshot } from "../../src/publishing/publish/announce-snapshot.ts";
import { readAnnouncement } from "../../src/publishing/transfer/announcement.ts";
import { createPublisherKey } from "../../src/publishing/transfer/publisher-key.ts";
import type { Service } from "../../src/service/serve/start-service.ts";
import { daysLater, publishedData, publishTables } from "../support/published-data.ts";
import { prepareReplica, readyOf } from "../support/replica.ts";
import { priceRows } from "../support/snapshot-files.ts";
import { holdsWithin } from "../support/start-process.ts";
import { startPrepared } from "../support/start-threads.ts";

const skip = spawnSync("nginx", ["-v"]).error !== undefined && "nginx is not installed (apt-get install nginx-light)";

interface NginxOrigin {
  readonly url: string;
  /** Sends a target as it is written. */
  readonly ask: (target: string, headers?: Record<string, string>, method?: string) => Promise<Answer>;
}

interface Answer {
  readonly status: number | undefined;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

async function startNginx(t: Test, dataDirectory: string): Promise<NginxOrigin> {
  // The worker of nginx is another user, who may not enter the folder of the test.
  const folder = mkdtempSync(join(tmpdir(), "nginx-origin-"));
  const port = await freePort();
  const site = withoutTls(await originSite(folder, port, dataDirectory));
  const nginx: ChildProcess = spawn("nginx", ["-c", await writeNginxFiles(folder, "nginx", site)]);
  const ended = once(nginx, "exit");
  t.teardown(async () => {
    nginx.kill("SIGTERM");
    await ended;
    rmSync(folder, { recursive: true });
  });
  const ask: NginxOrigin["ask"] = async (path, headers = {}, method = "GET") => {
    const outgoing = httpRequest({ host: "127.0.0.1", port, path, headers, method, agent: false }).end();
    const [incoming] = (await once(outgoing, "response")) as [IncomingMessage];
    let body = "";
    for await (const chunk of incoming.setEncoding("utf8")) body += chunk;
    return { status: incoming.statusCode, headers: incoming.headers, body };
  };
  t.ok(await holdsWithin(10_000, async () => (await ask("/").catch(() => undefined)) !== undefined), "nginx answers");
  return { url: `http://127.0.0.1:${port}`, ask };
}

/** A dataset directory with everything that it may ever hold. */
async function fullDirectory(root: string): Promise<{ data: string; ids: readonly SnapshotId[] }> {
  const { data, ids } = await publishedData(root, 2);
  const signingKeyFile = join(root, "publisher.pem");
  await createPublisherKey(signingKeyFile);
  await announceSnapshot({ dataDirectory: data, signingKeyFile });
  for (const name of [
    "log.ndjson",
    "drafts/append.ndjson",
    "downloads/x.csv",
    "key.pem",
    "pin.json",
    "origin.json",
    "keys.json",
  ]) {
    mkdirSync(join(data, name, ".."), { recursive: true });
    writeFileSync(join(data, name), "secret");
  }
  const [first, second] = ids as [SnapshotId, SnapshotId];
  for (const name of [`.staging-${second}`, `.fetching-${second}`, "other"]) {
    mkdirSync(join(data, "snapshots", name));
    copyFileSync(join(data, "snapshots", second, "prices.ndjson"), join(data, "snapshots", name, "prices.ndjson"));
  }
  mkdirSync(join(data, "snapshots", first, "prices"), { recursive: true });
  for (const name of [
    ...["rejected.ndjson", ".hidden.json", "prices.ndjson.part", "prices.ndjson.zst.part", "prices/.hidden.ndjson"],
    ...["prices/note.txt", "manifest.json.zst", "manifest.json.tmp"],
  ]) {
    writeFileSync(join(data, "snapshots", first, name), "secret");
  }
  symlinkSync(join(data, "log.ndjson"), join(data, "snapshots", first, "products.ndjson.zst"));
  return { data, ids };
}

t.test("nginx over a dataset directory", { skip }, async (t) => {
  const root = mkdtempSync(join(tmpdir(), "origin-data-"));
  t.teardown(() => rmSync(root, { recursive: true }));
  const { data, ids } = await fullDirectory(root);
  const [first, second] = ids as [SnapshotId, SnapshotId];
  const { url, ask } = await startNginx(t, data);
  const manifestPath = `/snapshots/${second}/${manifestFileName}`;

  await t.test("it serves the announcement and what manifests list, and nothing else", async (t) => {
    const allowed = new Set([announcementName, `snapshots/${second}/${announcementName}`]);
    for (const id of ids) {
      const manifest = readFileSync(join(data, "snapshots", id, manifestFileName), "utf8");
      const { files } = JSON.parse(manifest) as { files: { name: string }[] };
      for (const name of [manifestFileName, ...files.map(({ name }) => name)]) allowed.add(`snapshots/${id}/${name}`);
    }
    const paths = readdirSync(data, { recursive: true, withFileTypes: true })
      .filter((entry) => !entry.isDirectory())
      .map((entry) => join(entry.parentPath, entry.name).slice(data.length + 1));
    t.ok(paths.includes("log.ndjson") && paths.includes("CURRENT"));
    t.same(
      [...allowed].filter((path) => !paths.includes(path)),
      [],
    );
    for (const path of paths) {
      const { status, body } = await ask(`/${path}`);
      if (allowed.has(path)) {
        t.equal(status, 200, path);
        t.equal(body, readFileSync(join(data, path), "utf8"), path);
      } else t.ok(status === 403 || status === 404, `${path}: ${status}`);
    }
  });

  await t.test("every name that the format has passes, with its compressed copy", async (t) => {
    const folder = join(data, "snapshots", first);
    const names = [
      ...Object.values(tableFileNames),
      ...Object.values(decisionFileNames),
      ...["prices.ndjson", "prices.ndjson.gz", "prices/2026-11-20_a.b.ndjson", "prices/0.ndjson.gz"],
      ...["prices.origins.ndjson", "prices/0.origins.ndjson.gz"],
    ];
    t.ok(optionalTableKinds.every((kind) => names.includes(tableFileNames[kind])));
    for (const name of names.flatMap((name) => (isGzipName(name) ? [name] : [name, `${name}.zst`]))) {
      rmSync(join(folder, name), { force: true });
      writeFileSync(join(folder, name), name);
      t.match(await ask(`/snapshots/${first}/${name}`), { status: 200, body: name });
    }
  });

  await t.test("no target leads elsewhere, and no folder is listed", async (t) => {
    for (const target of [
      ...["/", "/snapshots", "/snapshots/", `/snapshots/${second}`, `/snapshots/${second}/`, "/drafts/"],
      ...[`/snapshots/${second}/../../log.ndjson`, `/snapshots/${second}/%2e%2e/%2e%2e/log.ndjson`],
      ...[`/snapshots/${second}/prices/../../../CURRENT`, `/snapshots/${second}/prices/%2e%2e/rejected.ndjson`],
      ...["//log.ndjson", "/./log.ndjson", "/log.ndjson?x=/announcement.json", "/log%2endjson"],
    ]) {
      t.equal((await ask(target)).status, 404, target);
    }
    for (const method of ["PUT", "POST", "DELETE"]) {
      t.equal((await ask(`/${announcementName}`, {}, method)).status, 405, method);
    }
  });

  await t.test("caches keep published files, and ask for the announcement each time", async (t) => {
    const announcement = await ask(`/${announcementName}`);
    t.match(announcement.headers, { "cache-control": "no-cache", "content-type": "application/json" });
    const etag = announcement.headers.etag as string;
    t.match(await ask(`/${announcementName}`, { "If-None-Match": etag }), { status: 304, body: "" });
    for (const path of [manifestPath, `/snapshots/${second}/prices.ndjson`]) {
      t.equal((await ask(path)).headers["cache-control"], "public, max-age=31536000, immutable");
    }
    t.equal((await ask("/CURRENT")).headers["cache-control"], undefined, "a refusal is not kept");
  });

  await t.test("a part of a file is sent, unless another version is there", async (t) => {
    const text = readFileSync(join(data, manifestPath), "utf8");
    const { etag = "" } = (await ask(manifestPath)).headers;
    const part = await ask(manifestPath, { Range: "bytes=100-", "If-Range": etag });
    t.match(part, { status: 206, body: text.slice(100) });
    t.equal(part.headers["content-range"], `bytes 100-${text.length - 1}/${text.length}`);
    t.match(await ask(manifestPath, { Range: "bytes=100-", "If-Range": '"other"' }), { status: 200, body: text });
    t.equal((await ask(manifestPath, { Range: `bytes=${text.length}-` })).status, 416);
  });

  await t.test("a replica follows it, also where its ETag of whole seconds stays the same", async (t) => {
    // As the replica's own directory has, which nobody can announce in.
    rmSync(join(data, "origin.json"));
    const { sequence = 0 } = (await readAnnouncement(data)) ?? {};
    const service = await startPrepared(t, prepareReplica(join(root, "replica"), { url }));
    t.ok(await accepts(service, sequence));
    // Several within a second; all are of the same length.
    for (let above = 10; above < 17; above++) {
      await announceSnapshot({ dataDirectory: data, above });
      t.ok(await accepts(service, above + 1), `announcement ${above + 1}`);
    }
    const third = await publishTables(root, { prices: priceRows(23) }, daysLater(3));
    t.ok(await accepts(service, 18));
    t.equal(readFileSync(join(root, "replica/data/CURRENT"), "utf8"), `${third}\n`);
  });
});

async function accepts(service: Service, sequence: number): Promise<boolean> {
  return await holdsWithin(5000, async () => (await readyOf(service)).follows.taken_over?.sequence === sequence);
}
