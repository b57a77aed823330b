/** Where the prices that warnings are about come from. */
import { stat } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Warning, WarningList } from "../../contract/publication-report.ts";
import type { Uuid } from "../../engine/model/ids.ts";
import type { PriceOrigin } from "../../engine/model/records.ts";
import { recordFormats } from "../../engine/model/records.ts";
import { checkRecord } from "../../engine/snapshots/check-record.ts";
import { type FoundLine, findLines } from "../../engine/snapshots/find-lines.ts";
import type { Manifest } from "../../engine/snapshots/manifest.ts";
import { type Problem, ProblemList } from "../../engine/snapshots/problem.ts";
import { listRecordFiles } from "../../engine/snapshots/read-candidate.ts";
import { originsNameOf, pricesDirectoryName, recordKindOf } from "../../engine/snapshots/snapshot-layout.ts";
import { PublicationRefusedError } from "./publish-problem.ts";

/** The origin that a line of a file of origins states; undefined where it is none. */
export function originOfLine({ record }: FoundLine): PriceOrigin | undefined {
  return checkRecord(recordFormats.origins, record).record;
}

/**
 * Does work that judges prices, and names the origins of those that its warnings are about.
 *
 * @param paths Record files to publish, and folders of these.
 * @param work Its errors are thrown on.
 */
export async function withGivenOrigins<T extends { readonly warnings: WarningList }>(
  paths: readonly string[],
  work: () => Promise<T>,
): Promise<T> {
  try {
    const done = await work();
    // What is done is done, whether or not the files can still be read.
    const warnings = await givenOrigins(paths)
      .then((files) => nameOrigins(done.warnings, files))
      .catch(() => done.warnings);
    return { ...done, warnings };
  } catch (error) {
    if (!(error instanceof PublicationRefusedError)) throw error;
    const { subject, list, warnings, rows } = error;
    const files = await givenOrigins(paths);
    throw new PublicationRefusedError(
      subject,
      await nameOrigins(list, files),
      await nameOrigins(warnings, files),
      rows,
    );
  }
}

async function givenOrigins(paths: readonly string[]): Promise<string[]> {
  const files: string[] = [];
  for (const path of paths) {
    const isFolder = (await stat(path)).isDirectory();
    const names = isFolder
      ? await listRecordFiles(path, new ProblemList())
      : [`${pricesDirectoryName}/${basename(path)}`];
    const origins = names.filter((name) => recordKindOf(name) === "origins");
    files.push(...origins.map((name) => (isFolder ? join(path, name) : path)));
  }
  return files;
}

/** The files of origins of a snapshot, those of its newest prices first. */
export function originsPaths(directory: string, { files }: Pick<Manifest, "files">): string[] {
  const names = new Set(files.flatMap(({ kind, name }) => (kind === "origins" ? name : [])));
  return files
    .filter(({ kind, name }) => kind === "prices" && names.has(originsNameOf(name)))
    .toSorted((a, b) => b.sequence - a.sequence)
    .map(({ name }) => join(directory, originsNameOf(name)));
}

/**
 * The same warnings, with the origins of their prices.
 *
 * @param files Files of origins; the first that has one counts.
 */
export async function nameOrigins<Kind extends string, Item extends Problem<Kind>>(
  list: ProblemList<Kind, Item>,
  files: readonly string[],
): Promise<ProblemList<Kind, Item>> {
  const priceOf = (problem: Item): Warning["price"] => (problem as Pick<Warning, "price">).price;
  const uuids = new Set(list.problems.flatMap((problem) => priceOf(problem)?.uuid ?? []));
  const origins = new Map<Uuid, PriceOrigin>();
  for (const file of files) {
    if (uuids.size === 0) break;
    for (const [uuid, line] of await findLines(file, uuids)) {
      const origin = originOfLine(line);
      if (origin === undefined) continue;
      origins.set(uuid, origin);
      uuids.delete(uuid);
    }
  }
  if (origins.size === 0) return list;
  return list.map((problem) => {
    const origin = origins.get(priceOf(problem)?.uuid as Uuid);
    return origin === undefined ? problem : { ...problem, origin };
  });
}
