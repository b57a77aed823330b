/** Timing in the process of a contender, by mitata: a question's variants in turn, one call after the other. */
import { do_not_optimize, measure } from "mitata";
import type { Answer, Contender } from "../contenders/contender.ts";
import type { Question } from "../questions/question.ts";
import type { InProcessFigures, TimeArgument } from "./contender-calls.ts";

/** More samples than these say nothing new. */
const samplesMax = 20_000;

/** For which ours alone is measured in batches. */
const inProcessNanoseconds = 100e6;

/** A sample is one call, however short, and none is left out; mitata would pool short calls and trim both ends. */
const eachCall = { batch_threshold: -1, samples_threshold: Number.POSITIVE_INFINITY };

/** Asks one variant of a question. */
export function ask(contender: Contender, question: Question, variant: number): Answer | Promise<Answer> {
  const input = question.variants[variant % question.variants.length];
  // The type of a question ties kind and input together; a call through a variable kind cannot show it.
  const answer = contender[question.kind] as (received: unknown) => Answer | Promise<Answer>;
  return answer(input);
}

/**
 * Times the variants of a question in complete rounds, each call by itself; at least one round. The warm-up says how
 * many rounds the time allows. A call ends when the plain answer is there.
 *
 * @returns Microseconds of each call, ascending.
 */
export async function timeQuestion(
  contender: Contender,
  question: Question,
  { variants, warmUpMilliseconds, milliseconds }: Omit<TimeArgument, "question">,
): Promise<Float64Array> {
  const call = callsInTurn(contender, question, variants);
  const warmUp = { ...eachCall, gc: false, min_samples: 1, min_cpu_time: warmUpMilliseconds * 1e6 };
  const { avg } = await measure(call, warmUp);
  const calls = variants * Math.max(1, Math.floor(Math.min((milliseconds * 1e6) / avg, samplesMax) / variants));
  const gc = () => globalThis.gc?.({ type: "minor" });
  const { samples } = await measure(call, {
    ...eachCall,
    gc,
    min_cpu_time: 0,
    min_samples: calls,
    max_samples: calls,
  });
  return Float64Array.from(samples, (nanoseconds) => nanoseconds / 1000);
}

/** Measures all variants of a question as mitata does by default: short calls in batches, and the memory they take. */
export async function measureInProcess(contender: Contender, question: Question): Promise<InProcessFigures> {
  const { avg, p99, heap } = await measure(callsInTurn(contender, question, question.variants.length), {
    heap: () => process.memoryUsage().heapUsed,
    min_cpu_time: inProcessNanoseconds,
  });
  return { averageMicroseconds: avg / 1000, p99Microseconds: p99 / 1000, heapBytes: heap?.avg ?? null };
}

/** A function that asks the first `variants` variants in turn, over and over. */
function callsInTurn(contender: Contender, question: Question, variants: number): () => Answer | Promise<Answer> {
  let variant = 0;
  return () => {
    const answer = ask(contender, question, variant);
    variant = variant + 1 === variants ? 0 : variant + 1;
    // Keeps the engine from leaving the work out.
    do_not_optimize(answer);
    return answer;
  };
}
