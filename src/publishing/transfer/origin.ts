/** Reads the objects of an origin: a dataset directory behind HTTP, or a bucket that speaks S3. */
import { AwsClient } from "aws4fetch";
import { type Clock, filePace, type Pace, PaceWatch, paceText, processClock, smallObjectPace } from "./pace.ts";
import { TransferError } from "./transfer-error.ts";

/** An answer whose headers have come. Its end, or that of its content, closes the connection unless all has come. */
export interface OriginObject extends Disposable {
  /** The origin's name for this version of the object; null where it does not say, or another may be called so. */
  readonly etag: string | null;
  /** Position of the first byte of `content`. */
  readonly from: number;
  /** To be iterated once. */
  readonly content: AsyncIterable<Uint8Array>;
}

export interface ReadOptions {
  /** The version that is known. */
  readonly etag?: string | null | undefined;
  /** Number of bytes that are there already. */
  readonly from?: number;
  /** True if all of it comes at once, as of an announcement; otherwise it has the least speed of a file. */
  readonly isSmall?: boolean;
  /** Ends the request. */
  readonly signal?: AbortSignal | undefined;
}

export interface Origin {
  /** Its name in messages: its address without credentials. */
  readonly name: string;
  /**
   * Opens an object.
   *
   * @param path Path inside the origin, such as `snapshots/20261123T013821Z-16a66572c07c/manifest.json`.
   * @returns `"not-modified"` where it still is the version that is known, `"at-end"` where it has no byte from `from`
   *   on, the status where there is no such object: 404, 410, or 403 of a bucket that does not say what it has.
   * @throws {TransferError} for everything else: no answer, a slow one, a redirect, any other status.
   */
  readonly open: (path: string, options?: ReadOptions) => Promise<OriginObject | "not-modified" | "at-end" | number>;
}

/** Credentials and address of a store that speaks S3. */
export interface S3Access {
  readonly endpoint: string | undefined;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** Sends a request; as `fetch`, with a signature where one is needed. */
export type SendRequest = (url: string, init: RequestInit) => Promise<Response>;

/** An address with what sends requests to it. */
export interface RemoteFolder {
  /** Without a slash at its end. */
  readonly url: string;
  readonly send: SendRequest;
  /** The bucket that it is a part of, if any. */
  readonly bucket?: Bucket;
}

export interface Bucket {
  /** Without a slash at its end. */
  readonly url: string;
  /** The beginning of the names of all objects: empty, or with a slash at its end. */
  readonly prefix: string;
}

/**
 * The folder that an address means.
 *
 * @param address `http://…` or `https://…` without credentials, query and fragment, or `s3://bucket/prefix` with a
 *   prefix of letters, digits and `-._~/`.
 * @param access For addresses of buckets.
 * @returns undefined for any other address.
 */
export function remoteFolder(address: string, access: S3Access | undefined): RemoteFolder | undefined {
  if (!URL.canParse(address)) return undefined;
  const url = new URL(address);
  const path = url.pathname.replace(/\/+$/, "");
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") return undefined;
  if (url.protocol === "http:" || url.protocol === "https:") return { url: `${url.origin}${path}`, send: fetch };
  if (url.protocol !== "s3:" || url.hostname === "" || access === undefined) return undefined;
  // Programs disagree on how other characters are encoded for a signature.
  if (!/^[\w.~/-]*$/.test(path)) return undefined;
  const { endpoint, region, accessKeyId, secretAccessKey } = access;
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: "s3", retries: 0 });
  // A store of one's own has one host for all buckets; AWS has one for each.
  const bucketUrl =
    endpoint === undefined
      ? `https://${url.hostname}.s3.${region}.amazonaws.com`
      : `${endpoint.replace(/\/+$/, "")}/${url.hostname}`;
  const bucket = { url: bucketUrl, prefix: path === "" ? "" : `${path.slice(1)}/` };
  return {
    url: `${bucketUrl}${path}`,
    bucket,
    // The signed request holds all of `init`; given again, its headers would replace those of the signature.
    send: async (target, init) => await fetch(await client.sign(target, init)),
  };
}

/**
 * The origin at an address.
 *
 * @param address As in `remoteFolder`; it names the origin in messages.
 * @param clock Measures how fast answers come.
 */
export function openOrigin(address: string, { url, send }: RemoteFolder, clock: Clock = processClock): Origin {
  return {
    name: address,
    async open(path, { etag, from = 0, isSmall = false, signal } = {}) {
      const headers = new Headers();
      // With a range, fetch adds `identity` itself, which would follow that of a signature.
      if (from === 0) headers.set("accept-encoding", "identity");
      else headers.set("range", `bytes=${from}-`);
      if (from > 0 && etag) headers.set("if-range", etag);
      if (from === 0 && etag) headers.set("if-none-match", etag);
      const what = `${address}/${path}`;
      const exchange = new Exchange(what, isSmall ? smallObjectPace : filePace, clock, signal);
      const answer = await exchange.begin((ending) =>
        send(`${url}/${path}`, { headers, redirect: "manual", signal: ending }),
      );
      const { status } = answer;
      if (status === 200 || status === 206) {
        const start = status === 206 ? rangeStart(answer.headers.get("content-range")) : 0;
        if (start === undefined || (start !== 0 && start !== from)) {
          exchange.end();
          throw new TransferError("status", `${what}: found another part of the file, expected that from byte ${from}`);
        }
        const content = exchange.read(answer);
        return { etag: lastingEtag(answer.headers), from: start, content, [Symbol.dispose]: () => exchange.end() };
      }
      exchange.end();
      if (status === 304) return "not-modified";
      if (status === 416 && from > 0) return "at-end";
      if (status === 403 || status === 404 || status === 410) return status;
      const isRedirect = status >= 300 && status < 400;
      const found = isRedirect ? `a redirect to ${answer.headers.get("location")}` : `status ${status}`;
      throw new TransferError("status", `${what}: found ${found}, expected the file`);
    },
  };
}

/**
 * Web servers often make the ETag of the size and the second of the last change. A file that was changed a moment ago
 * may be changed again in that second, so its ETag is not to be relied on yet (RFC 9110, 8.8.2.2).
 */
function lastingEtag(headers: Headers): string | null {
  const [changedAt, now] = ["last-modified", "date"].map((name) => Date.parse(headers.get(name) ?? ""));
  return (now as number) - (changedAt as number) < 2000 ? null : headers.get("etag");
}

function rangeStart(header: string | null): number | undefined {
  const start = /^bytes (\d+)-/.exec(header ?? "")?.[1];
  return start === undefined ? undefined : Number(start);
}

/** A request with its answer, which ends when it is slow, or no longer wanted. */
class Exchange {
  readonly #what: string;
  readonly #pace: Pace;
  readonly #watch: PaceWatch;
  readonly #ending = new AbortController();
  readonly #signal: AbortSignal | undefined;

  constructor(what: string, pace: Pace, clock: Clock, signal: AbortSignal | undefined) {
    this.#what = what;
    this.#pace = pace;
    this.#watch = new PaceWatch(pace, clock, this.end);
    this.#signal = signal;
    signal?.addEventListener("abort", this.end, { once: true });
    if (signal?.aborted === true) this.end();
  }

  /** Gives the connection back where all has come, and closes it otherwise. */
  readonly end = (): void => {
    this.#signal?.removeEventListener("abort", this.end);
    this.#ending.abort();
  };

  async begin(send: (ending: AbortSignal) => Promise<Response>): Promise<Response> {
    this.#watch.begin();
    try {
      return await send(this.#ending.signal);
    } catch (error) {
      this.end();
      throw this.#failure("no answer", error);
    } finally {
      this.#watch.end(0);
    }
  }

  async *read(answer: Response): AsyncGenerator<Uint8Array> {
    this.#watch.begin();
    try {
      for await (const chunk of answer.body ?? []) {
        this.#watch.end(chunk.length);
        yield chunk;
        this.#watch.begin();
      }
    } catch (error) {
      throw this.#failure("the connection was cut", error);
    } finally {
      this.#watch.end(0);
      this.end();
    }
  }

  #failure(found: string, cause: unknown): TransferError {
    if (this.#watch.isSlow) {
      return new TransferError("slow", `${this.#what}: found less, expected ${paceText(this.#pace)}`, { cause });
    }
    return new TransferError("unreachable", `${this.#what}: ${found} (${causeOf(cause)})`, { cause });
  }
}

/** The system's code behind an error of `fetch`, or its message. */
export function causeOf(error: unknown): string {
  const { cause, message } = error as Error;
  return cause instanceof Error && "code" in cause ? String(cause.code) : message;
}

/**
 * Reads a small object whole.
 *
 * @param bytesMax One byte more is refused.
 */
export async function readObject(
  { name }: Pick<Origin, "name">,
  path: string,
  object: OriginObject,
  bytesMax: number,
): Promise<Buffer> {
  using open = object;
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of open.content) {
    bytes += chunk.length;
    if (bytes > bytesMax) {
      throw new TransferError("length", `${name}/${path}: found more than ${bytesMax} bytes, expected at most that`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, bytes);
}

/**
 * Credentials and address of a bucket from the environment, under the names that other programs give them.
 *
 * @returns undefined where there are no credentials.
 */
export function readS3Access(environment: Readonly<Record<string, string | undefined>>): S3Access | undefined {
  const accessKeyId = environment["AWS_ACCESS_KEY_ID"];
  const secretAccessKey = environment["AWS_SECRET_ACCESS_KEY"];
  if (!accessKeyId || !secretAccessKey) return undefined;
  return {
    endpoint: environment["S3_ENDPOINT"] || undefined,
    region: environment["AWS_REGION"] || "us-east-1",
    accessKeyId,
    secretAccessKey,
  };
}
