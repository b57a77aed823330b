/**
 * The readers of a table's prices: this thread and worker threads, each with a `BlockReader` (block-reader.ts). Each
 * block goes to the least busy one, with the rows that its lines are to fill.
 */
import { entryFile } from "../../threads/entry-file.ts";
import { WorkerClient } from "../../threads/worker-client.ts";
import { type Block, BlockReader, type BlockReading, type BlockTable, type ReadingPlan } from "./block-reader.ts";

/** A request to a reader: to read blocks into a table from now on, which comes first, or to read one. */
type ReaderTask =
  | { readonly kind: "plan"; readonly plan: ReadingPlan; readonly table: BlockTable }
  | { readonly kind: "block"; readonly block: Block };

type ReaderClient = WorkerClient<ReaderTask, Awaited<ReturnType<ReaderTasks["perform"]>>>;

/** A block that has been read. */
export interface ReadBlock extends BlockReading {
  /** The reader whose codes stand in the rows, counted from 0. */
  readonly reader: number;
}

/**
 * So many blocks are given to a thread that one waits while it reads another; if all have as many, the caller reads
 * too.
 */
const pendingBlocksMax = 2;

const threadScript = entryFile("./price-reader-thread", import.meta.url);

/**
 * Some readers of blocks: threads for large files, and the calling thread when they have enough to do, or alone.
 * Every request is rejected with a `WorkerEndedError` when a thread ends before it has answered.
 */
export class PriceReaders {
  readonly #threads: readonly ReaderClient[];
  readonly #own = new ReaderTasks();
  /** Settled when this thread has read what it was given. As in a thread, one block follows the other. */
  #ownReading: Promise<unknown> = Promise.resolve();

  /** @param threadCount 0 for a few megabytes, because a thread takes a while to start. */
  constructor(threadCount: number, script: URL = threadScript) {
    this.#threads = Array.from({ length: threadCount }, () => new WorkerClient(script, "a thread that reads prices"));
  }

  /** Returns the number of readers. */
  get count(): number {
    return this.#threads.length + 1;
  }

  /**
   * Has later blocks read into a table. To be called first, and again for another table, while no block is being read.
   * Threads do their tasks in order, so nothing waits for them; a failure is reported again with the next block.
   */
  async begin(plan: ReadingPlan, table: BlockTable): Promise<void> {
    const task: ReaderTask = { kind: "plan", plan, table };
    for (const thread of this.#threads) thread.request(task).catch(() => {});
    await this.#own.perform(task);
  }

  /** Reads one block. Blocks are to be given in the order of their rows. */
  async read(block: Block): Promise<ReadBlock> {
    const task: ReaderTask = { kind: "block", block };
    const leastBusy = this.#threads.toSorted((a, b) => a.pendingCount - b.pendingCount)[0];
    if (leastBusy === undefined || leastBusy.pendingCount >= pendingBlocksMax) {
      const reading = this.#ownReading.then(() => this.#own.perform(task));
      this.#ownReading = reading;
      return { ...((await reading) as BlockReading), reader: this.#threads.length };
    }
    return { ...((await leastBusy.request(task)) as BlockReading), reader: this.#threads.indexOf(leastBusy) };
  }

  async end(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.end()));
  }
}

/** Does the tasks of one reader, in whatever thread. */
export class ReaderTasks {
  #reader: BlockReader | undefined;

  async perform(task: ReaderTask): Promise<BlockReading | undefined> {
    if (task.kind === "block") return await this.#reader?.read(task.block);
    this.#reader = new BlockReader(task.plan, task.table);
    return undefined;
  }
}
