import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import t from "tap";
import { checkOutputFolder, writeRecordFolder } from "../../../src/importers/wfp/write-record-folder.ts";

const oneFile = [{ name: "prices.ndjson", pieces: ["{}\n", "{}\n"] }];

t.test("a folder is made, with the folders above it, and nothing is left beside it", async (t) => {
  const directory = t.testdir();
  await writeRecordFolder(join(directory, "a", "b"), oneFile, false);
  t.equal(readFileSync(join(directory, "a", "b", "prices.ndjson"), "utf8"), "{}\n{}\n");
  t.same(readdirSync(join(directory, "a")), ["b"]);
});

t.test("an empty folder is used", async (t) => {
  const directory = t.testdir({ out: {} });
  await writeRecordFolder(join(directory, "out"), oneFile, false);
  t.same(readdirSync(join(directory, "out")), ["prices.ndjson"]);
});

t.test("an earlier import is replaced whole, when that is allowed", async (t) => {
  const directory = t.testdir({ out: { "prices.ndjson": "old", "units.json": "old" } });
  const out = join(directory, "out");
  await t.rejects(writeRecordFolder(out, oneFile, false), { message: /holds an earlier import/ });
  t.equal(readFileSync(join(out, "units.json"), "utf8"), "old");
  await writeRecordFolder(out, oneFile, true);
  t.same(readdirSync(out), ["prices.ndjson"]);
  t.same(readdirSync(directory), ["out"]);
});

t.test("a failure on the way leaves the folder as it was and nothing beside it", async (t) => {
  const directory = t.testdir({ out: { "prices.ndjson": "old" } });
  const pieces = (function* (): Generator<string> {
    yield "{}\n";
    throw new Error("the disk is full");
  })();
  await t.rejects(writeRecordFolder(join(directory, "out"), [{ name: "prices.ndjson", pieces }], true), {
    message: "the disk is full",
  });
  t.equal(readFileSync(join(directory, "out", "prices.ndjson"), "utf8"), "old");
  t.same(readdirSync(directory), ["out"]);
});

t.test("long texts are written whole", async (t) => {
  const directory = t.testdir();
  const pieces = Array.from({ length: 20_000 }, (_, index) => `line ${index}\n`);
  await writeRecordFolder(join(directory, "out"), [{ name: "prices.ndjson", pieces }], false);
  t.equal(readFileSync(join(directory, "out", "prices.ndjson"), "utf8"), pieces.join(""));
});

t.test("a folder with foreign files and a file are refused by name", async (t) => {
  const directory = t.testdir({ used: { "thesis.txt": "" }, file: "" });
  await t.rejects(checkOutputFolder(join(directory, "used"), true), { message: /used: holds "thesis\.txt"/ });
  await t.rejects(checkOutputFolder(join(directory, "file"), true), { message: /file: is a file, expected a folder/ });
  await t.resolves(checkOutputFolder(join(directory, "new"), false));
});
