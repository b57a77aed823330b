/** The process of one contender: runs one call after the other and is idle in between. */

import { answerCalls } from "../calls/answer-calls.ts";
import type { ContenderName, PrepareContender, ReadyContender } from "../contenders/contender.ts";
import { prepareDuckDb } from "../contenders/duckdb.ts";
import { prepareOurs } from "../contenders/ours.ts";
import { preparePlainJavaScript } from "../contenders/plain-javascript.ts";
import { prepareSqlite } from "../contenders/sqlite.ts";
import { makeQuestions } from "../questions/make-questions.ts";
import type { Question } from "../questions/question.ts";
import { generateDataset } from "../sample/generate-dataset.ts";
import type { CallName, ContenderCalls, Preparation } from "./contender-calls.ts";
import { longestStretch } from "./longest-stretch.ts";
import { ask, measureInProcess, timeQuestion } from "./time-question.ts";

const prepareBy: Readonly<Record<ContenderName, PrepareContender>> = {
  ours: prepareOurs,
  duckdb: prepareDuckDb,
  sqlite: prepareSqlite,
  javascript: preparePlainJavaScript,
};

let ready: ReadyContender | undefined;
let questions: readonly Question[] = [];

const calls: {
  readonly [Name in CallName]: (argument: ContenderCalls[Name]["argument"]) => Promise<ContenderCalls[Name]["result"]>;
} = {
  prepare: async ({ name, sample }) => {
    const startedGenerating = performance.now();
    const dataset = generateDataset(sample);
    const startedLoading = performance.now();
    ready = await prepareBy[name](dataset);
    const ended = performance.now();
    return preparation(ready.title, startedLoading - startedGenerating, ended - startedLoading);
  },
  makeQuestions: async ({ sample, seed, variants }) => makeQuestions(generateDataset(sample), seed, variants),
  takeQuestions: async (made) => {
    questions = made;
    globalThis.gc?.();
    return null;
  },
  answer: async ({ question, variant }) => {
    const started = performance.now();
    const answer = await ask(contender(), questionAt(question), variant);
    return { answer, milliseconds: performance.now() - started };
  },
  time: async ({ question, ...how }) => await timeQuestion(contender(), questionAt(question), how),
  stretch: async ({ question }) => {
    let longest = 0;
    for (const variant of questionAt(question).variants.keys()) {
      longest = Math.max(longest, await longestStretch(() => ask(contender(), questionAt(question), variant)));
    }
    return longest;
  },
  measure: async ({ question }) => await measureInProcess(contender(), questionAt(question)),
};

answerCalls(calls);

function preparation(title: string, generateMilliseconds: number, loadMilliseconds: number): Preparation {
  globalThis.gc?.();
  return {
    title,
    generateSeconds: generateMilliseconds / 1000,
    loadSeconds: loadMilliseconds / 1000,
    residentBytes: process.memoryUsage.rss(),
  };
}

function contender(): ReadyContender["contender"] {
  if (ready === undefined) throw new Error("asked before it was prepared");
  return ready.contender;
}

function questionAt(position: number): Question {
  const question = questions[position];
  if (question === undefined) throw new RangeError(`question is ${position}, expected 0 to ${questions.length - 1}`);
  return question;
}
