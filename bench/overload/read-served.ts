/** What a service says of itself in `/metrics`. */

/** What a load has cost. */
export interface LoadCost {
  /** Processor time of the process. */
  readonly milliseconds: number;
  readonly wallMilliseconds: number;
  /** Answers with 200, and with 429. */
  readonly answered: number;
  readonly refused: number;
}

export const noCost: LoadCost = { milliseconds: 0, wallMilliseconds: 0, answered: 0, refused: 0 };

/** Reads what all loads have cost so far; the difference of two readings is what those between them cost. */
export async function readServed(adminUrl: string): Promise<LoadCost> {
  const text = await (await fetch(`${adminUrl}/metrics`)).text();
  const sumOf = (line: RegExp): number =>
    text
      .matchAll(line)
      .map(([, value]) => Number(value))
      .reduce((sum, value) => sum + value, 0);
  return {
    milliseconds: 1000 * sumOf(/^process_cpu_seconds_total (\S+)$/gm),
    wallMilliseconds: performance.now(),
    answered: sumOf(/^http_request_duration_seconds_count\{.*status="200".*\} (\d+)$/gm),
    refused: sumOf(/^http_request_duration_seconds_count\{.*status="429".*\} (\d+)$/gm),
  };
}
