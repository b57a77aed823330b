/**
 * How a long answer leaves: chunk by chunk, each made only when the client has taken the one before. So neither
 * processor nor memory is held by a client that reads slowly or not at all.
 */

import { serviceUnavailable } from "../../../contract/errors.ts";
import type { HeaderList } from "../../../contract/reply-body.ts";
import type { Store } from "../../../engine/store/store.ts";
import type { Admission, Resource } from "../admission/admission.ts";
import { poolOf } from "../admission/admit-request.ts";
import type { ExportSlot } from "../admission/export-slots.ts";
import type { Overload } from "../admission/overload.ts";
import { Payment } from "../admission/pay-for-answer.ts";
import type { Context } from "../context.ts";
import type { ChunkSource } from "./chunk-sources.ts";
import { ReaderWatch } from "./reader-watch.ts";
import { nextTurn } from "./turns.ts";
import { breakConnection, writeHead } from "./write-head.ts";

/** An answer that leaves chunk by chunk. */
export interface LongAnswer {
  /** 206 for a part. */
  readonly status: number;
  readonly headers: HeaderList;
  readonly chunks: ChunkSource;
  /** The store that the chunks are made from while they leave; absent where they are there. */
  readonly source?: Store | undefined;
  /** Whether it needs one of the export slots of the thread. */
  readonly isExport?: boolean | undefined;
}

/**
 * Sends a reply chunk by chunk.
 *
 * @returns Done when the answer has left or its client has gone.
 * @throws {ApiError} SERVICE_UNAVAILABLE when too many long answers are on their way; nothing has left then.
 */
export async function sendChunks(ctx: Context, answer: LongAnswer, admission: Admission): Promise<void> {
  const { status, headers, chunks } = answer;
  if (ctx.req.method === "HEAD") {
    chunks.stop();
    writeHead(ctx, status, headers);
    ctx.res.end();
    return;
  }
  const reader = new ReaderWatch(ctx.res, admission.limits);
  let held: Held | undefined;
  try {
    held = hold(ctx, answer, reader, admission);
    writeHead(ctx, status, headers);
    await sendAll(ctx, chunks, { admission, reader, slot: held.slot });
  } finally {
    chunks.stop();
    held?.release();
  }
}

/** What a long answer holds until it has left. */
interface Held {
  readonly slot: ExportSlot | undefined;
  readonly release: () => void;
}

/** @throws {ApiError} SERVICE_UNAVAILABLE; nothing is held then. */
function hold({ res, state }: Context, answer: LongAnswer, reader: ReaderWatch, admission: Admission): Held {
  const { answers } = poolOf(state);
  const { principal, client } = state;
  requireTurn(admission, answers);
  const slots = admission.slotsOf(client);
  const isSecret = principal?.kind === "secret";
  if (!admission.acquire(answers, slots, isSecret)) {
    throw serviceUnavailable("Too many long answers are on their way; try again after Retry-After seconds.");
  }
  let slot: ExportSlot | undefined;
  if (answer.isExport === true && principal !== undefined) {
    const exporter = isSecret ? principal.chain : `${principal.chain} ${client.network}`;
    slot = admission.exports.slotFor({ client: exporter, isSecret, reader });
    if (!slot.enter()) {
      admission.release(answers, slots);
      admission.countRefusal(answers, "limit");
      throw serviceUnavailable("Too many exports are on their way; try again after Retry-After seconds.");
    }
  }
  const endStream = answer.source && admission.streams.begin(answer.source, res);
  return {
    slot,
    release() {
      endStream?.();
      slot?.leave();
      admission.release(answers, slots);
    },
  };
}

/** What an answer that leaves is watched by. */
interface Sending {
  readonly admission: Admission;
  readonly reader: ReaderWatch;
  readonly slot: ExportSlot | undefined;
}

async function sendAll(ctx: Context, chunks: ChunkSource, sending: Sending): Promise<void> {
  const { res, state } = ctx;
  const { admission, reader, slot } = sending;
  const payment = state.allowance && new Payment(state.allowance, res, slot);
  // Those without a key never make the thread refuse long answers to others.
  const overload = state.principal === undefined ? undefined : admission.overload;
  state.answerBytes = 0;
  try {
    await chunks.fillInSlices(admission);
    for (;;) {
      const { isLast } = chunks;
      await payment?.payFor(chunks.plainBytes);
      if (res.closed) return;
      const bytes = await chunks.take();
      if (res.closed) return;
      state.answerBytes += bytes.length;
      const isTaken = bytes.length === 0 || res.write(bytes, () => reader.count(bytes.length));
      if (isLast) res.end();
      if (isLast || !isTaken) await reader.wait(isLast ? "close" : "drain");
      if (isLast || res.closed) return;
      await fillInTurns(chunks, admission, overload);
      if (res.closed) return;
    }
  } catch (error) {
    // The status has left, so the only way to say that the answer is broken is to break the connection.
    ctx.app.emit("error", error, ctx);
    breakConnection(res);
  }
}

/**
 * Waits for a turn, even where the system has taken all at once, then gathers the next chunk.
 *
 * @param overload Counts the wait.
 */
async function fillInTurns(chunks: ChunkSource, admission: Admission, overload: Overload | undefined): Promise<void> {
  overload?.beginWait();
  try {
    await nextTurn(admission);
    await chunks.fillInSlices(admission);
  } finally {
    overload?.endWait();
  }
}

/**
 * Refuses a long answer where too many of them wait for a turn of the event loop.
 *
 * @param resource What it would take a unit of.
 * @throws {ApiError} SERVICE_UNAVAILABLE.
 */
export function requireTurn(admission: Admission, resource: Resource): void {
  if (admission.overload?.refusesAnswer() !== true) return;
  admission.countRefusal(resource, "load");
  throw serviceUnavailable("Too many long answers are being made; try again after Retry-After seconds.");
}
