import t from "tap";
import { ReadingTally } from "../../src/dataset/stored-file.ts";

t.test("bytes are told as they come, with what there is to read in all", async (t) => {
  const told: (readonly [done: number, total: number])[] = [];
  const tally = new ReadingTally((done, total) => told.push([done, total]));
  tally.expect(10);
  for (const bytes of [4, 0, 6]) tally.addBytes(bytes);
  t.same(told.splice(0), [
    [4, 10],
    [10, 10],
  ]);
  tally.expect(5);
  for (const bytes of [3, 4]) tally.addBytes(bytes);
  t.same(
    told,
    [
      [13, 15],
      [17, 17],
    ],
    "what is read once more is added, and so is what was not expected",
  );
});

t.test("rows are counted by table", async (t) => {
  const tally = new ReadingTally();
  tally.addBytes(1);
  t.same([...tally.rows], []);
  tally.addRows("prices", 2);
  tally.addRows("crops", 0);
  tally.addRows("prices", 3);
  t.same(
    [...tally.rows],
    [
      ["prices", 5],
      ["crops", 0],
    ],
  );
});
