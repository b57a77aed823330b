import type { Dataset } from "../../src/engine/model/dataset.ts";
import type { QuestionInputs } from "../questions/question.ts";

/** A successful answer, before it becomes JSON. */
export interface Answer {
  readonly data: unknown;
  readonly meta?: unknown;
}

/**
 * Someone who answers the questions of the race. Every answer ends as plain `data` and `meta`, before any JSON
 * text, with the fields, names, texts and rounding of our endpoints.
 */
export type Contender = {
  readonly [Kind in keyof QuestionInputs]: (input: QuestionInputs[Kind]) => Answer | Promise<Answer>;
};

/** A contender that holds a dataset. */
export interface ReadyContender {
  readonly contender: Contender;
  /** Name and version, for example `SQLite 3.53.4`. */
  readonly title: string;
}

/** Takes over a dataset: loads it and builds every index. The dataset is not needed afterwards. */
export type PrepareContender = (dataset: Dataset) => Promise<ReadyContender>;

/** The contenders by the name that a process gets. */
export const contenderNames = ["ours", "duckdb", "sqlite", "javascript"] as const;
export type ContenderName = (typeof contenderNames)[number];
