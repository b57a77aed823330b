import { AskedThread } from "./asked-thread.ts";
import { type Block, BlockReader, type ReadingPlan } from "./block-reader.ts";
import type { NewTexts } from "./price-texts.ts";
import type { ReaderTask } from "./reader-tasks.ts";
import { findRepeatedUuids, type RepeatedUuidsQuestion } from "./repeated-uuids.ts";

/** A block in its rows. */
export interface ReadBlock {
  /** Whose codes stand in the rows; counts from 0. */
  readonly reader: number;
  /** Texts that this reader met here first. */
  readonly newTexts: NewTexts;
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
      const newTexts = await reader?.read(block);
      return newTexts === undefined ? undefined : { reader: 0, newTexts };
    },
    async findRepeats(question) {
      return findRepeatedUuids({ ...question, part: 0, parts: 1 });
    },
    async end() {},
  };
}

/** So many blocks are given to a thread that one waits while it reads another; if all have as many, the asker reads too. */
const openBlocksMax = 2;

/**
 * Starts threads that read; when they have enough to do, the thread that asks reads too.
 *
 * @throws {ReadingThreadError} by any question, when a thread ends before it has answered.
 */
export function startReaderThreads(threadCount: number, script: URL = readerThreadScript): BlockReaders {
  const threads = Array.from({ length: threadCount }, () => new AskedThread(script));
  const own = ownReader();
  const ask = (thread: AskedThread, task: ReaderTask): Promise<unknown> => thread.ask(task);
  return {
    count: threadCount + 1,
    begin(plan) {
      own.begin(plan);
      // Failures come up again with the first block.
      for (const thread of threads) ask(thread, { kind: "plan", plan }).catch(() => {});
    },
    async read(block) {
      const thread = threads.reduce((idlest, other) => (other.openCount < idlest.openCount ? other : idlest));
      if (thread.openCount >= openBlocksMax) {
        const reading = await own.read(block);
        return reading === undefined ? undefined : { ...reading, reader: threadCount };
      }
      const newTexts = (await ask(thread, { kind: "block", block })) as NewTexts | undefined;
      return newTexts === undefined ? undefined : { reader: threads.indexOf(thread), newTexts };
    },
    async findRepeats(question) {
      const answers = await Promise.all(
        threads.map((thread, part) =>
          ask(thread, { kind: "repeats", question: { ...question, part, parts: threadCount } }),
        ),
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
