/** Units that a mapping declares: they come with the prices that need them. */
import { basename } from "node:path";
import { getOrInsert } from "../../../engine/model/get-or-insert.ts";
import type { UnitCategoryRecord, UnitRecord } from "../../../engine/model/records.ts";
import { recordFormats } from "../../../engine/model/records.ts";
import { writtenRecord } from "../../../engine/snapshots/check-record.ts";
import type { ProblemList } from "../../../engine/snapshots/problem.ts";
import type { WireRecords } from "../wire-records.ts";
import type { Mapping } from "./mapping.ts";

/**
 * The units of a snapshot with those of a mapping. A declared unit belongs to the category of its base unit; one that
 * the snapshot has as it is declares nothing.
 *
 * @param problems Receives units that the snapshot has otherwise, and base units that it does not have.
 */
export function withDeclaredUnits(
  known: readonly UnitCategoryRecord[],
  { units }: Pick<Mapping, "units">,
  mappingPath: string,
  problems: ProblemList,
): readonly UnitCategoryRecord[] {
  const added = new Map<string, UnitRecord[]>();
  const knownUnits = known.flatMap((category) => category.units);
  const report = (field: string, found: string, wanted: string): void =>
    problems.add({ file: basename(mappingPath), kind: "value", field, found, wanted });
  for (const [name, { base_unit: baseUnit, factor, abbreviation }] of Object.entries(units)) {
    const field = `units.${name}`;
    const category = known.find((candidate) => candidate.units.some((unit) => unit.baseUnit === baseUnit));
    const namesake = knownUnits.find((unit) => unit.name === name);
    if (category === undefined) {
      const bases = new Set(knownUnits.map((unit) => unit.baseUnit));
      report(`${field}.base_unit`, JSON.stringify(baseUnit), `one of ${[...bases].join(", ")}`);
    } else if (namesake === undefined) {
      const unit = { name, abbreviation: abbreviation ?? name, baseUnit, conversionFactor: factor };
      getOrInsert(added, category.category, () => []).push(unit);
    } else if (namesake.baseUnit !== baseUnit || namesake.conversionFactor !== factor) {
      const wanted = `${namesake.conversionFactor} ${namesake.baseUnit}, as in the current snapshot, or another name`;
      report(field, `${factor} ${baseUnit}`, wanted);
    }
  }
  return known.map((before) => ({ ...before, units: [...before.units, ...(added.get(before.category) ?? [])] }));
}

/**
 * The declared units that prices need, by category, as `append` adds them to those of the snapshot.
 *
 * @param categories The units of the snapshot.
 */
export function neededUnits(
  categories: readonly UnitCategoryRecord[],
  withDeclared: readonly UnitCategoryRecord[],
  used: ReadonlySet<string>,
): WireRecords["units"][] {
  const known = new Set(categories.flatMap(({ units }) => units.map(({ name }) => name)));
  return withDeclared.flatMap(({ category, units }) => {
    const needed = units.filter(({ name }) => used.has(name) && !known.has(name));
    if (needed.length === 0) return [];
    return writtenRecord(recordFormats.units, { category, units: needed }) as unknown as WireRecords["units"];
  });
}
