import { createRateLimitMemory } from "../../src/http/admission/rate-limits.ts";
import { createHeartbeats, heartbeatMillisecondsMax } from "../../src/serve/heartbeats.ts";
import { createCounters } from "../../src/serve/request-counters.ts";
import { ServiceState } from "../../src/serve/service-state.ts";
import { testAdmission } from "./test-admission.ts";

/** What a service of one thread knows of itself while it starts. */
export function startingState(): ServiceState {
  return new ServiceState({
    counters: createCounters(1),
    heartbeats: createHeartbeats(1),
    heartbeatMillisecondsMax,
    admission: testAdmission(),
    rateLimits: createRateLimitMemory(),
    droppedLogLines: new BigUint64Array(new SharedArrayBuffer(8)),
  });
}
