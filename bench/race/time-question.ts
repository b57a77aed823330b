import type { Answer } from "../../src/http/endpoint.ts";
import type { Contender } from "../contenders/contender.ts";
import type { Question } from "../questions/question.ts";
import type { TimeArgument } from "./contender-calls.ts";

/** More samples than these say nothing new. */
const samplesMax = 20_000;

/** Asks one variant of a question. */
export function ask(contender: Contender, question: Question, variant: number): Answer | Promise<Answer> {
  const input = question.variants[variant % question.variants.length];
  // The type of a question ties kind and input together; a call through a variable kind cannot show it.
  const answer = contender[question.kind] as (given: unknown) => Answer | Promise<Answer>;
  return answer(input);
}

/**
 * Times the variants of a question in complete rounds, each call by itself, until the time is used up; at least one
 * round. Before that it runs for the time of the warm-up. A call ends when the plain answer is there.
 *
 * @returns Microseconds of each call.
 */
export async function timeQuestion(
  contender: Contender,
  question: Question,
  { variants, warmUpMilliseconds, milliseconds }: Omit<TimeArgument, "question">,
): Promise<Float64Array> {
  let last: Answer | undefined;
  const warmUntil = performance.now() + warmUpMilliseconds;
  for (let variant = 0; performance.now() < warmUntil; variant = (variant + 1) % variants) {
    last = await ask(contender, question, variant);
  }
  globalThis.gc?.({ type: "minor" });
  const samples: number[] = [];
  const until = performance.now() + milliseconds;
  do {
    for (let variant = 0; variant < variants; variant++) {
      const started = process.hrtime.bigint();
      const answer = ask(contender, question, variant);
      last = answer instanceof Promise ? await answer : answer;
      samples.push(Number(process.hrtime.bigint() - started) / 1000);
    }
  } while (performance.now() < until && samples.length < samplesMax);
  // Looking at it keeps the engine from leaving the work out.
  if (last === undefined) throw new Error(`"${question.name}" was given no answer`);
  return Float64Array.from(samples);
}
