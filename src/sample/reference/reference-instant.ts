import type { Instant } from "../../domain/instant.ts";

/** When the reference records of every sample were entered, and when it counts as published: after its last price. */
export const referenceInstant = Date.UTC(2026, 10, 1, 6) as Instant;
