import { createRateLimitMemory } from "../../src/http/rate-limits.ts";
import { createCounters } from "../../src/serve/request-counters.ts";
import { ServiceState } from "../../src/serve/service-state.ts";
import { testAdmission } from "./test-admission.ts";

/** What a service of one thread knows of itself while it starts. */
export function startingState(): ServiceState {
  return new ServiceState(
    createCounters(1),
    testAdmission(),
    createRateLimitMemory(),
    new BigUint64Array(new SharedArrayBuffer(8)),
  );
}
