import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Instant } from "../../src/engine/model/calendar.ts";
import { readCurrent, readManifestOf } from "../../src/engine/snapshots/current-snapshot.ts";
import { approveDraft } from "../../src/publishing/publish/approve-draft.ts";
import { collectGarbage } from "../../src/publishing/publish/collect-garbage.ts";
import { publishSnapshot } from "../../src/publishing/publish/publish-snapshot.ts";
import { rollbackSnapshot } from "../../src/publishing/publish/rollback-snapshot.ts";
import { writeRecords } from "../../test/support/snapshot-files.ts";
import { plantedTables, type Sightings, SwapWatch } from "../../test/support/watch-swaps.ts";
import { type BenchService, startBenchService } from "./service-process.ts";

export interface SwapCounts extends Sightings {
  readonly publications: number;
  readonly rollbacks: number;
  /** Resident size of the service: before the first swap, after a quarter of them, after the last. */
  readonly residentBefore: number;
  readonly residentQuarter: number;
  readonly residentAfter: number;
}

/** The threads mark what a swap releases within two seconds, see src/service/serve/released-memory.ts. */
const pauseMilliseconds = 2500;

/** How many swaps come between two collections of what is not needed any more. */
const swapsPerCollection = 25;

/** Counts what clients see while snapshots are published, and every third time taken back. */
export async function countSwaps(
  folder: string,
  { swaps, clients, threads }: { readonly swaps: number; readonly clients: number; readonly threads: number },
): Promise<SwapCounts> {
  const team = new DataTeam(folder);
  const first = await team.publish(() => {});
  const service = await startBenchService(folder, threads);
  try {
    const watch = new SwapWatch(service.baseUrl, service, team.numbers, first);
    const asking = Array.from({ length: clients }, () => watch.askOnAndOn(0));
    const residentBefore = await service.residentBytes();
    let residentQuarter = residentBefore;
    let rollbacks = 0;
    for (let swap = 1; swap <= swaps; swap++) {
      const begins = (id: string): void => watch.activationBegins(id);
      const isRollback = swap % 3 === 0;
      if (isRollback) rollbacks++;
      const id = isRollback ? await team.rollBack(begins) : await team.publish(begins);
      await reloadTo(service, id);
      watch.activationIsDone();
      if (swap % swapsPerCollection === 0) await team.collectGarbage();
      if (swap === Math.ceil(swaps / 4)) residentQuarter = await service.residentBytes();
    }
    watch.end();
    await Promise.all(asking);
    await delay(pauseMilliseconds);
    const residentAfter = await service.residentBytes();
    return {
      publications: swaps - rollbacks,
      rollbacks,
      ...watch.sightings,
      residentBefore,
      residentQuarter,
      residentAfter,
    };
  } finally {
    await service.stop();
  }
}

async function reloadTo(service: BenchService, wanted: string): Promise<void> {
  const { id } = await service.reload();
  if (id !== wanted) throw new Error(`the service serves ${id}, expected ${wanted}`);
}

/** Publishes planted snapshots, each with a number of its own, and takes them back. */
class DataTeam {
  /** The number of each snapshot that may be served. */
  readonly numbers = new Map<string, number>();
  readonly #data: string;
  readonly #candidate: string;

  constructor(folder: string) {
    this.#data = join(folder, "data");
    this.#candidate = join(folder, "candidate");
  }

  /** @param onBegin Called with the id before the snapshot can be seen. */
  async publish(onBegin: (id: string) => void): Promise<string> {
    const number = this.numbers.size + 1;
    await mkdir(this.#candidate, { recursive: true });
    await writeRecords(this.#candidate, plantedTables(number));
    const draft = await publishSnapshot({
      dataDirectory: this.#data,
      candidateDirectory: this.#candidate,
      now: Date.now() as Instant,
      allowShrink: false,
      // Each has a source of its own.
      allowLoss: true,
      dryRun: false,
      isDraft: true,
    });
    this.numbers.set(draft.id, number);
    onBegin(draft.id);
    return (await approveDraft({ dataDirectory: this.#data, id: draft.id })).id;
  }

  /** Takes the current snapshot back. @param onBegin As for `publish`. */
  async rollBack(onBegin: (id: string) => void): Promise<string> {
    const { parent } = await readManifestOf(this.#data, await readCurrent(this.#data));
    onBegin(parent ?? "");
    return (await rollbackSnapshot({ dataDirectory: this.#data })).id;
  }

  async collectGarbage(): Promise<void> {
    const now = Date.now() as Instant;
    await collectGarbage({ dataDirectory: this.#data, now, keep: 5, ageMillisecondsMin: 0, dryRun: false });
  }
}
