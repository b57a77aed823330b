import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pino } from "pino";
import t, { type Test } from "tap";
import { notePublisher, type Served } from "../../../src/service/serve/service-state.ts";

const id = "20261120T083000Z-0123456789ab";
const version = { version: "1.0.0", commit: "unknown" };
const publisher = { version: "1.1.0", commit: "0123456789abcdef" };

/** A served snapshot, and what announces it. */
function serve(t: Test) {
  const dataDirectory = t.testdir();
  const lines: Record<string, unknown>[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const served = { opened: { store: { snapshot: { id } } }, loadedAt: 0 } as Served;
  const note = async (): Promise<Served["publisher"]> => {
    await notePublisher({ dataDirectory, version, served }, log);
    return served.publisher;
  };
  const announce = (by: object | undefined, snapshot: string = id): void =>
    writeFileSync(join(dataDirectory, "announcement.json"), JSON.stringify({ snapshot, publisher: by }));
  return { lines, note, announce };
}

t.test("a snapshot of another version is logged once its announcement is there", async (t) => {
  const { lines, note, announce } = serve(t);
  t.equal(await note(), undefined);
  announce(publisher);
  t.same([await note(), await note()], [publisher, publisher]);
  t.match(lines, [
    {
      level: 40,
      snapshot: id,
      publisher,
      msg: "published by version 1.1.0 (0123456789ab), served by version 1.0.0 (commit unknown)",
    },
  ]);
  t.equal(lines.length, 1);
});

t.test("a snapshot of the same version is not", async (t) => {
  const { lines, note, announce } = serve(t);
  const same = { ...publisher, version: "1.0.0" };
  announce(same);
  t.same([await note(), lines], [same, []]);
});

t.test("an announcement of another snapshot is none, nor one that does not say it", async (t) => {
  const { note, announce } = serve(t);
  announce(publisher, "20261121T083000Z-0123456789ab");
  t.equal(await note(), undefined);
  announce(undefined);
  t.equal(await note(), undefined);
  announce(publisher);
  t.same(await note(), publisher);
  announce(publisher, "20261121T083000Z-0123456789ab");
  t.same(await note(), publisher, "what is known stays");
});

t.test("nothing is noted before a snapshot is served", async (t) => {
  const { announce } = serve(t);
  announce(publisher);
  await t.resolves(notePublisher({ dataDirectory: t.testdirName, version, served: undefined }, { warn() {} }));
});
