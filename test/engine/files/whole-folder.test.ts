import { lstatSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import t from "tap";
import {
  type FolderClaim,
  FolderTakenError,
  requireFreeFolder,
  writeWholeFolder,
} from "../../../src/engine/files/whole-folder.ts";

const oneFile = [{ name: "prices.ndjson", pieces: ["{}\n", "{}\n"] }];

function claimOf(path: string, replaces = false): FolderClaim {
  return { path, fileNames: ["prices.ndjson", "units.json"], called: "a harvest", replaces };
}

t.test("a folder is made, with the folders above it, and nothing is left beside it", async (t) => {
  const directory = t.testdir();
  t.equal(await writeWholeFolder(claimOf(join(directory, "a", "b")), oneFile), 6);
  t.equal(readFileSync(join(directory, "a", "b", "prices.ndjson"), "utf8"), "{}\n{}\n");
  t.same(readdirSync(join(directory, "a")), ["b"]);
});

t.test("an empty folder is used", async (t) => {
  const directory = t.testdir({ out: {} });
  await writeWholeFolder(claimOf(join(directory, "out")), oneFile);
  t.same(readdirSync(join(directory, "out")), ["prices.ndjson"]);
});

t.test("an earlier folder is replaced whole, when that is allowed", async (t) => {
  const directory = t.testdir({ out: { "prices.ndjson": "old", "units.json": "old" } });
  const out = join(directory, "out");
  await t.rejects(writeWholeFolder(claimOf(out), oneFile), {
    name: "FolderTakenError",
    message: `${out}: holds a harvest already, expected an empty or a new folder (--force replaces it)`,
  });
  t.equal(readFileSync(join(out, "units.json"), "utf8"), "old");
  await writeWholeFolder(claimOf(out, true), oneFile);
  t.same(readdirSync(out), ["prices.ndjson"]);
  t.same(readdirSync(directory), ["out"]);
});

t.test("a folder without the file that every such folder has is not replaced", async (t) => {
  const directory = t.testdir({ out: { "units.json": "a person's own" } });
  const claim = { ...claimOf(join(directory, "out"), true), signName: "prices.ndjson" };
  await t.rejects(writeWholeFolder(claim, oneFile), {
    name: "FolderTakenError",
    message: /holds files and no "prices\.ndjson", which a harvest has, expected an empty or a new folder$/,
  });
  t.same(readdirSync(join(directory, "out")), ["units.json"]);
});

t.test("a folder in which a folder has the name of a file is not replaced", async (t) => {
  const directory = t.testdir({ out: { "prices.ndjson": { "thesis.txt": "" } } });
  const claim = { ...claimOf(join(directory, "out"), true), signName: "prices.ndjson" };
  await t.rejects(writeWholeFolder(claim, oneFile), { message: /holds "prices\.ndjson", expected an empty/ });
  t.same(readdirSync(join(directory, "out", "prices.ndjson")), ["thesis.txt"]);
});

t.test("where the path is a link, the folder is written where it leads, and the link stays", async (t) => {
  const directory = t.testdir({ disk: { full: { "prices.ndjson": "old" }, empty: {} } });
  for (const name of ["full", "empty"]) {
    const link = join(directory, `link-${name}`);
    symlinkSync(join(directory, "disk", name), link);
    await writeWholeFolder(claimOf(link, true), oneFile);
    t.ok(lstatSync(link).isSymbolicLink());
    t.equal(readFileSync(join(directory, "disk", name, "prices.ndjson"), "utf8"), "{}\n{}\n");
  }
  t.same(readdirSync(join(directory, "disk")), ["empty", "full"]);
  symlinkSync(join(directory, "gone"), join(directory, "link"));
  for (const name of ["link", "link/"]) {
    await t.rejects(writeWholeFolder(claimOf(`${directory}/${name}`, true), oneFile), {
      name: "FolderTakenError",
      message: /link\/?: is a link to nothing, expected a folder$/,
    });
  }
});

t.test("a failure on the way leaves the folder as it was and nothing beside it", async (t) => {
  const directory = t.testdir({ out: { "prices.ndjson": "old" } });
  const pieces = (function* (): Generator<string> {
    yield "{}\n";
    throw new Error("the disk is full");
  })();
  await t.rejects(writeWholeFolder(claimOf(join(directory, "out"), true), [{ name: "prices.ndjson", pieces }]), {
    message: "the disk is full",
  });
  t.equal(readFileSync(join(directory, "out", "prices.ndjson"), "utf8"), "old");
  t.same(readdirSync(directory), ["out"]);
});

t.test("long texts are written whole, and their bytes are counted", async (t) => {
  const directory = t.testdir();
  const pieces = Array.from({ length: 20_000 }, (_, index) => `line ${index} é\n`);
  const bytes = await writeWholeFolder(claimOf(join(directory, "out")), [{ name: "prices.ndjson", pieces }]);
  t.equal(readFileSync(join(directory, "out", "prices.ndjson"), "utf8"), pieces.join(""));
  t.equal(bytes, Buffer.byteLength(pieces.join("")));
});

t.test("a folder with foreign files and a file are refused by name", async (t) => {
  const directory = t.testdir({ used: { "thesis.txt": "" }, file: "" });
  await t.rejects(requireFreeFolder(claimOf(join(directory, "used"), true)), { message: /used: holds "thesis\.txt"/ });
  await t.rejects(requireFreeFolder(claimOf(join(directory, "file"), true)), {
    message: /file: is a file, expected a folder/,
  });
  await t.rejects(requireFreeFolder(claimOf(join(directory, "used"))), FolderTakenError);
  await t.resolves(requireFreeFolder(claimOf(join(directory, "new"))));
});
