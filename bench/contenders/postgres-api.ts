/**
 * What the benchmarks use of the package `postgres`. It is written down here, and the package is loaded by name,
 * because types are checked where that package is not installed.
 */
import type { Writable } from "node:stream";

interface PostgresQuery extends Promise<readonly unknown[]> {
  /** Rows as arrays. */
  values(): Promise<readonly (readonly unknown[])[]>;
  /** For `COPY … FROM STDIN`. */
  writable(): Promise<Writable>;
}

export interface PostgresClient {
  /** @param options `prepare`: parse and plan once a connection. */
  unsafe(sql: string, values?: readonly unknown[], options?: { readonly prepare: boolean }): PostgresQuery;
  end(): Promise<void>;
}

export interface PostgresOptions {
  /** The folder of the server's socket. */
  readonly host: string;
  readonly username: string;
  readonly database: string;
  /** Connections at most. */
  readonly max: number;
  readonly onnotice: () => void;
}

const packageName: string = "postgres";

/** Loads the package. */
export async function loadPostgres(): Promise<(options: PostgresOptions) => PostgresClient> {
  return ((await import(packageName)) as { readonly default: (options: PostgresOptions) => PostgresClient }).default;
}
