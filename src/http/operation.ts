/** What the documents say of an endpoint beside its schemas. */
import type { ApiErrorCode } from "./errors.ts";

/**
 * A request by the values of its schemas, which is answered from the bundled data (documents/examples.json has the
 * answers).
 */
export interface ExampleRequest {
  /** Without `snapshot`, which is that of the bundled data. */
  readonly params?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, string | number | boolean | readonly string[]>>;
  readonly body?: Readonly<Record<string, unknown>>;
}

/** The groups of operations, in the order of the documents. */
export const operationGroups = {
  Prices: "Prices as recorded, the newest ones, statistics of them, and which series there are.",
  Products: "The catalogue of products.",
  Markets: "Trading centres.",
  Counties: "Counties with their sub-counties and wards.",
  Crops: "Crops and their categories.",
  Reference: "Units of measurement and types of markets.",
  Exports: "Whole tables as files, with no limit of rows, for data frames and spreadsheets.",
  Downloads: "Files that hold the whole of a snapshot and never change: Parquet, CSV, and a description of them.",
  Dataset: "The snapshot that is served: whose data it is, how much, how fresh, and how to cite it.",
} as const;

export interface Operation {
  /** Name of the method in a generated client. */
  readonly id: string;
  readonly group: keyof typeof operationGroups;
  /** What a reader should know before using it. */
  readonly description: string;
  readonly example: ExampleRequest;
  /** Codes of errors that neither its input nor its access explains. */
  readonly errors?: readonly ApiErrorCode[];
  /** Media types of its answers where they are files of several. */
  readonly mediaTypes?: readonly string[];
}
