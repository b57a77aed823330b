/** The values of one field, in the order of the records. */
export function valuesOf<Row, Name extends keyof Row>(rows: Iterable<Row>, name: Name): Row[Name][] {
  return Array.from(rows, (row) => row[name]);
}

/** The values of some fields of each record. */
export function tuplesOf<Row, Name extends keyof Row>(rows: Iterable<Row>, ...names: Name[]): Row[Name][][] {
  return Array.from(rows, (row) => names.map((name) => row[name]));
}
