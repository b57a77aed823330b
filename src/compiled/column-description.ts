import type { ColumnTypeName } from "../domain/shared-columns.ts";

/** What is known of a column without its content. */
export interface ColumnDescription {
  readonly path: string;
  readonly type: ColumnTypeName;
  /** Elements. */
  readonly length: number;
}
