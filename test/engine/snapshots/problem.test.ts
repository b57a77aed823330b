import t from "tap";
import {
  DatasetError,
  foundText,
  type Problem,
  ProblemList,
  problemsPerKindMax,
  problemText,
} from "../../../src/engine/snapshots/problem.ts";

const lateMonth: Problem = {
  file: "prices.ndjson",
  line: 812,
  field: "recorded_at",
  found: '"2026-13-01"',
  wanted: "an RFC 3339 time",
  kind: "value",
};

t.test("a problem is one line with file, line, field, what was found and what was wanted", async (t) => {
  t.equal(problemText(lateMonth), 'prices.ndjson:812: "recorded_at" is "2026-13-01", expected an RFC 3339 time');
  t.equal(
    problemText({ file: "crops.json", found: "no such file", wanted: "a file", kind: "file" }),
    "crops.json: found no such file, expected a file",
  );
});

t.test("names from outside cannot move the cursor of a terminal", async (t) => {
  const text = problemText({ file: "a\u001b[2J.json", field: "b\nc", found: "unknown", wanted: "d", kind: "file" });
  t.notMatch(text, /\p{Cc}/u);
});

t.test("a list keeps the first problems of each kind and counts the rest", async (t) => {
  const list = new ProblemList();
  for (let line = 1; line <= problemsPerKindMax + 1; line++) list.add({ ...lateMonth, line });
  list.add({ ...lateMonth, kind: "line" });
  t.equal(list.problems.length, problemsPerKindMax + 1);
  t.same(
    [...list.counts],
    [
      ["value", problemsPerKindMax + 1],
      ["line", 1],
    ],
  );
  t.equal(list.total, problemsPerKindMax + 2);
});

t.test("a list without problems throws nothing, one with problems a DatasetError that holds it", async (t) => {
  const list = new ProblemList();
  list.throwIfAny("somewhere");
  list.add(lateMonth);
  t.throws(() => list.throwIfAny("somewhere"), {
    name: "DatasetError",
    list,
    message: /^somewhere: 1 problem, .*:812:/,
  });
  list.add(lateMonth);
  t.match(new DatasetError("here", list).message, /^here: 2 problems, the first: prices/);
  t.equal(new DatasetError("here", new ProblemList()).message, "here: 0 problems");
});

t.test("a found value is shown as JSON and cut where it grows long", async (t) => {
  t.equal(foundText("a\nb"), '"a\\nb"');
  t.equal(foundText(undefined), "nothing");
  t.equal(foundText("x".repeat(78)).length, 80);
  t.equal(foundText("x".repeat(79)), `"${"x".repeat(79)}…`);
});
