import type { ReadingOptions } from "../dataset/load-dataset.ts";
import { ProblemList } from "../dataset/problem.ts";
import { type Candidate, readCandidate } from "../dataset/read-candidate.ts";
import type { Instant } from "../domain/instant.ts";
import { warnOfOddPrices } from "./price-warnings.ts";

export interface CheckedCandidate {
  readonly candidate: Candidate;
  /** What looks odd and would be published all the same. */
  readonly warnings: ProblemList;
}

/**
 * Checks a directory of record files by itself, as publishing does before it compares it with the current snapshot.
 *
 * @param now The clock; prices may be recorded up to a day later.
 * @param options As in `readCandidate`.
 * @throws {DatasetError} with every problem found.
 */
export async function checkCandidate(
  directory: string,
  now: Instant,
  options?: ReadingOptions,
): Promise<CheckedCandidate> {
  const candidate = await readCandidate(directory, now, options);
  const warnings = new ProblemList();
  warnOfOddPrices(candidate.reading, warnings);
  return { candidate, warnings };
}
