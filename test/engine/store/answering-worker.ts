/** A thread that is handed a store and answers questions about it. */
import { parentPort, workerData } from "node:worker_threads";
import type { Store } from "../../../src/engine/store/store.ts";
import { answerQuestions, type Questions } from "./answer-questions.ts";

const store: Store = workerData;

parentPort?.on("message", async (questions: Questions) => {
  parentPort?.postMessage(await answerQuestions(store, questions));
});
