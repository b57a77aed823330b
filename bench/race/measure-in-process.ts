import type { InProcessFigures } from "./contender-calls.ts";

/** What is used of the package `mitata`, loaded by name because types are checked where it is not installed. */
interface Mitata {
  measure(
    work: () => unknown,
    options?: { readonly inner_gc?: boolean; readonly heap?: () => number; readonly min_cpu_time?: number },
  ): Promise<{ readonly avg: number; readonly p99: number; readonly heap?: { readonly avg: number } }>;
}

const packageName: string = "mitata";

/** Nanoseconds that a question is measured for. */
const nanosecondsMin = 100e6;

/** Measures a piece of work with mitata: time and memory taken per call. */
export async function measureInProcess(work: () => unknown): Promise<InProcessFigures> {
  const { measure } = (await import(packageName)) as Mitata;
  const { avg, p99, heap } = await measure(work, {
    heap: () => process.memoryUsage().heapUsed,
    min_cpu_time: nanosecondsMin,
  });
  return { averageMicroseconds: avg / 1000, p99Microseconds: p99 / 1000, heapBytes: heap?.avg ?? null };
}
