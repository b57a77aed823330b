/** A ClickHouse server over HTTP, and the statements of the files beside this one. */
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { type ClientRequest, type IncomingMessage, request as overHttp } from "node:http";
import { request as overHttps } from "node:https";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { ForeseenError } from "../../src/engine/model/foreseen-error.ts";

/** A row of an answer. */
export type Row = Readonly<Record<string, unknown>>;

/** A server refuses a statement, or does not answer; the message names both. */
export class ClickHouseError extends ForeseenError {}

export interface Credentials {
  readonly user: string;
  readonly password: string;
}

/** No limit of time: a statement takes as long as it takes. */
export class ClickHouseServer {
  readonly name: string;
  readonly #url: URL;
  readonly #credentials: Credentials | undefined;

  /** @param url Address with, where it is not the default one, `?database=…`. */
  constructor(url: URL, credentials?: Credentials) {
    this.name = url.host;
    this.#url = url;
    this.#credentials = credentials;
  }

  /** Sends a statement. @returns What it answers. @throws {ClickHouseError} */
  async ask(statement: string): Promise<string> {
    const request = this.#begin({});
    request.end(statement);
    return await this.#answerOf(request, statement);
  }

  /** The rows that a query gives, 64-bit integers as numbers. */
  async rows(query: string): Promise<Row[]> {
    const request = this.#begin({ output_format_json_quote_64bit_integers: "0" });
    request.end(`${query} FORMAT JSONEachRow`);
    const lines = (await this.#answerOf(request, query)).split("\n").filter((line) => line !== "");
    return lines.map((line) => JSON.parse(line) as Row);
  }

  /**
   * Inserts NDJSON while it is made: `write` waits for as long as the server does not read.
   *
   * @throws {ClickHouseError} and what `produce` throws. Rows may have been inserted then.
   */
  async insert<T>(table: string, produce: (write: (lines: string) => Promise<void>) => Promise<T>): Promise<T> {
    const query = `INSERT INTO ${table} FORMAT JSONEachRow`;
    // A column that the table lacks is an error, and shards have their rows when the answer comes.
    const settings = { input_format_skip_unknown_fields: "0", insert_distributed_sync: "1" };
    const request = this.#begin({ query, ...settings });
    const answer = this.#answerOf(request, query);
    // A refusal may come before all has been written; then `write` throws it.
    answer.catch(() => {});
    try {
      const produced = await produce(async (lines) => {
        // Of a connection that breaks, the answer knows whose it was.
        if (!request.write(lines)) await Promise.race([once(request, "drain").catch(() => answer), answer]);
      });
      request.end();
      await answer;
      return produced;
    } finally {
      // Where the rows did not come to their end, a cut connection says so; an end of the body would not.
      request.destroy();
    }
  }

  #begin(parameters: Readonly<Record<string, string>>): ClientRequest {
    const url = new URL(this.#url);
    // Then the status is that of the whole answer; an error would come in the middle of it otherwise.
    url.searchParams.set("wait_end_of_query", "1");
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
    const { user, password } = this.#credentials ?? {};
    const begin = url.protocol === "https:" ? overHttps : overHttp;
    return begin(url, { method: "POST", ...(user !== undefined && { auth: `${user}:${password}` }) });
  }

  async #answerOf(request: ClientRequest, statement: string): Promise<string> {
    try {
      const [answer] = (await once(request, "response")) as [IncomingMessage];
      const found = await text(answer);
      if (answer.statusCode === 200) return found;
      throw new ClickHouseError(`${this.name}: ${found.trim()} in ${statement}`);
    } catch (error) {
      if (error instanceof ClickHouseError) throw error;
      throw new ClickHouseError(`${this.name}: ${(error as Error).message} in ${statement}`, { cause: error });
    }
  }
}

/**
 * The statements of a file, without comments.
 *
 * @param name Name of a file beside this one.
 * @param values By name of the place that has it: `{product}`. They are numbers, or texts without quotation marks.
 * @throws {RangeError} for a place without a value, and for a text that could be more than a value.
 */
export async function readStatements(
  name: string,
  values: Readonly<Record<string, string | number>> = {},
): Promise<string[]> {
  const content = await readFile(join(import.meta.dirname, name), "utf8");
  const filled = content.replaceAll(/^ *--.*\n/gm, "").replaceAll(/\{(\w+)\}/g, (_, place: string) => {
    const value = values[place];
    if (value === undefined || !/^[\w .()-]+$/.test(String(value))) {
      throw new RangeError(`${name}: {${place}} is ${JSON.stringify(value)}, expected a number or a plain text`);
    }
    return String(value);
  });
  return filled
    .split(";")
    .map((statement) => statement.trim())
    .filter((statement) => statement !== "");
}
