/** What a published snapshot has although files that are handed in may not have it. */
import { name, text } from "../model/record-schema.ts";
import { type Records, recordFormats } from "../model/records.ts";
import { lengthsMax } from "../model/text-lengths.ts";
import { textOf } from "../store/shared-texts.ts";
import type { Store } from "../store/store.ts";
import { writtenRecord } from "./check-record.ts";
import { inputFaults } from "./input-values.ts";
import { refusedStatements } from "./manifest.ts";
import { type Fault, ProblemList, problemText } from "./problem.ts";
import { manifestFileName, type TableKind, tableFileNames } from "./snapshot-layout.ts";
import { tableRecords } from "./table-records.ts";

/**
 * Describes texts and lists that are longer, or have characters, than records that are handed in may have.
 *
 * @returns The first of them and the number of others; undefined where there are none.
 * Cost: a look at each text of the small tables, and at the length of each note of a price.
 */
export function describeRefusedTexts({ snapshot, catalogue, prices }: Store): string | undefined {
  const problems = new ProblemList();
  const add = (file: string, faults: Iterable<Fault>): void => {
    for (const fault of faults) problems.add({ file, ...fault });
  };
  add(manifestFileName, refusedStatements(snapshot));
  const tables = tableRecords(catalogue);
  for (const kind of Object.keys(tableFileNames) as TableKind[]) addTable(kind);
  for (const source of prices.sourceNames) add("prices", inputFaults(name, source, "source"));
  for (const grade of prices.gradeNames) add("prices", inputFaults(name, grade, "quality_grade"));
  const { offsets } = prices.noteTexts;
  for (let note = 0; note < offsets.length - 1; note++) {
    // A text has at least as many bytes as code points.
    const bytes = (offsets[note + 1] as number) - (offsets[note] as number);
    if (bytes > lengthsMax.text) add("prices", inputFaults(text, textOf(prices.noteTexts, note), "notes"));
  }
  const [first] = problems.problems;
  if (first === undefined) return undefined;
  return `${problemText(first)}${problems.total > 1 ? `, and ${problems.total - 1} more` : ""}`;

  function addTable<Kind extends TableKind>(kind: Kind): void {
    for (const record of tables[kind]) {
      const written = writtenRecord<Records[Kind]>(recordFormats[kind], record as Records[Kind]);
      const [id] = Object.values(written);
      add(`${tableFileNames[kind]} (${id})`, inputFaults(recordFormats[kind], written));
    }
  }
}
