/**
 * The exports that a thread sends at a time. Each has a place, except while it waits for the tokens of its rate limit. A
 * client is a secret key, or a public key at an address, as for rate limits.
 *
 * A client may have several places while there are free ones. When all are taken, a client without one gets that of an
 * export whose client reads too slowly, otherwise the newest of a client that has several. A preempted export is
 * reset.
 */
import type { ReaderWatch } from "../answer/reader-watch.ts";

export interface ExportLimits {
  /** Places of a thread. */
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

/** The place of one export. */
export interface ExportPlace {
  /** @returns Whether it is taken; then the export has it until it leaves, or until it is reset. */
  enter(): boolean;
  /** Leaves the place, if it has one. */
  leave(): void;
}

export class ExportPlaces {
  readonly #limits: ExportLimits;
  /** Those that have places, in the order in which they got them. */
  readonly #sent = new Set<Export>();

  constructor(limits: ExportLimits) {
    this.#limits = limits;
  }

  /** A place that is not entered yet. */
  placeFor(one: Export): ExportPlace {
    return { enter: () => this.#enter(one), leave: () => void this.#sent.delete(one) };
  }

  #enter(one: Export): boolean {
    if (!this.#fits(one)) {
      const preempted = this.#preemptedBy(one);
      if (preempted === undefined) return false;
      this.#sent.delete(preempted);
      preempted.reader.disconnect();
    }
    this.#sent.add(one);
    return true;
  }

  /** @param preempted One whose place becomes free. */
  #fits({ isSecret }: Export, preempted?: Export): boolean {
    const { perThread, forSecretKeys } = this.#limits;
    const others = [...this.#sent].filter((other) => other !== preempted);
    if (others.length >= perThread) return false;
    return isSecret || others.filter((other) => !other.isSecret).length < perThread - forSecretKeys;
  }

  /** The export that another preempts; undefined when none does. */
  #preemptedBy(one: Export): Export | undefined {
    const newestFirst = [...this.#sent].reverse().filter((other) => this.#fits(one, other));
    const counts = new Map<string, number>();
    for (const { client } of this.#sent) counts.set(client, (counts.get(client) ?? 0) + 1);
    const hasPlace = counts.has(one.client);
    // A client that has one gets another only for a slow one of its own.
    const slow = newestFirst.find(({ client, reader }) => reader.isSlowExport && (!hasPlace || client === one.client));
    if (slow !== undefined || hasPlace) return slow;
    return newestFirst.find(({ client }) => (counts.get(client) ?? 0) > 1);
  }
}
