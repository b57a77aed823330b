import { createHash } from "node:crypto";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import t from "tap";
import {
  faultOfReading,
  inspectStoredFile,
  ReadingCounter,
  readStoredFile,
} from "../../../src/engine/snapshots/stored-file.ts";

async function contentOf(content: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of content) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

async function foundWhenReading(path: string): Promise<string> {
  try {
    await contentOf(readStoredFile(path).content);
    return "nothing";
  } catch (error) {
    return faultOfReading(error).found;
  }
}

t.test("a plain file is read and hashed in one pass", async (t) => {
  const directory = t.testdir({ "a.ndjson": "one\ntwo\n" });
  const stored = readStoredFile(join(directory, "a.ndjson"));
  t.equal(await contentOf(stored.content), "one\ntwo\n");
  const sha256 = createHash("sha256").update("one\ntwo\n").digest("hex");
  t.same(stored.digest(), { bytes: 8, sha256 });
  t.same(stored.digest(), { bytes: 8, sha256 }, "may be asked again");
});

t.test("a gzipped file is read decompressed and hashed as it is stored", async (t) => {
  const stored = gzipSync("one\ntwo\n".repeat(100_000));
  const directory = t.testdir({ "a.ndjson.gz": stored });
  const file = readStoredFile(join(directory, "a.ndjson.gz"));
  t.equal(await contentOf(file.content), "one\ntwo\n".repeat(100_000));
  t.same(file.digest(), { bytes: stored.length, sha256: createHash("sha256").update(stored).digest("hex") });
});

t.test("gzip data that are damaged, cut short or none at all are reported", async (t) => {
  const whole = gzipSync("one\ntwo\n".repeat(1000));
  const damaged = Buffer.from(whole);
  damaged.writeUInt8(damaged.readUInt8(20) ^ 0xff, 20);
  const directory = t.testdir({
    "cut.gz": whole.subarray(0, -5),
    "damaged.gz": damaged,
    "plain.gz": "one\n",
    "empty.gz": "",
  });
  for (const name of ["cut.gz", "damaged.gz", "plain.gz", "empty.gz"]) {
    t.match(await foundWhenReading(join(directory, name)), /^damaged or incomplete compressed data/, name);
  }
});

t.test("a file is inspected without following links", async (t) => {
  const directory = t.testdir({
    "a.ndjson": "12345",
    link: t.fixture("symlink", "a.ndjson"),
    folder: {},
    other: { "b.ndjson": "1" },
    prices: t.fixture("symlink", "other"),
  });
  t.equal(await inspectStoredFile(directory, "a.ndjson"), 5);
  t.match(await inspectStoredFile(directory, "link"), { kind: "file", found: /link/ });
  t.match(await inspectStoredFile(directory, "folder"), { kind: "file", found: /folder/ });
  t.match(await inspectStoredFile(directory, "absent"), { kind: "file", found: "no such file" });
  t.match(await inspectStoredFile(directory, "prices/b.ndjson"), { kind: "file", found: /"prices" a link/ });
  t.match(await inspectStoredFile(directory, "a.ndjson/b"), { kind: "file", found: /no folder \(ENOTDIR\)/ });
});

t.test("reading refuses links and folders, and reports what is missing", async (t) => {
  const directory = t.testdir({ "a.ndjson": "1", link: t.fixture("symlink", "a.ndjson"), folder: {} });
  t.equal(await foundWhenReading(join(directory, "link")), "a link");
  t.equal(await foundWhenReading(join(directory, "absent")), "no such file");
  t.equal(await foundWhenReading(join(directory, "folder")), "a directory");
});

t.test("an error that is not the file's is thrown again", async (t) => {
  const bug = new TypeError("a bug");
  t.throws(() => faultOfReading(bug), bug);
  t.throws(() => faultOfReading("text"));
});

t.test("bytes are reported as they come, with what there is to read in all", async (t) => {
  const reported: (readonly [done: number, total: number])[] = [];
  const counter = new ReadingCounter((done, total) => reported.push([done, total]));
  counter.expect(10);
  for (const bytes of [4, 0, 6]) counter.addBytes(bytes);
  t.same(reported.splice(0), [
    [4, 10],
    [10, 10],
  ]);
  counter.expect(5);
  for (const bytes of [3, 4]) counter.addBytes(bytes);
  t.same(
    reported,
    [
      [13, 15],
      [17, 17],
    ],
    "what is read once more is added, and so is what was not expected",
  );
});
