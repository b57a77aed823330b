import t from "tap";
import { ProblemList } from "../../../src/engine/snapshots/problem.ts";
import { RecordTable } from "../../../src/engine/snapshots/read-tables.ts";

t.test("records keep their order and their lines", async (t) => {
  const table = new RecordTable<string>("a.ndjson");
  table.add("x", 3);
  table.add("y", 1);
  t.same(table.records, ["x", "y"]);
  t.equal(table.locationOf(0).line, 3);
  t.equal(table.locationOf(1).line, 1);
  t.throws(() => table.locationOf(2).line, { name: "RangeError", message: "position is 2, expected 0 to 1" });
});

t.test("a fault of a record is reported with file and line", async (t) => {
  const table = new RecordTable<string>("a.ndjson");
  table.add("x", 3);
  const problems = new ProblemList();
  table.report(problems, 0, { kind: "value", field: "f", found: "1", wanted: "2" });
  t.same(problems.problems, [{ file: "a.ndjson", line: 3, kind: "value", field: "f", found: "1", wanted: "2" }]);
});
