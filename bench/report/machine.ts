import { cpus, loadavg, totalmem } from "node:os";
import { bytesText } from "./figure-text.ts";

/** Where and when a benchmark ran. */
export interface Machine {
  readonly date: string;
  readonly processor: string;
  readonly cores: number;
  readonly memoryBytes: number;
  readonly platform: string;
  readonly node: string;
  /** Processes that wanted to run during the minute before; well above 0 the machine was busy with other things. */
  readonly loadBefore: number;
}

/** This machine, now. */
export function describeMachine(): Machine {
  return {
    date: new Date().toISOString().slice(0, 10),
    processor: cpus()[0]?.model.trim() ?? "unknown processor",
    cores: cpus().length,
    memoryBytes: totalmem(),
    platform: `${process.platform} ${process.arch}`,
    node: process.versions.node,
    loadBefore: Math.round((loadavg()[0] ?? 0) * 10) / 10,
  };
}

/** A sentence about the machine. @param peers Names and versions of what else was measured. */
export function describedMachine(machine: Machine, peers: readonly string[]): string {
  const { date, processor, cores, memoryBytes, platform, node, loadBefore } = machine;
  const programs = [`Node ${node}`, ...peers].join(", ");
  return (
    `${date}: ${processor}, ${cores} cores, ${bytesText(memoryBytes)}, ${platform}; ${programs}. Load of the ` +
    `machine before the run: ${loadBefore}.`
  );
}
