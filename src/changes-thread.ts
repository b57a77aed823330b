/** A thread that lists what a fetched snapshot changes and is then ended, which frees the memory of two stores. */
import { constants, setPriority } from "node:os";
import { answerRequests } from "./engine/threads/worker-client.ts";
import type { ChangesThreadAnswer, ChangesThreadRequest } from "./publishing/follow/list-changes.ts";

answerRequests<ChangesThreadRequest, ChangesThreadAnswer>(async ({ dataDirectory, id }) => {
  // As in loader-thread.ts: requests come first.
  if (process.platform === "linux") setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  const { writeChangesOf } = await import("./publishing/publish/stage-changes.ts");
  return { isWritten: await writeChangesOf(dataDirectory, id) };
});
