/** A worker that waits, throws, exits or runs out of memory on request. */
import { getCompileCacheDir } from "node:module";
import { setTimeout as wait } from "node:timers/promises";
import { answerRequests, sendNotice } from "../../../src/engine/threads/worker-client.ts";

export type Exercise =
  | { readonly kind: "wait"; readonly milliseconds: number }
  | { readonly kind: "notify"; readonly notices: readonly string[] }
  | { readonly kind: "name compile cache" }
  | { readonly kind: "throw"; readonly message: string }
  | { readonly kind: "exit" }
  | { readonly kind: "fill" };

let answered = 0;
const kept: string[][] = [];

answerRequests<Exercise, number>(async (exercise) => {
  if (exercise.kind === "notify") for (const notice of exercise.notices) sendNotice(notice);
  if (exercise.kind === "name compile cache") sendNotice(getCompileCacheDir() ?? "none");
  if (exercise.kind === "wait") await wait(exercise.milliseconds);
  if (exercise.kind === "throw") throw new Error(exercise.message);
  if (exercise.kind === "exit") process.exit(3);
  while (exercise.kind === "fill") kept.push(Array.from({ length: 100_000 }, (_, index) => `${index}`));
  return ++answered;
});
