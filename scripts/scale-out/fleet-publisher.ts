/** A publisher whose snapshots differ in one price, and who knows what each of them answers. */
import { randomUUID } from "node:crypto";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { zstdCompressSync } from "node:zlib";
import { writeFileDurably } from "../../src/engine/files/write-file-durably.ts";
import { readManifest } from "../../src/engine/snapshots/manifest.ts";
import { currentPath, recordKindOf, snapshotPath, toSnapshotId } from "../../src/engine/snapshots/snapshot-layout.ts";
import { announcementPath } from "../../src/publishing/transfer/announcement.ts";
import { compressedEnding } from "../../src/publishing/transfer/fetch-snapshot.ts";
import { runNode, type Trial } from "../deploy/trial.ts";

/** Small, for all replicas of the trial share the processors of one machine. */
const sample = ["--prices", "3000", "--products", "20", "--markets", "30", "--years", "2", "--seed", "1"];

interface Price {
  readonly uuid: string;
  readonly product_uuid: string;
  readonly price: number;
  readonly recorded_at: string;
}

export class FleetPublisher {
  /** The folder that is pushed to. */
  readonly originDirectory: string;
  readonly publicKey: string;
  /** The newest price of the product in each snapshot, read from its files line by line. */
  readonly newestPrices = new Map<string, Price>();
  /** Bytes of the files of each snapshot. */
  readonly plainBytes = new Map<string, number>();
  readonly #trial: Trial;
  readonly #environment: NodeJS.ProcessEnv;
  /** Announcements as the origin had them, the newest last. */
  readonly #announcements: string[] = [];
  /** The newest price of the first snapshot, whose product every publication gives a newer one. */
  #example: Price | undefined;
  #damagesNext = false;
  #damaged = "";

  private constructor(trial: Trial, environment: NodeJS.ProcessEnv, publicKey: string) {
    this.#trial = trial;
    this.#environment = environment;
    this.originDirectory = trial.path("origin-data");
    this.publicKey = publicKey;
  }

  /** Makes a key, and pushes a first snapshot. */
  static async create(trial: Trial): Promise<FleetPublisher> {
    const environment = { ...(await trial.environment()), SNAPSHOT_KEY_FILE: trial.path("publisher.pem") };
    const made = await runNode(["scripts/snapshot.ts", "publisher-key", "--json"], environment);
    const { public_key: publicKey } = JSON.parse(made) as { public_key: string };
    const publisher = new FleetPublisher(trial, environment, publicKey);
    await runNode(["scripts/generate.ts", ...sample, "--out", trial.path("sample")], environment);
    await publisher.#run("publish", trial.path("sample"));
    await publisher.#readCurrent();
    await publisher.#push();
    return publisher;
  }

  get product(): string {
    return this.#example?.product_uuid ?? "";
  }

  /** Publishes a price, and pushes it. @param number Later ones are higher. */
  async append(number: number): Promise<void> {
    const instant = new Date(Date.parse(this.#example?.recorded_at ?? "") + number * 60_000).toISOString();
    const price = {
      ...this.#example,
      ...{ uuid: randomUUID(), price: 4000 + number, recorded_at: instant, created_at: instant, updated_at: instant },
    };
    const day = this.#trial.path(`day-${number}.ndjson`);
    await writeFile(day, `${JSON.stringify(price)}\n`);
    await this.#run("append", day);
    const id = await this.#readCurrent();
    if (this.#damagesNext) {
      await this.#damage(`snapshots/${id}/prices/day-${number}.ndjson`, { ...price, price: 9000 + number });
    }
    await this.#push();
  }

  async rollBack(): Promise<void> {
    await this.#run("rollback");
    await this.#push();
  }

  /** Puts the first announcement back, as a cache would that has not seen the others. */
  async announceStale(): Promise<void> {
    await this.#announce(this.#announcements[0]);
  }

  async announceNewest(): Promise<void> {
    await this.#announce(this.#announcements.at(-1));
  }

  /** From now on the file that a publication adds has a compressed copy with another price. */
  damageNext(): void {
    this.#damagesNext = true;
  }

  /** Removes the damaged copy; then the file itself is fetched. */
  async repair(): Promise<void> {
    this.#damagesNext = false;
    await rm(this.#damaged);
  }

  /** A push leaves the compressed copies that it finds. */
  async #damage(path: string, price: object): Promise<void> {
    this.#damaged = join(this.originDirectory, `${path}${compressedEnding}`);
    await mkdir(dirname(this.#damaged), { recursive: true });
    await writeFile(this.#damaged, zstdCompressSync(`${JSON.stringify(price)}\n`));
  }

  async #announce(text = ""): Promise<void> {
    await writeFileDurably(announcementPath(this.originDirectory), text, 0o644);
  }

  async #push(): Promise<void> {
    await this.#run("push", this.originDirectory);
    this.#announcements.push(await readFile(announcementPath(this.originDirectory), "utf8"));
  }

  async #run(...args: string[]): Promise<void> {
    await runNode(["scripts/snapshot.ts", ...args], this.#environment);
  }

  /** Reads what the current snapshot answers. @returns Its id. */
  async #readCurrent(): Promise<string> {
    const dataDirectory = this.#trial.path("data");
    const id = toSnapshotId((await readFile(currentPath(dataDirectory), "utf8")).trim());
    if (id === undefined) throw new Error(`${dataDirectory}: found no current snapshot, expected one`);
    const folder = snapshotPath(dataDirectory, id);
    const { files } = await readManifest(folder);
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
    this.plainBytes.set(id, bytes);
    const prices: Price[] = [];
    for (const { name } of files.filter((file) => recordKindOf(file.name) === "prices")) {
      const lines = (await readFile(join(folder, name), "utf8")).trimEnd().split("\n");
      prices.push(...lines.map((line) => JSON.parse(line) as Price));
    }
    const product = (this.#example ?? prices[0])?.product_uuid;
    const [newest] = prices.filter(({ product_uuid: uuid }) => uuid === product).sort(inAnswerOrder);
    if (newest === undefined) throw new Error(`${id}: found no price of ${product}, expected one`);
    this.#example ??= newest;
    this.newestPrices.set(id, newest);
    return id;
  }
}

function inAnswerOrder(a: Price, b: Price): number {
  return Date.parse(b.recorded_at) - Date.parse(a.recorded_at) || (a.uuid < b.uuid ? -1 : 1);
}
