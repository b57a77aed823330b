/** The end of each request in log and figures. */
import type { Context, RequestState } from "./context.ts";
import { loggedTarget } from "./read-request.ts";
import type { RequestDependencies } from "./request-dependencies.ts";

/** The refusals of a client with one code since its last line. */
interface Refusals {
  readonly fields: { readonly code: string | undefined; readonly key: string | undefined; client: string | undefined };
  count: number;
}

/**
 * Logs and counts requests when their answers have left or their connections are gone, and leaves their places. A
 * line is a third of the cost of a refusal, so only the first of a client has one of its own; a second later one says
 * how many others there were, and so on while there are some.
 */
export class RequestRecorder {
  readonly #log: RequestDependencies["log"];
  readonly #count: RequestDependencies["countRequest"];
  readonly #refusals = new Map<string, Refusals>();
  readonly #later: (run: () => void) => void;

  /** @param later Calls once when the next lines of refusals are due; in a second when absent. */
  constructor({ log, countRequest }: Pick<RequestDependencies, "countRequest" | "log">, later = inASecond) {
    this.#log = log;
    this.#count = countRequest;
    this.#later = later;
  }

  /** Must be called once with each request, before anything is known of it. */
  follow(ctx: Context): void {
    const startedAt = performance.now();
    ctx.res.on("close", () => {
      const { state } = ctx;
      state.place?.leave();
      // The connection may stay, and this response with it, until its next request.
      state.store = undefined;
      this.#record(ctx, Math.round((performance.now() - startedAt) * 1000) / 1000);
    });
  }

  #record({ req, res, state }: Context, milliseconds: number): void {
    // An answer that was never sent does not count.
    const outcome = res.headersSent
      ? { status: res.statusCode, code: state.errorCode, bytes: state.answerBytes, duration_ms: milliseconds }
      : { status: undefined, code: undefined, bytes: undefined, duration_ms: milliseconds };
    this.#count?.(state.endpoint, outcome);
    if (state.isRefused && this.#isOneOfMany(state)) return;
    const entry = {
      request_id: state.requestId,
      method: req.method as string,
      target: loggedTarget(req.url as string),
      ...outcome,
      aborted: res.writableFinished ? undefined : (true as const),
      key: state.principal?.id,
      snapshot: state.snapshot,
      client: state.client.address,
      ...state.trace,
    };
    if (this.#log.request === undefined) this.#log.info(entry, "request");
    else this.#log.request(entry);
  }

  /** Counts a refusal. @returns False for one that has a line of its own. */
  #isOneOfMany({ errorCode: code, principal, client }: RequestState): boolean {
    const key = principal?.id;
    const name = `${code} ${key} ${client.network}`;
    const known = this.#refusals.get(name);
    if (known !== undefined) {
      known.count++;
      return true;
    }
    this.#refusals.set(name, { fields: { code, key, client: client.address }, count: 0 });
    if (this.#refusals.size === 1) this.#later(() => this.#writeCounts());
    return false;
  }

  #writeCounts(): void {
    for (const [name, refusals] of this.#refusals) {
      if (refusals.count === 0) this.#refusals.delete(name);
      else this.#log.info({ ...refusals.fields, refused: refusals.count }, "requests refused");
      refusals.count = 0;
    }
    if (this.#refusals.size > 0) this.#later(() => this.#writeCounts());
  }
}

function inASecond(run: () => void): void {
  setTimeout(run, 1000).unref();
}
