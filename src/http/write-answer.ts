/**
 * The one way in which an answer leaves. A body is made in slices of a few milliseconds. One of one chunk leaves whole,
 * with its length. A longer one leaves chunk by chunk, each made only when the client has taken the one before: so neither
 * processor nor memory is held by a client that reads slowly or not at all.
 */
import type { ServerResponse } from "node:http";
import type { Admission, AdmissionLimits } from "./admission.ts";
import type { Context } from "./context.ts";
import { serviceUnavailable } from "./errors.ts";
import { answerChunkCharacters, answerSliceMilliseconds } from "./limits.ts";

/**
 * Answers with status 200; the headers that describe the body must be set.
 *
 * @param body The text, or pieces of it in order, each made when it is needed; none is made any more when the client
 * has gone.
 * @returns A promise when one slice is not enough; done when the answer has left or its client has gone.
 * @throws {ApiError} SERVICE_UNAVAILABLE when too many long answers are on their way; nothing has left then.
 */
export function writeAnswer(
  ctx: Context,
  body: string | Iterable<string>,
  admission: Admission,
): Promise<void> | undefined {
  ctx.status = 200;
  const chunks = new Chunks(typeof body === "string" ? slicesOf(body) : body);
  // The length of a long answer is known only where its whole text is there.
  if (typeof body === "string") ctx.length = Buffer.byteLength(body);
  const made = chunks.fillInSlices();
  return made === undefined ? write(ctx, chunks, admission) : made.then(() => write(ctx, chunks, admission));
}

/** Writes an answer whose first chunk is there; that it took several slices does not make it long. */
function write(ctx: Context, chunks: Chunks, admission: Admission): Promise<void> | undefined {
  if (!chunks.isLast && ctx.method !== "HEAD") return writeLong(ctx, chunks, admission);
  if (chunks.isLast) ctx.body = chunks.take();
  else chunks.stop();
  return undefined;
}

async function writeLong(ctx: Context, chunks: Chunks, admission: Admission): Promise<void> {
  const slots = admission.slotsOf(ctx.req.socket.remoteAddress);
  if (!admission.acquire("answers", slots)) {
    chunks.stop();
    ctx.remove("Content-Length");
    throw serviceUnavailable("Too many long answers are on their way; try again after Retry-After seconds.");
  }
  try {
    // The answer bypasses Koa, which has no back-pressure for text.
    ctx.respond = false;
    await sendChunks(ctx, chunks, admission);
  } finally {
    chunks.stop();
    admission.release("answers", slots);
  }
}

async function sendChunks(ctx: Context, chunks: Chunks, admission: Admission): Promise<void> {
  const { res, state } = ctx;
  const reader = new ReaderWatch(res, admission.limits.slowReader);
  state.answerBytes = 0;
  try {
    for (;;) {
      const bytes = Buffer.from(chunks.take());
      state.answerBytes += bytes.length;
      const isLast = chunks.isLast;
      const isTaken = res.write(bytes, () => reader.count(bytes.length));
      if (isLast) res.end();
      if (isLast || !isTaken) await reader.wait(isLast ? "close" : "drain");
      if (isLast || res.closed) return;
      // Where the system takes all at once, nothing above has waited for a turn of the event loop.
      await nextTurn();
      await chunks.fillInSlices();
      if (res.closed) return;
    }
  } catch (error) {
    // The status has left, so the only way to say that the answer is broken is to break the connection.
    ctx.app.emit("error", error, ctx);
    res.destroy();
  }
}

/** Pieces of text, gathered to chunks. */
class Chunks {
  readonly #pieces: Iterator<string>;
  #text = "";
  /** Whether no chunk follows the one that is there. */
  isLast = false;

  constructor(pieces: Iterable<string>) {
    this.#pieces = pieces[Symbol.iterator]();
  }

  /** Gathers for one slice of time. @returns Whether a chunk is there, the last one or a full one. */
  fill(): boolean {
    const end = performance.now() + answerSliceMilliseconds;
    while (!this.isLast && this.#text.length < answerChunkCharacters) {
      const next = this.#pieces.next();
      if (next.done === true) this.isLast = true;
      else this.#text += next.value;
      if (performance.now() >= end) break;
    }
    return this.isLast || this.#text.length >= answerChunkCharacters;
  }

  /** Gathers until a chunk is there; other requests are served between the slices. @returns A promise when one is not enough. */
  fillInSlices(): Promise<void> | undefined {
    return this.fill() ? undefined : this.#fillInFurtherSlices();
  }

  async #fillInFurtherSlices(): Promise<void> {
    do await nextTurn();
    while (!this.fill());
  }

  /** The chunk that is there. */
  take(): string {
    const text = this.#text;
    this.#text = "";
    return text;
  }

  /** Lets the maker of the pieces clean up; harmless when it has ended. */
  stop(): void {
    this.#pieces.return?.();
  }
}

let lastTurn: Promise<void> = Promise.resolve();

/**
 * Waits for a turn of the event loop that no other long answer of this thread has. So however many are made, other requests
 * wait for one slice only.
 */
function nextTurn(): Promise<void> {
  lastTurn = lastTurn.then(() => new Promise((resolve) => setImmediate(resolve)));
  return lastTurn;
}

/** A text in chunks. */
function* slicesOf(text: string): Generator<string> {
  for (let from = 0; from < text.length || from === 0; from += answerChunkCharacters) {
    yield text.slice(from, from + answerChunkCharacters);
  }
}

/**
 * Waits for the client of an answer, and disconnects it when it takes less than a minimum. Only time spent waiting for the
 * client counts, so a busy service does not disconnect quick clients.
 */
class ReaderWatch {
  readonly #response: ServerResponse;
  readonly #bytesMin: number;
  readonly #milliseconds: number;
  /** Bytes taken in the present window, and what is left of it to wait. */
  #takenBytes = 0;
  #leftMilliseconds: number;

  constructor(response: ServerResponse, { bytesPerSecond, milliseconds }: AdmissionLimits["slowReader"]) {
    this.#response = response;
    this.#bytesMin = (bytesPerSecond * milliseconds) / 1000;
    this.#milliseconds = milliseconds;
    this.#leftMilliseconds = milliseconds;
  }

  /** Counts bytes that the system has taken for the client. */
  count(bytes: number): void {
    this.#takenBytes += bytes;
  }

  /** Waits until the response can be written again, or is closed. */
  async wait(event: "drain" | "close"): Promise<void> {
    const response = this.#response;
    const { promise, resolve } = Promise.withResolvers<void>();
    let startedAt = performance.now();
    let timer = setTimeout(judge, this.#leftMilliseconds, this);
    response.on(event, resolve).on("close", resolve);
    if (!response.closed) await promise;
    response.off(event, resolve).off("close", resolve);
    clearTimeout(timer);
    // A busy thread ends a wait late; Node warns of negative times.
    this.#leftMilliseconds = Math.max(0, this.#leftMilliseconds - (performance.now() - startedAt));

    /** Ends a window: the client has taken enough, and the next window begins, or is disconnected. */
    function judge(watch: ReaderWatch): void {
      if (watch.#takenBytes < watch.#bytesMin) response.destroy();
      watch.#takenBytes = 0;
      watch.#leftMilliseconds = watch.#milliseconds;
      startedAt = performance.now();
      timer = setTimeout(judge, watch.#milliseconds, watch);
    }
  }
}
