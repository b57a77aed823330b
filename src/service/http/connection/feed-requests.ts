/**
 * Passes the bytes of a connection to Node's parser in portions. By itself the parser reads the socket, 64 KiB at a
 * time, and makes objects of every request in them, whether the socket is paused or not: 3,000 requests in 78 kB hold
 * 10 MB. Here it gets a few requests at a time, and none while enough wait. What it has not got stays as bytes of one
 * read, and the socket is not read meanwhile, so TCP holds back the client.
 */
import type { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { waitingBytesMax, waitingRequestsMax } from "../../../contract/limits.ts";

/** The parser gets as much, where it is there, and what follows to the end of headers: 16 requests at most. */
const sliceBytesMin = 256;

const headersEnd = "\r\n\r\n";
const carriageReturn = 0x0d;
const lineFeed = 0x0a;

export class RequestFeed {
  /** Requests that have been parsed and wait for the answers before them. */
  waiting = 0;
  /** True if nothing that comes is a request any more. */
  isDropping = false;
  /** True if anything of a request has come; empty lines before it are nothing (RFC 9112, section 2.2). */
  hasBegun = false;
  readonly #socket: Socket;
  readonly #parse: (bytes: Buffer) => void;
  readonly #startParser: () => Duplex;
  /** What a second parser reads, behind a request that asks for an upgrade until the headers of the next are read. */
  #second: Duplex | undefined;
  /** The bytes that were read and not parsed; while there are some, the socket is not read. */
  #rest: Buffer | undefined;
  #newest: IncomingMessage | undefined;
  #newestAsksForUpgrade = false;
  /** The bytes that are being parsed, and the requests in them whose headers were read. */
  #slice: Buffer | undefined;
  #requestsInSlice = 0;
  /** False if the body of an earlier request goes on in it; otherwise its first empty line ends headers. */
  #startsInHeaders = true;
  /** Bytes of a body that is passed on by itself, so that nothing follows it in a slice. */
  #bodyBytes = 0;
  /** Bytes that were parsed since requests began to wait. */
  #waitingBytes = 0;
  /** When something was last held back, by `performance.now()`. */
  #heldUntil = Number.NEGATIVE_INFINITY;

  /**
   * @param socket One that Node's own listener of `connection` has had.
   * @param startParser Makes a stream whose bytes a new parser reads, and reports its errors as those of the socket.
   */
  constructor(socket: Socket, startParser: () => Duplex) {
    this.#socket = socket;
    this.#startParser = startParser;
    const [parse] = socket.listeners("data");
    this.#parse = parse as (bytes: Buffer) => void;
    // To add a listener makes Node read through the stream, which passes every read to `push` and stops reading when
    // that returns false. The stream's own `push` would fill a buffer first, which takes 400 bytes for each that
    // comes alone.
    socket.off("data", this.#parse).on("data", this.#parse);
    socket.push = (bytes: Buffer | null) => this.#take(bytes);
    // Node pauses a socket while a body is not read, and while the client does not read an answer.
    const resume = (): void => this.resume();
    socket.on("resume", resume).on("drain", resume);
    socket.on("close", () => this.#second?.destroy());
  }

  /** Returns whether bytes of the client are held back, or were so many milliseconds ago or later. */
  hasHeldWithin(milliseconds: number): boolean {
    return this.#rest !== undefined || performance.now() - this.#heldUntil < milliseconds;
  }

  /** Must be called with each request when the parser has read its headers. */
  noteHeaders(request: IncomingMessage): void {
    this.#newest = request;
    this.#newestAsksForUpgrade = false;
    this.#requestsInSlice++;
    this.#second?.destroy();
    this.#second = undefined;
  }

  /**
   * Must be called behind `noteHeaders` with a request that asks for an upgrade: takes back what the parser has got
   * behind it and will drop. What is still to come of its body is passed on by itself, so that nothing follows it.
   *
   * @returns True if nothing is lost; false where the end of the request is unknown, so that something may be.
   */
  takeBack({ headers }: IncomingMessage): boolean {
    this.#newestAsksForUpgrade = true;
    const slice = this.#slice;
    const isFirst = this.#startsInHeaders && this.#requestsInSlice === 1;
    // A line end may be one of empty lines before the request, or half of the end of its headers.
    if (slice === undefined || !isFirst || isLineEnd(slice[0] as number)) return false;
    const end = slice.indexOf(headersEnd) + headersEnd.length + Number(headers["content-length"] ?? 0);
    this.#bodyBytes = Math.max(0, end - slice.length);
    if (end < slice.length) this.#rest = Buffer.concat([slice.subarray(end), this.#rest ?? Buffer.alloc(0)]);
    return true;
  }

  /** From now on, drops what was held back and what still comes. */
  drop(): void {
    this.isDropping = true;
    this.resume();
  }

  /** Passes on what was held back, as far as it may be by now. Must be called when a request waits no more. */
  resume(): void {
    if (this.#rest === undefined || !this.#passOn()) return;
    this.#heldUntil = performance.now();
    this.#socket._read(0);
  }

  /** @returns True if the socket may be read on. */
  #take(bytes: Buffer | null): boolean {
    if (bytes === null) {
      this.#second?.push(null);
      return Socket.prototype.push.call(this.#socket, null);
    }
    this.hasBegun ||= bytes.some((byte) => !isLineEnd(byte));
    this.#rest = bytes;
    return this.#passOn();
  }

  /** @returns True if nothing is held back. */
  #passOn(): boolean {
    while (this.#rest !== undefined) {
      // The parser of a socket that was destroyed may have become that of another.
      if (this.isDropping || this.#socket.destroyed) this.#rest = undefined;
      else if (this.#mustWait()) return false;
      else {
        this.#slice = this.#takeSlice(this.#rest);
        this.#requestsInSlice = 0;
        this.#startsInHeaders = this.#newest?.complete !== false;
        this.#parse(this.#slice);
        if (this.#newestAsksForUpgrade && this.#startsInHeaders && this.#requestsInSlice === 0) {
          // The parser reports no errors here.
          this.#second ??= this.#startParser();
          this.#second.push(this.#slice);
        }
        // An idle connection must not hold what was read.
        this.#slice = undefined;
      }
    }
    return true;
  }

  #mustWait(): boolean {
    if (this.waiting === 0) this.#waitingBytes = 0;
    else if (this.waiting >= waitingRequestsMax || this.#waitingBytes >= waitingBytesMax) return true;
    return this.#socket.isPaused() || this.#socket.writableNeedDrain;
  }

  #takeSlice(rest: Buffer): Buffer {
    const end = this.#bodyBytes > 0 ? Math.min(this.#bodyBytes, rest.length) : sliceEnd(rest);
    if (this.#bodyBytes > 0) this.#bodyBytes -= end;
    this.#rest = end === rest.length ? undefined : rest.subarray(end);
    this.#waitingBytes += end;
    return end === rest.length ? rest : rest.subarray(0, end);
  }
}

function isLineEnd(byte: number): boolean {
  return byte === carriageReturn || byte === lineFeed;
}

/** Returns the end of the first slice: behind headers that others follow, so that an ordinary request is not cut. */
function sliceEnd(bytes: Buffer): number {
  const found = bytes.length > sliceBytesMin ? bytes.indexOf(headersEnd, sliceBytesMin - headersEnd.length) : -1;
  const end = found + headersEnd.length;
  // Without further headers, what follows is no request: a body, or the beginning of headers.
  return found === -1 || !bytes.includes(headersEnd, end) ? bytes.length : end;
}
