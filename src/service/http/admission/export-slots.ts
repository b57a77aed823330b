/**
 * The exports that a thread sends at a time. Each has a slot, except while it waits for the tokens of its rate limit. A
 * client is a secret key, or a public key at an address, as for rate limits.
 *
 * A client may have several slots while there are free ones. When all are taken, a client without a slot gets that of
 * an export whose client reads too slowly, otherwise the newest of a client that has several. A preempted export is
 * reset.
 */
import type { ReaderWatch } from "../answer/reader-watch.ts";

export interface ExportLimits {
  /** Slots of a thread. */
  readonly perThread: number;
  /** How many of them only secret keys get. */
  readonly forSecretKeys: number;
}

interface Export {
  /** Names the client. */
  readonly client: string;
  readonly isSecret: boolean;
  readonly reader: Pick<ReaderWatch, "isSlowExport" | "disconnect">;
}

/** The slot of one export. */
export interface ExportSlot {
  /** @returns Whether it is taken; then the export has it until it leaves, or until it is reset. */
  enter(): boolean;
  /** Releases the slot, if the export has it. */
  leave(): void;
}

export class ExportSlots {
  readonly #limits: ExportLimits;
  /** Those that have slots, in the order in which they got them. */
  readonly #sent = new Set<Export>();

  constructor(limits: ExportLimits) {
    this.#limits = limits;
  }

  /** A slot that is not entered yet. */
  slotFor(wanted: Export): ExportSlot {
    return { enter: () => this.#enter(wanted), leave: () => void this.#sent.delete(wanted) };
  }

  #enter(wanted: Export): boolean {
    if (!this.#fits(wanted)) {
      const preempted = this.#preemptedBy(wanted);
      if (preempted === undefined) return false;
      this.#sent.delete(preempted);
      preempted.reader.disconnect();
    }
    this.#sent.add(wanted);
    return true;
  }

  /** @param preempted An export whose slot becomes free. */
  #fits({ isSecret }: Export, preempted?: Export): boolean {
    const { perThread, forSecretKeys } = this.#limits;
    const others = [...this.#sent].filter((other) => other !== preempted);
    if (others.length >= perThread) return false;
    return isSecret || others.filter((other) => !other.isSecret).length < perThread - forSecretKeys;
  }

  /** The export that another preempts; undefined when none does. */
  #preemptedBy(wanted: Export): Export | undefined {
    const sent = [...this.#sent];
    const slotsOf = (client: string): number => sent.filter((other) => other.client === client).length;
    const newestFirst = sent.toReversed().filter((other) => this.#fits(wanted, other));
    const hasSlot = slotsOf(wanted.client) > 0;
    // A client that has a slot gets another only for a slow export of its own.
    const slow = newestFirst.find(
      ({ client, reader }) => reader.isSlowExport && (!hasSlot || client === wanted.client),
    );
    return slow ?? (hasSlot ? undefined : newestFirst.find(({ client }) => slotsOf(client) > 1));
  }
}
