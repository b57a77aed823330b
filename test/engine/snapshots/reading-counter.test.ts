import t from "tap";
import { ReadingCounter } from "../../../src/engine/snapshots/stored-file.ts";

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

t.test("rows are counted by table", async (t) => {
  const counter = new ReadingCounter();
  counter.addBytes(1);
  t.same([...counter.rows], []);
  counter.addRows("prices", 2);
  counter.addRows("crops", 0);
  counter.addRows("prices", 3);
  t.same(
    [...counter.rows],
    [
      ["prices", 5],
      ["crops", 0],
    ],
  );
});
