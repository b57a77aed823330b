/**
 * Limits of the gates that hold a time: `limitRoom` times what was measured on a quiet machine. The measured
 * figures stand in bench/measured.json, which `--calibrate` writes. Floors of speed (`bench -- ci`) and ratios to bare
 * Koa (`bench -- http`) have files of their own, one figure a question.
 */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

const measuredPath = join(import.meta.dirname, "..", "measured.json");

/** A limit is the measured figure times this, which leaves room for other machines and other work. */
export const limitRoom = 1.5;

/** What is held, by benchmark. */
export interface MeasuredFigures {
  /** Milliseconds by which the p99 of look-ups rises beside another client and swaps. */
  readonly isolation: number;
  /** Milliseconds of the longest turn of the event loop. */
  readonly stretches: number;
}

/** The limit of a figure, in its unit. @throws {RangeError} when it was not measured. */
export async function gateLimit(name: keyof MeasuredFigures): Promise<number> {
  const { [name]: figure } = await readMeasured();
  if (figure === undefined) throw new RangeError(`${measuredPath} has no "${name}", expected a figure: --calibrate`);
  return Number((figure * limitRoom).toPrecision(3));
}

/** Records what was measured, from which the limits follow. */
export async function calibrate(figures: Partial<MeasuredFigures>): Promise<void> {
  const rounded = Object.entries(figures).map(([name, figure]) => [name, Number(figure.toPrecision(3))]);
  const measured = { ...(await readMeasured()), ...Object.fromEntries(rounded) };
  await writeFile(measuredPath, `${JSON.stringify(measured, null, 2)}\n`);
}

async function readMeasured(): Promise<Partial<MeasuredFigures>> {
  return JSON.parse(await readFile(measuredPath, "utf8")) as Partial<MeasuredFigures>;
}
