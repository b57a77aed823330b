import { AskedThread } from "./asked-thread.ts";
import { type Block, BlockReader, type BlockReading, type ReadingPlan } from "./block-reader.ts";
import type { ReaderTask } from "./reader-tasks.ts";
import { findRepeatedUuids, type RepeatedUuidsQuestion } from "./repeated-uuids.ts";

/** What a block held, and which reader's codes stand in its rows. */
export interface ReadBlock extends BlockReading {
  /** Counts from 0. */
  readonly reader: number;
}

/** Some readers of blocks: threads, or the thread that asks. */
export interface BlockReaders {
  /** How many readers there are. */
  readonly count: number;
  /** To be called once, first. */
  begin(plan: ReadingPlan): void;
  /**
   * Reads one block. Blocks are to be given in the order of their numbers.
   *
   * @returns Undefined when anything in it is not in order.
   */
  read(block: Block): Promise<ReadBlock | undefined>;
  /** As `findRepeatedUuids`, over all of a table. */
  findRepeats(question: Omit<RepeatedUuidsQuestion, "part" | "parts">): Promise<number[] | undefined>;
  end(): Promise<void>;
}

/** The thread that asks reads by itself: right for a few megabytes, for a thread takes a while to start. */
export function ownReader(): BlockReaders {
  let reader: BlockReader | undefined;
  return {
    count: 1,
    begin(plan) {
      reader = new BlockReader(plan);
    },
    async read(block) {
      const reading = await reader?.read(block);
      return reading === undefined ? undefined : { ...reading, reader: 0 };
    },
    async findRepeats(question) {
      return findRepeatedUuids({ ...question, part: 0, parts: 1 });
    },
    async end() {},
  };
}

/**
 * Starts threads that read.
 *
 * @throws {ReadingThreadError} by any question, when a thread ends before it has answered.
 */
export function startReaderThreads(count: number, script: URL = readerThreadScript): BlockReaders {
  const threads = Array.from({ length: count }, () => new AskedThread(script));
  const ask = (thread: AskedThread, task: ReaderTask): Promise<unknown> => thread.ask(task);
  return {
    count,
    begin(plan) {
      // Failures come up again with the first block.
      for (const thread of threads) ask(thread, { kind: "plan", plan }).catch(() => {});
    },
    async read(block) {
      const thread = threads.reduce((idlest, other) => (other.openCount < idlest.openCount ? other : idlest));
      const reading = (await ask(thread, { kind: "block", block })) as BlockReading | undefined;
      return reading === undefined ? undefined : { ...reading, reader: threads.indexOf(thread) };
    },
    async findRepeats(question) {
      const answers = await Promise.all(
        threads.map((thread, part) => ask(thread, { kind: "repeats", question: { ...question, part, parts: count } })),
      );
      return sumOf(answers as (number[] | undefined)[]);
    },
    async end() {
      await Promise.all(threads.map((thread) => thread.end()));
    },
  };
}

const readerThreadScript = new URL("./reader-thread.ts", import.meta.url);

/** The sums place by place; undefined when any is missing. */
function sumOf(answers: readonly (readonly number[] | undefined)[]): number[] | undefined {
  const sums: number[] = [];
  for (const answer of answers) {
    if (answer === undefined) return undefined;
    for (const [place, count] of answer.entries()) sums[place] = (sums[place] ?? 0) + count;
  }
  return sums;
}
