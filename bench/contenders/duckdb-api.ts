/**
 * What the benchmarks use of the package `@duckdb/node-api`. It is written down here, and the package is loaded by
 * name, because types are checked where that package is not installed.
 */
export interface DuckDbApi {
  readonly DuckDBInstance: { create(path: string): Promise<{ connect(): Promise<DuckDbConnection> }> };
  readonly DuckDBDataChunk: { create(types: readonly DuckDbType[], rowCount: number): DuckDbChunk };
  readonly DuckDBUUIDValue: { fromUint128(value: bigint): DuckDbValue };
  readonly UUID: DuckDbType;
  readonly INTEGER: DuckDbType;
  readonly BIGINT: DuckDbType;
  readonly DOUBLE: DuckDbType;
  readonly VARCHAR: DuckDbType;
  version(): string;
}

/** A value as the package wants it: for `BIGINT` a bigint. */
export type DuckDbValue = number | bigint | string | null | { readonly duckDbObject: true };
export type DuckDbType = { readonly duckDbType: true };

interface DuckDbChunk {
  setColumnValues(column: number, values: readonly DuckDbValue[]): void;
}

export interface DuckDbConnection {
  run(sql: string): Promise<unknown>;
  prepare(sql: string): Promise<DuckDbStatement>;
  createAppender(table: string): Promise<{ appendDataChunk(chunk: DuckDbChunk): void; closeSync(): void }>;
}

export interface DuckDbStatement {
  /** Parameters count from 1. */
  bindInteger(parameter: number, value: number): void;
  bindDouble(parameter: number, value: number): void;
  bindVarchar(parameter: number, value: string): void;
  runAndReadAll(): Promise<{ columnNames(): readonly string[]; getRows(): readonly (readonly unknown[])[] }>;
}

const packageName: string = "@duckdb/node-api";

/** Loads the package. */
export async function loadDuckDb(): Promise<DuckDbApi> {
  return (await import(packageName)) as DuckDbApi;
}
