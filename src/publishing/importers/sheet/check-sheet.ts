/** A table → a workbook that says in its rows what an import would refuse, for a person to repair it there. */

import { requireFreeFile, writeWholeFile } from "../../../engine/files/write-whole-file.ts";
import { getOrInsert } from "../../../engine/model/get-or-insert.ts";
import { DatasetError, ProblemList, problemsReadMax } from "../../../engine/snapshots/problem.ts";
import { ImportRefusedError } from "../import-refused.ts";
import { checkWorkbook } from "./check-workbook.ts";
import { fieldName, findColumns } from "./header-rows.ts";
import { comparePrices, readSheet, type SheetWork } from "./import-sheet.ts";
import type { UnmatchedName } from "./matches-file.ts";
import { readPrices } from "./read-sheet-prices.ts";

/**
 * Reads a table as an import does, and writes the workbook alone, whatever is found.
 *
 * @param checkPath A new file. @returns What is wrong; a name without a match is a problem of each row that has it.
 * @throws as `importSheet`, and {FolderTakenError} when the file is there.
 */
export async function checkSheet(
  work: SheetWork,
  checkPath: string,
): Promise<Record<"problems" | "warnings", ProblemList>> {
  await requireFreeFile(checkPath);
  const problems = new ProblemList(problemsReadMax, problemsReadMax);
  const sheet = await readSheet(work, problems);
  const { table, mapping, resolver, warnings } = sheet;
  const { file } = table;
  if (mapping.header_row === 0) {
    throw new ImportRefusedError(`${file}: "header_row" is 0, expected a row of headings, for that of "what is wrong"`);
  }
  const columns = findColumns(table, mapping);
  const wantedOf = new Map<UnmatchedName, string>();
  resolver.onUnmatched = (name, line) => {
    const { kind, rowCount } = name;
    const heading = columns.wide.find((column) => column.name === name.found)?.heading;
    // A name in a heading is said there, and once.
    if (heading !== undefined && rowCount > 1) return;
    const wanted = getOrInsert(wantedOf, name, () => {
      const candidates = resolver.candidatesOf(name).join(" | ") || "none is like it";
      return `the name of one ${kind.replace("_", " ")}: ${candidates}`;
    });
    const place = { file, line: heading === undefined ? line : mapping.header_row };
    const named = { field: heading ?? fieldName(mapping, kind), found: JSON.stringify(name.found) };
    problems.add({ ...place, ...named, kind: "reference", wanted });
  };
  try {
    const read = readPrices(sheet);
    if (problems.total === 0) await comparePrices(sheet, read, work);
  } catch (error) {
    // Of too many problems, the workbook has those that were found.
    if (!(error instanceof DatasetError && problems.isCut)) throw error;
  }
  const own = problems.problems.filter((problem) => problem.file === file);
  await writeWholeFile(checkPath, [await checkWorkbook(table, mapping, columns, own)]);
  return { problems, warnings };
}
