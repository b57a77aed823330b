import type { TableChange } from "../../publish/merge-tables.ts";
import { shownLines } from "./changes-report.ts";

/** Which records of small tables are added or changed, a line each, for a person. */
export function tableChangeLines(changes: readonly TableChange[]): string[] {
  return [...Map.groupBy(changes, ({ kind }) => kind)].flatMap(([kind, ofKind]) =>
    shownLines(ofKind, ({ change, name, id, fields }) => {
      const which = name === id ? name : `${name} (${id})`;
      return `${kind}: ${change} ${which}${fields.length === 0 ? "" : `: ${fields.join(", ")}`}`;
    }),
  );
}
