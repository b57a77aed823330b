/**
 * One race: contenders hold the same data, prove that they answer alike, and are then timed in turns, question by
 * question. Only one of them works at any time.
 */

import { median, quantile } from "simple-statistics";
import type { ContenderName } from "../contenders/contender.ts";
import type { Question } from "../questions/question.ts";
import type { SampleOptions } from "../sample/sample-options.ts";
import { AnswersDifferError, compareAnswers } from "./compare-answers.ts";
import type { InProcessFigures, Preparation } from "./contender-calls.ts";
import { ContenderProcess } from "./contender-process.ts";

export interface RaceOptions {
  readonly sample: SampleOptions;
  /** Ours first, then the peers. */
  readonly contenders: readonly ContenderName[];
  /** Sets of parameters per question. */
  readonly variants: number;
  readonly rounds: number;
  /** How long a contender is timed at a turn; one round over the variants is always finished. */
  readonly turnMilliseconds: number;
  /** Part of the names of the questions to ask; all when empty. */
  readonly questionNames: readonly string[];
  /** Load the contenders at the same time, where it does not matter how long each takes. */
  readonly loadsTogether: boolean;
  /** Also measure ours alone: how long it keeps its thread, and in process with mitata. */
  readonly examinesOurs: boolean;
  readonly onProgress: (stage: string, done: number, total: number) => void;
}

/** Times of one contender at one question, in microseconds. */
interface Timing {
  /** Median of the rounds' medians. */
  readonly p50: number;
  /** Over all calls of all rounds. */
  readonly p99: number;
  readonly calls: number;
}

export interface QuestionResult {
  readonly name: string;
  readonly target: number | null;
  readonly staysFlat: boolean;
  readonly timings: Readonly<Partial<Record<ContenderName, Timing>>>;
  /** The fastest peer, and how many times longer it takes than we do. */
  readonly bestPeer: ContenderName;
  readonly ratio: number;
  /** Milliseconds for which ours kept its thread at a stretch; null when ours was not examined. */
  readonly stretch: number | null;
  readonly inProcess: InProcessFigures | null;
}

export interface RaceResult {
  readonly prices: number;
  readonly preparations: Readonly<Partial<Record<ContenderName, Preparation>>>;
  readonly results: readonly QuestionResult[];
}

/** Contenders that hold the data, and questions on which they agree. */
export interface Race {
  readonly questions: readonly Question[];
  readonly preparations: RaceResult["preparations"];
  /** Times all contenders at a question and works out the ratio. */
  run(position: number): Promise<QuestionResult>;
  stop(): Promise<void>;
}

const questionSeed = 20_261_101;

/** No contender is asked fewer variants of a question than these. */
const variantsMin = 3;

/** Runs a whole race. @throws {AnswersDifferError} before anything is timed. */
export async function runRace(options: RaceOptions): Promise<RaceResult> {
  const race = await startRace(options);
  try {
    const results: QuestionResult[] = [];
    for (const position of race.questions.keys()) {
      options.onProgress("timing", position, race.questions.length);
      results.push(await race.run(position));
    }
    return { prices: options.sample.prices, preparations: race.preparations, results };
  } finally {
    await race.stop();
  }
}

/** Starts the processes, loads the data and compares the answers. @throws {AnswersDifferError} */
export async function startRace(options: RaceOptions): Promise<Race> {
  const { sample, contenders, variants, onProgress } = options;
  const processes = contenders.map((name) => new ContenderProcess(name));
  const stop = async (): Promise<void> => {
    await Promise.all(processes.map((contender) => contender.stop()));
  };
  try {
    const ours = processes[0] as ContenderProcess;
    const all = await ours.call("makeQuestions", { sample, seed: questionSeed, variants });
    const questions = all.filter(
      ({ name }) => options.questionNames.length === 0 || options.questionNames.some((part) => name.includes(part)),
    );
    if (questions.length === 0) {
      const names = all.map(({ name }) => name).join("; ");
      throw new RangeError(`no question is called ${options.questionNames.join(", ")}; there are ${names}`);
    }
    const preparations: Partial<Record<ContenderName, Preparation>> = {};
    const load = async (contender: ContenderProcess): Promise<void> => {
      preparations[contender.name] = await contender.call("prepare", { name: contender.name, sample });
      await contender.call("takeQuestions", questions);
    };
    if (options.loadsTogether) {
      onProgress("loading", 0, 1);
      await Promise.all(processes.map(load));
    } else {
      for (const contender of processes) {
        onProgress(`loading ${contender.name}`, 0, 1);
        await load(contender);
      }
    }
    const slowest = await verify(processes, questions, onProgress);
    const run = (position: number): Promise<QuestionResult> =>
      runQuestion(processes, questions[position] as Question, position, slowest[position] as number, options);
    return { questions, preparations, run, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * Compares all answers. Nothing is timed yet, so all may work at once; how long they take is only a hint.
 *
 * @returns How long the slowest contender took for a variant of each question, in milliseconds.
 */
async function verify(
  processes: readonly ContenderProcess[],
  questions: readonly Question[],
  onProgress: RaceOptions["onProgress"],
): Promise<number[]> {
  const slowest: number[] = [];
  for (const [question, { name, variants }] of questions.entries()) {
    onProgress("comparing answers", question, questions.length);
    const sums = processes.map(() => 0);
    for (const variant of variants.keys()) {
      const replies = await Promise.all(processes.map((contender) => contender.call("answer", { question, variant })));
      for (const [at, { answer, milliseconds }] of replies.entries()) {
        (sums[at] as number) += milliseconds;
        const difference = compareAnswers(replies[0]?.answer, answer);
        if (difference === undefined) continue;
        const { path, ours, theirs } = difference;
        throw new AnswersDifferError(
          `"${name}", asked ${JSON.stringify(variants[variant])}: at ${path} ours has ${JSON.stringify(ours)}, ` +
            `${processes[at]?.name} has ${JSON.stringify(theirs)}`,
        );
      }
    }
    slowest.push(Math.max(...sums) / variants.length);
  }
  return slowest;
}

async function runQuestion(
  processes: readonly ContenderProcess[],
  { name, target, staysFlat, variants }: Question,
  question: number,
  slowestMilliseconds: number,
  { rounds, turnMilliseconds, examinesOurs }: RaceOptions,
): Promise<QuestionResult> {
  const [ours] = processes as readonly [ContenderProcess];
  // All are asked the same variants, as many as the slowest can do in about three turns.
  const affordable = Math.floor((3 * turnMilliseconds) / slowestMilliseconds);
  const how = {
    question,
    variants: Math.min(variants.length, Math.max(variantsMin, affordable)),
    milliseconds: turnMilliseconds,
    warmUpMilliseconds: turnMilliseconds / 3,
  };
  const samples = processes.map((): Float64Array[] => []);
  for (let round = 0; round < rounds; round++) {
    for (const [at, contender] of processes.entries()) samples[at]?.push(await contender.call("time", how));
  }
  const timings = Object.fromEntries(
    processes.map((contender, at) => [contender.name, timingOf(samples[at] ?? [])]),
  ) as Record<ContenderName, Timing>;
  const peers = processes.slice(1).map((contender) => contender.name);
  const bestPeer = peers.reduce((best, peer) => (timings[peer].p50 < timings[best].p50 ? peer : best));
  return {
    name,
    target,
    staysFlat,
    timings,
    bestPeer,
    ratio: timings[bestPeer].p50 / timings.ours.p50,
    stretch: examinesOurs ? await ours.call("stretch", { question }) : null,
    inProcess: examinesOurs ? await ours.call("measure", { question }) : null,
  };
}

function timingOf(rounds: readonly Float64Array[]): Timing {
  const samples = rounds.map((round) => Array.from(round));
  const all = samples.flat();
  return { p50: median(samples.map(median)), p99: quantile(all, 0.99), calls: all.length };
}
