import t from "tap";
import type { Contender } from "../../../bench/contenders/contender.ts";
import type { Question } from "../../../bench/questions/question.ts";
import { measureInProcess, timeQuestion } from "../../../bench/race/time-question.ts";

const variants = ["a", "b", "c"].map((uuid) => ({ uuid }));
const question: Question = { name: "price by uuid", kind: "price", target: 1, staysFlat: true, variants };

/** A contender that takes a millisecond for `a` and `b` and two for `c`, and counts what it is asked. */
function slowContender(asked: string[], isAsync: boolean): Contender {
  const answer = ({ uuid }: { readonly uuid: string }) => {
    asked.push(uuid);
    const until = performance.now() + (uuid === "c" ? 2 : 1);
    while (performance.now() < until);
    return { data: null };
  };
  return {
    price: isAsync ? async (params: { readonly uuid: string }) => answer(params) : answer,
  } as unknown as Contender;
}

t.test("a sample is one call, the variants are asked in complete rounds, at least one", async (t) => {
  for (const isAsync of [false, true]) {
    for (const milliseconds of [0, 200]) {
      const asked: string[] = [];
      const how = { variants: 3, warmUpMilliseconds: 50, milliseconds };
      const samples = await timeQuestion(slowContender(asked, isAsync), question, how);
      t.equal(samples.length % 3, 0);
      t.ok(samples.length >= 3, `${samples.length} calls in ${milliseconds} ms`);
      t.ok(samples.every((microseconds) => microseconds >= 1000));
      t.ok(samples.filter((microseconds) => microseconds >= 2000).length >= samples.length / 3);
      const timed = asked.slice(-samples.length);
      for (const uuid of ["a", "b", "c"]) t.equal(timed.filter((other) => other === uuid).length, samples.length / 3);
    }
  }
});

t.test("only the first variants are asked where fewer are wanted", async (t) => {
  const asked: string[] = [];
  await timeQuestion(slowContender(asked, false), question, { variants: 2, warmUpMilliseconds: 0, milliseconds: 0 });
  t.same(new Set(asked), new Set(["a", "b"]));
});

t.test("in process all variants are measured, time and memory a call", async (t) => {
  const asked: string[] = [];
  const figures = await measureInProcess(slowContender(asked, false), question);
  t.ok(figures.averageMicroseconds > 1200 && figures.p99Microseconds >= 2000);
  t.type(figures.heapBytes, "number");
  t.same(new Set(asked), new Set(["a", "b", "c"]));
});
