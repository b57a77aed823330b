/** Both kinds of client are made of this: a method for each operation, and readers of long lists. */
import { checkFields, operationCaller } from "./call-operation.ts";
import { type Download, downloadFile } from "./download-file.ts";
import { exportTable, operationTable } from "./generated-api.ts";
import type {
  Answer,
  Arguments,
  ExportFields,
  ExportName,
  ExportRow,
  Fields,
  FileFields,
  OperationId,
  PagedOperationId,
} from "./operation-types.ts";
import { readExport } from "./read-export.ts";
import { readPages } from "./read-pages.ts";
import { type ApiRequest, type CallOptions, type ClientOptions, requestSender } from "./send-request.ts";

/** The fields of a panel: those of an export of statistics, with two groupings. */
export interface PanelFields extends Omit<ExportFields<"statistics">, "group_by"> {
  /** `month` when absent. */
  readonly time?: "day" | "week" | "month" | "quarter" | "year";
  /** `county` when absent. */
  readonly location?: "county" | "market";
}

/**
 * A client for some of the operations. Every method throws an ApiError when the answer is no success, and a TypeError
 * for a field that it does not have.
 */
export type Client<Ids extends OperationId> = {
  readonly [Id in Ids]: (...args: Arguments<Fields<Id>, CallOptions>) => Promise<Answer<Id>>;
} & {
  /**
   * Reads a list page by page, all of one snapshot; see the manual for SNAPSHOT_CHANGED.
   *
   * @param id The operation, like `listSeries`.
   */
  readPages<Id extends Ids & PagedOperationId>(
    id: Id,
    ...args: Arguments<Fields<Id>, CallOptions>
  ): AsyncGenerator<Answer<Id>, void, undefined>;
  /**
   * Reads a whole table, row by row while it arrives, all of one snapshot. Which key prices and statistics need is the
   * operator's decision.
   *
   * @param name The table, like `prices`.
   */
  readExport<Name extends ExportName>(
    name: Name,
    ...args: Arguments<ExportFields<Name>, CallOptions>
  ): AsyncGenerator<ExportRow<Name>, void, undefined>;
  /**
   * Reads a panel: statistics of each product by time and county or market, by product and location, oldest first; what
   * has no price has no row. The key is that of exports of statistics.
   */
  panel(...args: Arguments<PanelFields, CallOptions>): AsyncGenerator<ExportRow<"statistics">, void, undefined>;
  /** Reads how unusual prices are, entry by entry over all pages. The key is that of exports of statistics. */
  anomalies(
    ...args: Arguments<Omit<Fields<"listAnomalies">, "page" | "page_size">, CallOptions>
  ): AsyncGenerator<Answer<"listAnomalies">["data"][number], void, undefined>;
  /**
   * Asks for a file that holds the whole of a snapshot; `listDownloads` has their names. Done when the answer begins.
   * Which key they need is the operator's decision.
   */
  downloadFile(fields: FileFields, options?: Pick<CallOptions, "signal">): Promise<Download>;
};

/** The fields of the methods that set some of an operation themselves. */
const panelFields = [...exportTable.statistics.fields.filter((name) => name !== "group_by"), "time", "location"];
const anomalyFields = operationTable.listAnomalies.fields.filter((name) => name !== "page" && name !== "page_size");

/** Characters of answers that a client keeps where its options do not say. */
const cachedCharactersDefault = 4 * 2 ** 20;

/** @param sign Headers that each request needs beside the key. */
export function createClient<Ids extends OperationId>(
  options: ClientOptions,
  ids: readonly Ids[],
  sign: (request: ApiRequest) => Readonly<Record<string, string>>,
): Client<Ids> {
  const send = requestSender(options, sign);
  const call = operationCaller(send, options.cachedCharactersMax ?? cachedCharactersDefault);
  return {
    ...Object.fromEntries(
      ids.map((id) => [id, (fields = {} as Fields<Ids>, callOptions?: CallOptions) => call(id, fields, callOptions)]),
    ),
    readPages: readPages.bind(undefined, call),
    readExport: readExport.bind(undefined, send),
    async *panel(all: PanelFields = {} as PanelFields, callOptions?: CallOptions) {
      checkFields("panel", { ...all }, panelFields);
      const { time = "month", location = "county", ...fields } = all;
      const group_by = `${time},${location}` as ExportFields<"statistics">["group_by"];
      yield* readExport(send, "statistics", { ...fields, group_by } as ExportFields<"statistics">, callOptions);
    },
    async *anomalies(fields: Fields<"listAnomalies"> = {}, callOptions?: CallOptions) {
      checkFields("anomalies", fields, anomalyFields);
      for await (const { data } of readPages(call, "listAnomalies", fields, callOptions)) yield* data;
    },
    downloadFile: downloadFile.bind(undefined, send),
  } as unknown as Client<Ids>;
}

/** Ids of all operations. */
export const operationIds: readonly OperationId[] = Object.keys(operationTable) as OperationId[];
