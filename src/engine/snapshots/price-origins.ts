/** Files that say where prices come from: the table, its row and the import, beside the prices file they belong to. */
import { basename } from "node:path";
import { type PriceOrigin, recordFormats } from "../model/records.ts";
import { checkRecord } from "./check-record.ts";
import { foundText, type ProblemList } from "./problem.ts";
import type { UncheckedRecord } from "./record-texts.ts";
import { pricesNameOf, recordKindOf } from "./snapshot-layout.ts";

/** Reports files of origins that stand beside no prices file. @param names All files of the directory. */
export function reportUnpairedOrigins(names: readonly string[], problems: ProblemList): void {
  const all = new Set(names);
  for (const file of names) {
    if (recordKindOf(file) !== "origins" || all.has(pricesNameOf(file))) continue;
    problems.add({ file, kind: "file", found: "origins of no prices file", wanted: unpairedOriginsWanted(file) });
  }
}

/** Returns what a file of origins needs, for messages. */
export function unpairedOriginsWanted(name: string): string {
  return `the prices file ${foundText(basename(pricesNameOf(name)))} beside it`;
}

/** The origin that a record states; undefined where it is none. */
export function toPriceOrigin(record: UncheckedRecord): PriceOrigin | undefined {
  return checkRecord(recordFormats.origins, record).record;
}
