/** The entry of the package for public keys and for types. */
// biome-ignore lint/performance/noBarrelFile: a package has one file for each entry.
export { ApiError, type ApiErrorCode } from "./api-error.ts";
export type { Client, PanelFields } from "./client.ts";
export type { Download } from "./download-file.ts";
export type * from "./generated-api.ts";
export type {
  Answer,
  ExportFields,
  ExportName,
  ExportRow,
  Fields,
  FileFields,
  OperationId,
  PagedOperationId,
  PublicOperationId,
} from "./operation-types.ts";
export { createPublicClient, type PublicClient } from "./public-client.ts";
export type { CallOptions, ClientOptions } from "./send-request.ts";
