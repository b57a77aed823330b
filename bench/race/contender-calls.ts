/** The calls that the process of a contender takes, one at a time. Everything here crosses a process boundary. */

import type { ContenderName } from "../contenders/contender.ts";
import type { Question } from "../questions/question.ts";
import type { SampleOptions } from "../sample/sample-options.ts";

export interface ContenderCalls {
  /** Generate the dataset, load it, build every index. */
  readonly prepare: {
    readonly argument: { readonly name: ContenderName; readonly sample: SampleOptions };
    readonly result: Preparation;
  };
  /** Make the questions; before `prepare`, for it looks at the dataset. */
  readonly makeQuestions: {
    readonly argument: { readonly sample: SampleOptions; readonly seed: number; readonly variants: number };
    readonly result: readonly Question[];
  };
  /** Take the questions over; those below are named by their position. */
  readonly takeQuestions: { readonly argument: readonly Question[]; readonly result: null };
  /** Answer one variant. */
  readonly answer: {
    readonly argument: { readonly question: number; readonly variant: number };
    readonly result: { readonly answer: unknown; readonly milliseconds: number };
  };
  /**
   * Answer variants in turn, over and over, in complete rounds of them, and say how long each took, in microseconds.
   */
  readonly time: { readonly argument: TimeArgument; readonly result: Float64Array };
  /** The longest time for which a question kept the thread from everything else, in milliseconds. */
  readonly stretch: { readonly argument: { readonly question: number }; readonly result: number };
  /** In-process figures by mitata. */
  readonly measure: { readonly argument: { readonly question: number }; readonly result: InProcessFigures };
}

export interface Preparation {
  readonly title: string;
  readonly generateSeconds: number;
  readonly loadSeconds: number;
  readonly residentBytes: number;
}

export interface TimeArgument {
  readonly question: number;
  /** How many of the question's variants to use; the first ones. */
  readonly variants: number;
  readonly warmUpMilliseconds: number;
  readonly milliseconds: number;
}

/** Per call, by mitata. */
export interface InProcessFigures {
  readonly averageMicroseconds: number;
  readonly p99Microseconds: number;
  readonly heapBytes: number | null;
}

export type CallName = keyof ContenderCalls;
