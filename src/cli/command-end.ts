/** What a command that changes a dataset directory says where the change is made, and not all that comes behind it. */
import { logFileName } from "../engine/snapshots/snapshot-layout.ts";
import type { Unfinished } from "../publishing/publish/publish-lock.ts";

/** What is not done behind a change. The fault of a push begins with the target. */
export type LeftStep = Omit<Unfinished, "step" | "error"> & { readonly step: Unfinished["step"] | "push" };

/** The end of a command that changes a dataset directory. */
export interface CommandEnd {
  /** What is done, as the beginning of a sentence: `published 2026…`. */
  readonly done: string;
  /** False of a command that publishes nothing: it is refused where anything is left. */
  readonly isPublished: boolean;
  readonly left: readonly LeftStep[];
}

/** In the order of `unfinished` in the JSON. */
const words: Readonly<Record<LeftStep["step"], string>> = {
  log: `its line is missing or not flushed in ${logFileName}:`,
  announcement: "not announced:",
  push: "not pushed to",
  cleaning: "not cleaned:",
};

/** The steps that are not done, for programs. */
export function leftSteps({ left }: CommandEnd): string[] {
  return Object.keys(words).filter((name) => left.some(({ step }) => step === name));
}

function wordsOf(one: LeftStep): string {
  return isUnflushed(one) ? "not flushed:" : words[one.step];
}

/** Returns whether all is announced, and what lacks is that the disk has it for good. */
export function isUnflushed(one: LeftStep): boolean {
  return one.step === "announcement" && one.isAnnounced === true;
}

/** Lines for stderr: what is done, what is not, and who completes it; then the line that the log lacks, as it is. */
export function leftText(end: CommandEnd): string {
  const { done, left } = end;
  const ordered = leftSteps(end).flatMap((name) => left.filter(({ step }) => step === name));
  const texts = ordered.filter(({ step }) => step !== "log").map((one) => `${wordsOf(one)} ${one.fault}`);
  const ofPush = left.filter(({ isOfPush = false }) => isOfPush);
  let next = "the next command completes it";
  if (ofPush.some(({ step }) => step !== "cleaning")) {
    next = "the next command that announces completes it, or snapshot push";
  } else if (ofPush.length > 0) next = "the next snapshot push completes it, with --keep if that was given";
  const lines = texts.length === 0 ? [] : [`${[done, ...texts].join(", ")}; ${next}`];
  for (const one of left) {
    if (one.step === "log") lines.push(`${done}, ${words.log} ${one.fault}; add it:`, one.line ?? "");
  }
  return lines.join("\n");
}
