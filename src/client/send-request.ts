/** From a request to an answer that is a success: keys, signatures, waiting where the service asks for it, errors. */
import { readError } from "./api-error.ts";

export interface ApiRequest {
  readonly method: "GET" | "POST";
  /** Path with query string, as it is sent and signed. */
  readonly target: string;
  /** JSON; empty for GET. */
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface CallOptions {
  /** Ends the request, or the reading of pages or rows. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Id of the snapshot to be answered from. Where another one is served, an ApiError with SNAPSHOT_CHANGED is thrown.
   */
  readonly snapshot?: string | undefined;
}

export interface ClientOptions {
  /** Origin of the service, like `https://prices.example.org`. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Number of times a request is sent again that was answered 429 or 503 with `Retry-After`; 2 when absent. */
  readonly retriesMax?: number;
  /** With a longer `Retry-After` the error is thrown at once; 60 when absent. */
  readonly retryAfterMaxSeconds?: number;
  /** Characters of answers to GET that are kept for `If-None-Match`; 4 Mi when absent, 0 keeps none. */
  readonly cachedCharactersMax?: number;
  /** Takes the place of the global `fetch`. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** Takes the place of a timer between two attempts. */
  readonly wait?: (milliseconds: number, signal: AbortSignal | undefined) => Promise<void>;
}

/** @returns A success, or 304. @throws {ApiError} With any other answer. */
export type Send = (request: ApiRequest, options: CallOptions) => Promise<Response>;

/**
 * @param sign Headers that a request needs beside the key; called for each attempt, because signatures grow old.
 * @throws {TypeError} When the base URL is no origin.
 */
export function requestSender(
  {
    baseUrl,
    apiKey,
    retriesMax = 2,
    retryAfterMaxSeconds = 60,
    fetch = globalThis.fetch,
    wait = waitFor,
  }: ClientOptions,
  sign: (request: ApiRequest) => Readonly<Record<string, string>>,
): Send {
  const origin = originOf(baseUrl);
  return async (request, { signal, snapshot }) => {
    const { method, target, body } = request;
    for (let attempt = 0; ; attempt++) {
      const response = await fetch(origin + target, {
        method,
        // A redirection would take the key to wherever it leads.
        redirect: "manual",
        headers: {
          "X-API-Key": apiKey,
          ...(body === "" ? {} : { "Content-Type": "application/json" }),
          ...(snapshot === undefined ? {} : { "X-Snapshot-Id": snapshot }),
          ...request.headers,
          ...sign(request),
        },
        ...(body === "" ? {} : { body }),
        ...(signal === undefined ? {} : { signal }),
      });
      if (response.ok || response.status === 304) return response;
      const error = await readError(response);
      const { status, retryAfterSeconds } = error;
      const mayRetry = (status === 429 || status === 503) && retryAfterSeconds !== undefined;
      if (!mayRetry || attempt >= retriesMax || retryAfterSeconds > retryAfterMaxSeconds) throw error;
      await wait(retryAfterSeconds * 1000, signal);
    }
  };
}

function originOf(baseUrl: string): string {
  const url = new URL(baseUrl);
  if (url.href === `${url.origin}/`) return url.origin;
  throw new TypeError(`baseUrl is ${JSON.stringify(baseUrl)}, expected an origin like https://prices.example.org.`);
}

/** Waits for a time, or rejects when the signal aborts. */
export function waitFor(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, milliseconds);
    signal?.addEventListener("abort", stop, { once: true });
  });
}
