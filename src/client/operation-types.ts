/** Types of operations, derived from those that are generated from the description of the service. */
import type { ExportRows, exportTable, operations, operationTable } from "./generated-api.ts";

type Table = typeof operationTable;
type Id = keyof Table & keyof operations;

/** Ids of operations that answer JSON. */
export type OperationId = Id;

/** Operations for which a public key suffices, or does where the operator has opened them. */
export type PublicOperationId = IdsWhere<{ readonly access: "public" | "operator" }>;

/** Operations that answer in pages. */
export type PagedOperationId = IdsWhere<{ readonly pageSizeMax: number }>;

type IdsWhere<Condition> = { [Each in Id]: Table[Each] extends Condition ? Each : never }[Id];

/** The type of a field of a container; unknown, which adds nothing to other types, where it is absent. */
type Part<Container, Name extends string> = Container extends { [Key in Name]?: infer Value }
  ? [NonNullable<Value>] extends [never]
    ? unknown
    : NonNullable<Value>
  : unknown;

type JsonOf<Message> = Part<Part<Message, "content">, "application/json">;

/** The fields of a request: of its path, its query and its body. */
export type Fields<Each extends Id> = Part<operations[Each]["parameters"], "path"> &
  Part<operations[Each]["parameters"], "query"> &
  JsonOf<Part<operations[Each], "requestBody">>;

/** `data`, and `meta` where there is something to count, with the id of the snapshot that they come from. */
export type Answer<Each extends Id> = JsonOf<operations[Each]["responses"][200]> & { readonly snapshot: string };

/** The arguments of an operation; its fields may be left out when none is required. */
export type Arguments<Values, Options> =
  Record<never, never> extends Values ? [fields?: Values, options?: Options] : [fields: Values, options?: Options];

type Exports = typeof exportTable;

/** Names of the tables that are exported. */
export type ExportName = keyof Exports;

/** The filters of an export. */
export type ExportFields<Name extends ExportName> = Part<operations[Exports[Name]["id"]]["parameters"], "query">;

/** The fields of a request for a file of a snapshot. */
export type FileFields = operations["downloadFile"]["parameters"]["path"];

/** A row of an export. */
export type ExportRow<Name extends ExportName> = ExportRows[Name];
