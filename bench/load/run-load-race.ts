/** Who reads a million lines of NDJSON into columns faster: we, checking every record, or DuckDB's `read_ndjson`. */
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { median } from "simple-statistics";
import type { SampleOptions } from "../sample/sample-options.ts";
import { writeSampleSnapshot } from "./write-sample-snapshot.ts";

/** One loading. */
export interface LoadFigures {
  /** What comes before the first price: threads, or an engine, and the small tables that prices refer to. */
  readonly prepareSeconds: number;
  /** The file of prices to columns. */
  readonly loadSeconds: number;
  /** Greatest resident size of the process up to then. */
  readonly peakBytes: number;
  /** Columns to sorted columns with indexes. */
  readonly indexSeconds: number;
}

export interface LoadRaceResult {
  readonly prices: number;
  readonly ours: LoadFigures;
  readonly duckdb: LoadFigures;
  /** How many times longer DuckDB takes for the file to columns. */
  readonly ratio: number;
  readonly target: number;
}

const target = 1;
const rounds = 3;

/** Runs both in turn, each time in a new process, and answers with the medians. */
export async function runLoadRace(
  sample: SampleOptions,
  onProgress: (stage: string, done: number, total: number) => void,
): Promise<LoadRaceResult> {
  const directory = await mkdtemp(join(tmpdir(), "price-load-race-"));
  try {
    onProgress("writing NDJSON", 0, 1);
    await writeSampleSnapshot(directory, sample);
    const ours: LoadFigures[] = [];
    const duckdb: LoadFigures[] = [];
    for (let round = 0; round < rounds; round++) {
      onProgress("loading NDJSON", round, rounds);
      ours.push(await loadOnce("ours", directory));
      duckdb.push(await loadOnce("duckdb", directory));
    }
    const figures = { ours: middleOf(ours), duckdb: middleOf(duckdb) };
    return {
      prices: sample.prices,
      ...figures,
      ratio: figures.duckdb.loadSeconds / figures.ours.loadSeconds,
      target,
    };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function loadOnce(contender: "ours" | "duckdb", directory: string): Promise<LoadFigures> {
  const { stdout } = await promisify(execFile)(process.execPath, [
    join(import.meta.dirname, "load-main.ts"),
    contender,
    directory,
  ]);
  return JSON.parse(stdout) as LoadFigures;
}

function middleOf(loadings: readonly LoadFigures[]): LoadFigures {
  const middle = (figure: keyof LoadFigures): number => median(loadings.map((loading) => loading[figure]));
  return {
    prepareSeconds: middle("prepareSeconds"),
    loadSeconds: middle("loadSeconds"),
    peakBytes: middle("peakBytes"),
    indexSeconds: middle("indexSeconds"),
  };
}
