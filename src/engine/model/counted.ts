/** `1 price`, `2 prices`: a number and what it counts. @param plural The singular and an s when absent. */
export function counted(count: number, singular: string, plural: string = `${singular}s`): string {
  return `${count} ${count === 1 ? singular : plural}`;
}

/** The name of what is counted: one of it, and several. */
export type CountedName = readonly [one: string, several: string];
