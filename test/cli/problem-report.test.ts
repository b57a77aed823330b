import t from "tap";
import { problemLines, problemReport, warningLines } from "../../src/cli/problem-report.ts";
import { type Problem, ProblemList, problemsPerKindMax } from "../../src/engine/snapshots/problem.ts";

const problem: Problem = {
  file: "prices.ndjson",
  line: 812,
  field: "recorded_at",
  found: '"2026-13-01"',
  wanted: "an RFC 3339 time",
  kind: "value",
};

t.test("each problem is a line", async (t) => {
  const list = new ProblemList();
  t.same(problemLines(list), []);
  list.add(problem);
  t.same(problemLines(list), ['prices.ndjson:812: "recorded_at" is "2026-13-01", expected an RFC 3339 time']);
});

t.test("what is refused about a price names its product, market and day, as a warning does", async (t) => {
  const price = { product: "Maize", market: "Wakulima", recordedAt: Date.UTC(2026, 3, 30, 22) };
  const list = new ProblemList<string>();
  list.add({ ...problem, kind: "suspicious", price } as Problem<string>);
  const [line] = problemLines(list);
  t.equal(
    line,
    'prices.ndjson:812: "recorded_at" is "2026-13-01", expected an RFC 3339 time (Maize at Wakulima, 2026-05-01)',
  );
  t.same(warningLines(list), ["warning: suspicious (1): suspicious prices", `  ${line}`]);
});

t.test("what is beyond the limit is counted by kind", async (t) => {
  const list = new ProblemList();
  for (let count = 0; count < problemsPerKindMax + 4980; count++) list.add(problem);
  list.add({ ...problem, kind: "line" });
  const lines = problemLines(list);
  t.equal(lines.length, problemsPerKindMax + 2);
  t.equal(lines.at(-1), "… and 4980 more: invalid values");
});

t.test("a program gets the same with all counts", async (t) => {
  const list = new ProblemList();
  list.add(problem);
  list.add(problem);
  t.same(JSON.parse(JSON.stringify(problemReport(list))), {
    total: 2,
    stopped: false,
    counts: { value: 2 },
    problems: [problem, problem],
  });
});
