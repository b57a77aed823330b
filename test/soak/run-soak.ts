/**
 * All at once for a while: questions with keys of all kinds, publications and rollbacks, changes of keys, hostile
 * clients and slow readers. What each answer must be is known: by the key, and by the snapshot that it names.
 */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { median } from "simple-statistics";
import { runSnapshot } from "../../bench/append/run-snapshot.ts";
import { RandomChoice } from "../../bench/questions/random-choice.ts";
import { writeSampleFolder } from "../../bench/sample/write-sample-folder.ts";
import { snapshotPath, toSnapshotId } from "../../src/engine/snapshots/snapshot-layout.ts";
import { issueKey } from "../../src/service/auth/keys-file.ts";
import { readApi } from "../fuzz/api-operations.ts";
import { type FuzzedService, startFuzzedService } from "../fuzz/fuzzed-service.ts";
import { makeCase } from "../fuzz/make-case.ts";
import { nextLocalAddress, runCase, type Target } from "../fuzz/run-case.ts";
import { signedHeaders } from "../support/signed-request.ts";
import { answersOf, questionsAbout, type SoakQuestion } from "./known-answers.ts";
import { misbehaviours } from "./misbehave.ts";
import { readSlowly } from "./read-slowly.ts";
import { SoakFigures } from "./soak-figures.ts";
import { clock, opens, type SoakKey, SoakKeys } from "./soak-keys.ts";

export interface SoakOptions {
  readonly minutes: number;
  readonly seed: number;
}

export interface SoakReport {
  readonly failures: readonly string[];
  readonly figures: readonly SoakFigures[];
  /** Resident size each second, in bytes. */
  readonly resident: readonly number[];
}

const prices = 20_000;
const askers = 4;
const hostileClients = 2;
const slowReaders = 2;
/** The share of questions that may be refused for overload at first. */
const retriedMax = 0.01;
/** The same of exports. There are few: one busy second of the machine is several in a hundred. */
const exportsAskedAgainMax = 0.2;

/** Between two answers of one client, so that the machine is busy and not overloaded. */
const pauseMilliseconds = 5;
const publicationMilliseconds = 3000;
const keyChangeMilliseconds = 1000;
const misbehaveMilliseconds = 2000;
const exportMilliseconds = 1000;
/** The rate of a key that is asked with a few times as often. */
const limitedPerMinute = 300;
const limitedPauseMilliseconds = 40;

/** The part of the time in which memory comes to its level. */
const warmUpShare = 0.3;
const growthMax = 1.15;
const growthMebibytes = 32;
/**
 * In a shorter run: a major collection of garbage every half minute or so moves the resident size by more than a leak
 * would.
 */
const growthMebibytesShort = 192;
const shortMinutes = 5;

export async function runSoak(options: SoakOptions): Promise<SoakReport> {
  const folder = await mkdtemp(join(tmpdir(), "soak-"));
  const data = join(folder, "data");
  try {
    const candidates = await writeCandidates(folder);
    const first = await publish(data, candidates[0]);
    const service = await startFuzzedService(data, {
      ANSWER_CACHE_MB: "8",
      EXPLORER: "on",
      EXPORT_ACCESS: "public",
    });
    try {
      return await new Soak(service, data, candidates, options).run(first);
    } finally {
      service.child.kill("SIGKILL");
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

type Candidates = readonly [string, string];

/** Two folders with the same tables, and prices that differ. */
async function writeCandidates(folder: string): Promise<Candidates> {
  const candidates = [join(folder, "first"), join(folder, "second")] as const;
  for (const outputPath of candidates) await writeSampleFolder({ prices, seed: 1, outputPath });
  const path = join(candidates[1], "prices.ndjson");
  const text = await readFile(path, "utf8");
  await writeFile(
    path,
    text.replaceAll(/"price":([\d.]+)/g, (_, price: string) => `"price":${Number(price) * 2}`),
  );
  return candidates;
}

async function publish(data: string, candidate: string): Promise<string> {
  const { report } = await runSnapshot(["publish", candidate, "--data-dir", data, "--allow-shrink"]);
  return String(report["id"]);
}

class Soak {
  readonly #service: FuzzedService;
  readonly #data: string;
  readonly #candidates: Candidates;
  readonly #options: SoakOptions;
  readonly #random: RandomChoice;
  readonly #keys: SoakKeys;
  #questions: readonly SoakQuestion[] = [];
  /** The answers of every snapshot that was published, by its id. */
  readonly #known = new Map<string, readonly string[]>();
  /**
   * What was answered from snapshots, by id, to be compared once their answers are known: the number of a question →
   * bodies.
   */
  readonly #seen = new Map<string, Map<number, Set<string>>>();
  readonly #asked = new SoakFigures("questions");
  readonly #refused = new SoakFigures("questions without a right");
  readonly #hostile = new SoakFigures("hostile connections");
  readonly #slow = new SoakFigures("slow readers");
  readonly #misbehaving = new Map(Object.keys(misbehaviours).map((name) => [name, new SoakFigures(name)]));
  readonly #exported = new SoakFigures("signed exports");
  readonly #limited = new SoakFigures("a limited key");
  readonly #published = new SoakFigures("publications and rollbacks");
  readonly #changed = new SoakFigures("changes of keys");
  readonly #resident: number[] = [];
  #isEnding = false;

  constructor(service: FuzzedService, data: string, candidates: Candidates, options: SoakOptions) {
    this.#service = service;
    this.#data = data;
    this.#candidates = candidates;
    this.#options = options;
    this.#random = new RandomChoice(options.seed);
    this.#keys = new SoakKeys(service.keysFile, this.#random);
  }

  async run(firstId: string): Promise<SoakReport> {
    const { minutes } = this.#options;
    const products = await readFile(join(this.#candidates[0], "products.ndjson"), "utf8");
    const { uuid } = JSON.parse(products.slice(0, products.indexOf("\n"))) as { uuid: string };
    this.#questions = questionsAbout(uuid);
    await this.#learn(firstId);
    for (let count = 0; count < 6; count++) await this.#changeKey();
    const { port, baseUrl, keys } = this.#service;
    const api = await readApi(baseUrl, keys.publicKey);
    const target: Target = { port, api, secrets: [keys.publicKey, keys.secretKey] };
    const running = [
      ...Array.from({ length: askers }, () => this.#ask()),
      ...Array.from({ length: hostileClients }, (_, lane) => this.#attack(target, lane)),
      ...Array.from({ length: slowReaders }, () => this.#readSlowly()),
      this.#exceedLimit(),
      ...Object.entries(misbehaviours).map(([name, misbehave]) =>
        this.#every(misbehaveMilliseconds, this.#misbehaving.get(name), () => misbehave(port, keys.publicKey)),
      ),
      this.#every(exportMilliseconds, this.#exported, () => this.#export()),
      this.#every(publicationMilliseconds, this.#published, () => this.#publish()),
      this.#every(keyChangeMilliseconds, this.#changed, () => this.#changeKey()),
      this.#every(1000, undefined, async () => {
        this.#resident.push((await this.#service.metrics()).get("process_resident_memory_bytes") ?? 0);
      }),
    ];
    await delay(minutes * 60_000);
    this.#isEnding = true;
    await Promise.all(running);
    return { failures: await this.#judge(), figures: this.#figures, resident: this.#resident };
  }

  get #figures(): SoakFigures[] {
    return [
      ...[this.#asked, this.#refused, this.#exported, this.#hostile, this.#slow, ...this.#misbehaving.values()],
      ...[this.#limited, this.#published, this.#changed],
    ];
  }

  /** Does something again and again, with a pause between. */
  async #every(milliseconds: number, figures: SoakFigures | undefined, work: () => Promise<void>): Promise<void> {
    for (;;) {
      for (let waited = 0; waited < milliseconds && !this.#isEnding; waited += 100) await delay(100);
      if (this.#isEnding) return;
      const begin = performance.now();
      await work().catch((error: unknown) => (figures ?? this.#asked).fail(String(error)));
      figures?.count(performance.now() - begin);
    }
  }

  /** Publishes the other candidate, or goes back to the snapshot before. */
  async #publish(): Promise<void> {
    const { answers } = this.#published;
    if (answers % 3 === 2) await runSnapshot(["rollback", "--data-dir", this.#data]);
    else await this.#learn(await publish(this.#data, this.#candidates[answers % 2 === 0 ? 1 : 0]));
    if (answers % 5 === 4) await runSnapshot(["gc", "--data-dir", this.#data, "--keep", "5"]);
  }

  async #learn(id: string): Promise<void> {
    const known = toSnapshotId(id);
    if (known === undefined) throw new Error(`publish answered the id ${id}`);
    this.#known.set(id, await answersOf(snapshotPath(this.#data, known), this.#questions));
  }

  async #changeKey(): Promise<void> {
    const key = await this.#keys.change();
    if (key !== undefined) this.#service.guard(key);
  }

  async #ask(): Promise<void> {
    let agent = newAgent();
    while (!this.#isEnding) {
      // New connections are distributed among the threads.
      if (this.#random.below(50) === 0) {
        agent.destroy();
        agent = newAgent();
      }
      await this.#askOne(agent, this.#random.below(this.#questions.length), this.#keys.pick());
      await delay(pauseMilliseconds);
    }
    agent.destroy();
  }

  /**
   * Whatever others take at that time, the answer is not 429 or 503, or hardly ever (`retriedMax`), where the machine is
   * busy with something else; a moment later the same request is answered.
   */
  async #askOne(agent: Agent, number: number, key: SoakKey): Promise<void> {
    const question = this.#questions[number] as SoakQuestion;
    const begin = Date.now();
    const startedAt = performance.now();
    const { status, id, text, retried } = await this.#askAgain(agent, question, key);
    const mayAsk = key.kind === "secret" || !question.isSecret;
    const isOpen = opens(key, begin, Date.now());
    const figures = isOpen === false || !mayAsk ? this.#refused : this.#asked;
    figures.count(performance.now() - startedAt);
    if (retried) figures.retried++;
    const isRight = status === 401 ? isOpen !== true || !mayAsk : status === 200 && isOpen !== false && mayAsk;
    if (!isRight) {
      const wanted = isOpen === undefined ? "200 or 401" : isOpen && mayAsk ? "200" : "401";
      figures.fail(`${question.path} with a ${key.state} ${key.kind} key: ${status} ${text}, expected ${wanted}`);
    }
    if (status === 200) this.#remember(id, number, `200 ${text}`);
  }

  async #askAgain(
    agent: Agent,
    question: SoakQuestion,
    key: Pick<SoakKey, "key" | "kind">,
  ): Promise<Awaited<ReturnType<typeof send>> & { readonly retried: boolean }> {
    const first = await send(this.#service.baseUrl, agent, question, key);
    if (first.status !== 503 && first.status !== 429) return { ...first, retried: false };
    await delay(Number(first.retryAfter) * 1000);
    return { ...(await send(this.#service.baseUrl, agent, question, key)), retried: true };
  }

  #remember(id: string, number: number, answer: string): void {
    const known = this.#known.get(id);
    if (known !== undefined) {
      if (known[number] !== answer)
        this.#asked.fail(`question ${number} to ${id}: ${answer}, expected ${known[number]}`);
      return;
    }
    // It was published a moment ago, and its answers are not known yet.
    const seen = this.#seen.get(id) ?? new Map<number, Set<string>>();
    this.#seen.set(id, seen);
    seen.set(number, (seen.get(number) ?? new Set()).add(answer));
  }

  async #attack(target: Target, lane: number): Promise<void> {
    const { seed } = this.#options;
    for (let number = lane; !this.#isEnding; number += hostileClients) {
      const fuzzCase = makeCase(target.api, this.#service.keys, seed, number);
      const begin = performance.now();
      const { problem } = await runCase(fuzzCase, target);
      this.#hostile.count(performance.now() - begin);
      if (problem !== undefined) this.#hostile.fail(`case ${number} of seed ${seed}, ${fuzzCase.kind}: ${problem}`);
      await delay(pauseMilliseconds);
    }
  }

  /**
   * An export with a secret key finds a place, whatever clients with a public key hold. A thread that has more work
   * than it can do refuses exports as it refuses questions; a moment later the export is answered.
   */
  async #export(): Promise<void> {
    const agent = newAgent();
    const question = { method: "GET", path: "/api/v1/exports/prices.csv", body: "", isSecret: true } as const;
    const { secretKey } = this.#service.keys;
    const { status, text, retried } = await this.#askAgain(agent, question, { key: secretKey, kind: "secret" });
    agent.destroy();
    if (retried) this.#exported.retried++;
    if (status !== 200) this.#exported.fail(`${status} ${text.slice(0, 300)}`);
  }

  async #readSlowly(): Promise<void> {
    const { port, keys } = this.#service;
    while (!this.#isEnding) {
      const begin = performance.now();
      const problem = await readSlowly(port, keys.publicKey).catch((error: unknown) => String(error));
      this.#slow.count(performance.now() - begin);
      if (problem !== undefined) this.#slow.fail(problem);
    }
  }

  /**
   * Asks all threads with a key of its own, more often than the key may; what is answered must be what the key may
   * have.
   */
  async #exceedLimit(): Promise<void> {
    const { baseUrl, keysFile } = this.#service;
    const label = "limited";
    const { key } = await issueKey(keysFile, { kind: "public", label, ratePerMinute: limitedPerMinute }, clock);
    this.#service.guard(key);
    const [question] = this.#questions as [SoakQuestion];
    // A connection for each request.
    const agent = new Agent();
    let firstAt: number | undefined;
    let answered = 0;
    while (!this.#isEnding) {
      const begin = performance.now();
      const { status, retryAfter, text } = await send(baseUrl, agent, question, { key, kind: "public" });
      // Until the service has read the keys file.
      if (status !== 401 || firstAt !== undefined) {
        firstAt ??= begin;
        this.#limited.count(performance.now() - begin);
        if (status === 200) answered++;
        else if (status === 503) this.#limited.retried++;
        else if (status !== 429 || !(Number(retryAfter) >= 1)) this.#limited.fail(`${status} ${retryAfter} ${text}`);
      }
      await delay(limitedPauseMilliseconds);
    }
    const minutes = (performance.now() - (firstAt ?? performance.now())) / 60_000;
    const most = Math.ceil(limitedPerMinute * (1 + minutes));
    if (answered > most) this.#limited.fail(`${answered} were answered, expected at most ${most}`);
    const asked = this.#limited.answers - this.#limited.retried;
    const least = Math.min(asked, Math.floor(limitedPerMinute * (1 + minutes * 0.9)));
    if (answered < least) this.#limited.fail(`${answered} of ${asked} were answered, expected at least ${least}`);
  }

  /** What is wrong at the end. */
  async #judge(): Promise<string[]> {
    for (const [figures, share] of [
      [this.#asked, retriedMax],
      [this.#refused, retriedMax],
      [this.#exported, exportsAskedAgainMax],
    ] as const) {
      const most = Math.ceil(figures.answers * share);
      if (figures.retried > most) figures.fail(`${figures.retried} were 429 or 503 at first, expected at most ${most}`);
    }
    for (const [id, seen] of this.#seen) {
      const known = this.#known.get(id);
      for (const [number, answers] of seen) {
        for (const answer of answers) {
          if (known === undefined) this.#asked.fail(`an answer names the snapshot ${id}, which was not published`);
          else if (known[number] !== answer) this.#asked.fail(`question ${number} to ${id}: ${answer}`);
        }
      }
    }
    const failures = this.#figures.flatMap(({ failed, title, examples }) =>
      failed === 0 ? [] : [`${failed} × ${title} failed`, ...examples],
    );
    const { child } = this.#service;
    if (child.exitCode !== null || child.signalCode !== null) failures.push("the service ended by itself");
    else {
      const deaths = (await this.#service.metrics()).get("server_thread_deaths_total");
      if (deaths !== 0) failures.push(`${deaths} threads died, expected none`);
    }
    const { code, complaints } = await this.#service.stop();
    if (code !== 0) failures.push(`the service ended with ${code}, expected 0`);
    failures.push(...complaints.map((line) => `the log has: ${line}`), ...this.#problemsOfMemory());
    for (const figures of this.#figures) {
      if (figures.answers === 0) failures.push(`${figures.title}: nothing was done`);
    }
    return failures;
  }

  #problemsOfMemory(): string[] {
    const warm = this.#resident.slice(Math.floor(this.#resident.length * warmUpShare));
    const third = Math.ceil(warm.length / 3);
    if (third === 0) return ["resident size was not measured"];
    const early = median(warm.slice(0, third));
    const late = median(warm.slice(-third));
    const mebibytes = this.#options.minutes < shortMinutes ? growthMebibytesShort : growthMebibytes;
    if (late <= early * growthMax + mebibytes * 1024 * 1024) return [];
    return [
      `resident size grew from ${early} to ${late} bytes, ` +
        `expected at most ${growthMax} times as much and ${mebibytes} MiB`,
    ];
  }
}

/** One connection at a time. */
function newAgent(): Agent {
  const localAddress = nextLocalAddress();
  return new Agent({ keepAlive: true, maxSockets: 1, ...(localAddress && { localAddress }) });
}

interface SoakAnswer {
  /** 0 where none came whole; the text says why then. */
  readonly status: number;
  /** The id of the snapshot. */
  readonly id: string;
  readonly retryAfter: string | undefined;
  readonly text: string;
}

function send(
  baseUrl: string,
  agent: Agent,
  { method, path, body }: SoakQuestion,
  { key, kind }: Pick<SoakKey, "key" | "kind">,
): Promise<SoakAnswer> {
  const headers = {
    ...(kind === "secret" ? signedHeaders({ method, path, body, key }) : { "X-API-Key": key }),
    ...(body !== "" && { "Content-Type": "application/json", "Content-Length": String(Buffer.byteLength(body)) }),
  };
  return new Promise((resolve) => {
    const lose = (error: Error): void => resolve({ status: 0, id: "", retryAfter: undefined, text: error.message });
    const outgoing = request(baseUrl + path, { method, agent, headers }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
      incoming.on("error", lose);
      incoming.on("end", () => {
        const id = String(incoming.headers["x-snapshot-id"]);
        const retryAfter = incoming.headers["retry-after"];
        resolve({ status: incoming.statusCode ?? 0, id, retryAfter, text: Buffer.concat(chunks).toString() });
      });
    });
    outgoing.on("error", lose);
    outgoing.end(body);
  });
}
