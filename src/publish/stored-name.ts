import { pricesDirectoryName } from "../dataset/snapshot-layout.ts";

/**
 * A name for a prices file in a snapshot: the one wanted, or, where that is taken, one with a number in the prices
 * folder.
 *
 * @param wanted The name of a prices file, as `recordKindOf` knows it.
 * @param taken Names of the snapshot. The name is added.
 */
export function takeStoredName(wanted: string, taken: Set<string>): string {
  const { stem, end } = /^(?:prices\/)?(?<stem>.*?)(?<end>\.ndjson(?:\.gz)?)$/.exec(wanted)?.groups ?? {};
  let name = wanted;
  for (let number = 2; taken.has(name); number++) name = `${pricesDirectoryName}/${stem}-${number}${end}`;
  taken.add(name);
  return name;
}
