/** A reader of prices that dies of its first block. */
import { answerRequests } from "../../../../src/engine/threads/worker-client.ts";

answerRequests(({ kind }: { readonly kind: string }) => {
  if (kind === "block") throw new Error("the reader broke");
});
