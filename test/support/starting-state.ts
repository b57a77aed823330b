import { ServiceState } from "../../src/service/serve/service-state.ts";

/** What a service of one thread knows of itself while it starts. */
export function startingState(dataDirectory: string = "none"): ServiceState {
  return new ServiceState({
    dataDirectory,
    threadCount: 1,
    logForm: { droppedLines: new BigUint64Array(new SharedArrayBuffer(8)) },
  });
}
