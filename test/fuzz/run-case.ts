/** Sends a case on a connection of its own and says what came of it. */
import { connect, type Socket } from "node:net";
import { setTimeout as delay, setImmediate } from "node:timers/promises";
import { AnswerReader } from "./answer-reader.ts";
import type { Api } from "./api-operations.ts";
import { problemOfAnswers } from "./check-answer.ts";
import type { FuzzCase } from "./fuzz-case.ts";

export interface CaseResult {
  /** Undefined when all is as it should be. */
  readonly problem: string | undefined;
  /** Whether the problem is that the connection was reset at an export, whose slot another client may have got. */
  readonly isPreempted: boolean;
  /** In order, 1xx left out. */
  readonly statuses: readonly number[];
  /** From the last byte sent to the last answer; 0 where the client kept the answers waiting. */
  readonly milliseconds: number;
}

export interface Target {
  readonly port: number;
  readonly api: Api;
  /** What no answer may hold. */
  readonly secrets: readonly string[];
}

/**
 * How long no answer may come before a connection counts as hanging, on a machine that other work shares; thousands of
 * answers may take longer in all.
 */
export const hangMilliseconds = 60_000;

/** How long a client keeps answers waiting that reads slowly or not at all. */
const unreadMilliseconds = 100;

const localAddresses = 64;

let connections = 0;

/**
 * One loopback address after another to connect from, so that no port is needed again while the system still holds it
 * back, and wrong keys stay below their limit for one address. Undefined where the system has one such address only.
 */
export function nextLocalAddress(): string | undefined {
  return process.platform === "linux" ? `127.0.1.${1 + (connections++ % localAddresses)}` : undefined;
}

export async function runCase(fuzzCase: FuzzCase, { port, api, secrets }: Target): Promise<CaseResult> {
  const { ending, pieces, requests } = fuzzCase;
  const reader = new AnswerReader(requests.map(({ method }) => method));
  const client = new FuzzConnection(port, reader);
  try {
    if (ending === "unread" || ending === "absent") client.socket.pause();
    for (const [position, piece] of pieces.entries()) {
      if (position > 0) await setImmediate();
      client.socket.write(piece);
    }
    const sentAt = performance.now();
    if (ending === "reset") {
      await client.connected;
      client.socket.resetAndDestroy();
      return notRead;
    }
    if (ending === "half-close") client.socket.end();
    if (ending === "unread" || ending === "absent") await delay(unreadMilliseconds);
    if (ending === "absent") {
      client.socket.resetAndDestroy();
      return notRead;
    }
    client.socket.resume();
    const wanted = ending === "half-close" ? Number.POSITIVE_INFINITY : requests.length;
    const end = await client.until(wanted);
    const problem = client.formProblem ?? problemOfAnswers(fuzzCase, reader, api, secrets);
    const next = requests[reader.answers.length]?.operation;
    const isTimed = ending !== "unread" && client.answeredAt > 0;
    return {
      problem: problem ?? problemOfEnd(end, fuzzCase, reader),
      isPreempted: problem === undefined && end === "reset" && next?.path.includes("/exports/") === true,
      statuses: reader.answers.map(({ status }) => status),
      milliseconds: isTimed ? Math.max(0, client.answeredAt - sentAt) : 0,
    };
  } finally {
    client.socket.destroy();
  }
}

/** Of a client that reads no answer. */
const notRead: CaseResult = { problem: undefined, isPreempted: false, statuses: [], milliseconds: 0 };

type ConnectionEnd = "answered" | "closed" | "reset" | "hanging";

function problemOfEnd(
  end: ConnectionEnd,
  { ending, requests, pieces }: FuzzCase,
  reader: AnswerReader,
): string | undefined {
  const { answers } = reader;
  const found = `${answers.length} answers, the last ${answers.at(-1)?.status ?? "none"}`;
  if (end === "hanging") return `the connection hangs after ${found}`;
  // An answer that is its connection's last ends what was pipelined behind it.
  const isLast = answers.at(-1)?.headers.get("connection") === "close";
  if (ending === "half-close") {
    if (reader.isInAnswer || end === "reset") return `the connection was ${end} after ${found}`;
    const isRequested = pieces.some((piece) => !/^[\r\n]*$/.test(piece.toString("latin1")));
    return isRequested && answers.length === 0 ? "the connection was closed without an answer" : undefined;
  }
  return end === "answered" || isLast
    ? undefined
    : `the connection was ${end} after ${found}, expected ${requests.length}`;
}

class FuzzConnection {
  readonly socket: Socket;
  readonly connected: Promise<unknown>;
  /** What broke HTTP in the bytes that came. */
  formProblem: string | undefined;
  /** When the last answer was complete, on the clock of `performance.now`; 0 before. */
  answeredAt = 0;
  readonly #reader: AnswerReader;
  readonly #ended = Promise.withResolvers<ConnectionEnd>();
  #wanted = Number.POSITIVE_INFINITY;
  #isClosing = false;
  #hangTimer: NodeJS.Timeout | undefined;

  constructor(port: number, reader: AnswerReader) {
    this.#reader = reader;
    const localAddress = nextLocalAddress();
    this.socket = connect({
      port,
      host: "127.0.0.1",
      allowHalfOpen: true,
      noDelay: true,
      ...(localAddress && { localAddress }),
    });
    this.connected = new Promise((resolve) => this.socket.once("connect", resolve).once("close", resolve));
    this.socket.on("data", (chunk: Buffer) => this.#take(chunk));
    this.socket.on("end", () => {
      this.#take(undefined);
      this.#ended.resolve("closed");
    });
    this.socket.on("error", () => this.#ended.resolve("reset"));
    this.socket.on("close", () => this.#ended.resolve("reset"));
  }

  /** Waits for so many answers, or for the end of the connection where the last answer announces it. */
  async until(wanted: number): Promise<ConnectionEnd> {
    this.#wanted = wanted;
    this.#check();
    this.#hangTimer = setTimeout(() => this.#ended.resolve("hanging"), hangMilliseconds);
    const end = await this.#ended.promise;
    clearTimeout(this.#hangTimer);
    return end;
  }

  /** @param chunk Undefined when the server has ended its side. */
  #take(chunk: Buffer | undefined): void {
    try {
      const before = this.#reader.answers.length;
      if (chunk === undefined) this.#reader.end();
      else this.#reader.read(chunk);
      if (this.#reader.answers.length > before) {
        this.answeredAt = performance.now();
        this.#hangTimer?.refresh();
      }
      this.#check();
    } catch (error) {
      this.formProblem ??= String(error);
      this.#ended.resolve("reset");
    }
  }

  #check(): void {
    const { answers } = this.#reader;
    this.#isClosing = answers.at(-1)?.headers.get("connection") === "close";
    if (answers.length >= this.#wanted && !this.#isClosing) this.#ended.resolve("answered");
  }
}
