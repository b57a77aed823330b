/** The input record files, to be merged into the current snapshot: their names, kinds and manifest. */
import { stat } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import {
  checkManifestDraft,
  type Manifest,
  type ManifestDraft,
  readManifestJson,
} from "../../engine/snapshots/manifest.ts";
import { unpairedOriginsWanted } from "../../engine/snapshots/price-origins.ts";
import { foundText, type ProblemList } from "../../engine/snapshots/problem.ts";
import { listRecordFiles } from "../../engine/snapshots/read-candidate.ts";
import {
  decisionFileNames,
  isDecisionKind,
  manifestFileName,
  originsNameOf,
  pricesDirectoryName,
  pricesNameOf,
  recordKindOf,
} from "../../engine/snapshots/snapshot-layout.ts";

/** A record file to be merged. */
export interface InputFile {
  /** No two have the same. */
  readonly path: string;
  /**
   * The name of a record file; prices lie in the prices folder, the second file of one name with a number. Origins have
   * that of their prices file.
   */
  readonly name: string;
}

export interface InputFiles {
  readonly files: readonly InputFile[];
  /** The manifests of folders. */
  readonly drafts: readonly ManifestDraft[];
}

/**
 * Finds out what files are by their names.
 *
 * @param paths Files, and folders that stand for the record files in them.
 * @param problems Receives names that no record file can have, second files of a small table, files that are named
 *   twice, and origins without their prices file.
 */
export async function arrangeInput(paths: readonly string[], problems: ProblemList): Promise<InputFiles> {
  const { paths: all, drafts } = await listInput(paths, problems);
  const files: InputFile[] = [];
  const taken = new Set<string>();
  const seen = new Set<string>();
  for (const path of all) {
    const name = seen.has(path) ? reportRepeated(path, problems) : nameOfInput(path, taken, problems);
    seen.add(path);
    if (name !== undefined) files.push({ path, name });
  }
  const origins = [...seen].filter((path) => kindOfInput(path) === "origins");
  return { files: [...files, ...nameOrigins(origins, files, problems)], drafts };
}

/** The paths of files, those in folders too, and the manifests of the folders. */
async function listInput(
  input: readonly string[],
  problems: ProblemList,
): Promise<{ readonly paths: readonly string[]; readonly drafts: readonly ManifestDraft[] }> {
  const paths: string[] = [];
  const drafts: ManifestDraft[] = [];
  for (const path of input) {
    if (!(await stat(path)).isDirectory()) {
      paths.push(path);
      continue;
    }
    const { names, draft } = await listInputFolder(path, problems);
    drafts.push(draft);
    paths.push(...names.map((name) => join(path, name)));
  }
  return { paths, drafts };
}

type InputKind = "table" | "prices" | "origins" | "decisions";

/** Returns the kind that a file has by its name; undefined where no record file can have that. */
function kindOfInput(path: string): InputKind | undefined {
  const kind = recordKindOf(basename(path)) ?? "prices";
  if (isDecisionKind(kind)) return "decisions";
  if (kind !== "prices" && kind !== "origins") return "table";
  const kindBesidePrices = recordKindOf(pricesNameOfInput(path));
  return kindBesidePrices === "prices" || kindBesidePrices === "origins" ? kindBesidePrices : undefined;
}

function pricesNameOfInput(path: string): string {
  return `${pricesDirectoryName}/${basename(path)}`;
}

/**
 * Returns the name of a small table or of prices; undefined for other files.
 *
 * @param taken The names before. The name is added.
 */
function nameOfInput(path: string, taken: Set<string>, problems: ProblemList): string | undefined {
  const name = basename(path);
  switch (kindOfInput(path)) {
    case "prices":
      return takeStoredName(pricesNameOfInput(path), taken);
    case "table":
      if (taken.has(name)) {
        problems.add({ file: path, kind: "file", found: `a second ${name}`, wanted: "one" });
        return undefined;
      }
      taken.add(name);
      return name;
    case "decisions":
      reportDecisions(path, problems);
      return undefined;
    case "origins":
      return undefined;
  }
  const found = "a name that no record file can have";
  const wanted = "the name of a small table, or letters, digits, '.', '_' or '-', then .ndjson or .ndjson.gz";
  problems.add({ file: path, kind: "file", found, wanted });
  return undefined;
}

/** Names origins after their prices files. @param files Prices files, among others. */
function nameOrigins(
  paths: readonly string[],
  files: readonly InputFile[],
  problems: ProblemList,
): readonly InputFile[] {
  const nameByPath = new Map(files.map(({ path, name }) => [resolve(path), name]));
  return paths.flatMap((path) => {
    const pricesName = nameByPath.get(resolve(pricesNameOf(path)));
    if (pricesName !== undefined) return [{ path, name: originsNameOf(pricesName) }];
    const wanted = unpairedOriginsWanted(path);
    problems.add({ file: path, kind: "file", found: "origins of no prices file", wanted });
    return [];
  });
}

function reportRepeated(file: string, problems: ProblemList): undefined {
  problems.add({ file, kind: "file", found: "this file a second time", wanted: "it once" });
}

/** Decisions belong to a snapshot as a whole: what is merged into one brings none. */
function reportDecisions(file: string, problems: ProblemList): void {
  const wanted = "record files; prices are decided on by withdraw, reinstate and accept-price";
  problems.add({ file, kind: "file", found: "decisions on prices", wanted });
}

/**
 * The input record files of a folder, and what its manifest says.
 *
 * @param problems Receives names outside the layout, and files of decisions. A copy of a snapshot is refused.
 */
export async function listInputFolder(
  directory: string,
  problems: ProblemList,
): Promise<{ readonly names: readonly string[]; readonly draft: ManifestDraft }> {
  const names = await listRecordFiles(directory, problems);
  const hasManifest = names.includes(manifestFileName);
  let manifest = (hasManifest ? await readManifestJson(directory, problems) : undefined) ?? {};
  if ("files" in manifest) {
    const wanted = "record files, which no manifest lists";
    problems.add({ file: manifestFileName, kind: "manifest", found: "a copy of a snapshot", wanted });
    manifest = {};
  }
  const isDecisions = (name: string): boolean => (Object.values(decisionFileNames) as readonly string[]).includes(name);
  for (const name of names.filter(isDecisions)) reportDecisions(name, problems);
  return {
    names: names.filter((name) => name !== manifestFileName && !isDecisions(name)),
    draft: checkManifestDraft(manifest, problems),
  };
}

/**
 * Describes the next snapshot: attributions, details and periods of sources are added, the time zone stays.
 */
export type MergedHeader = Pick<Manifest, "timeZone" | "note" | "attribution" | "sources" | "periods">;

/**
 * Merges what the manifests of the input files say with what that of the current snapshot says.
 *
 * @param note In place of the notes of the files.
 * @param problems Receives another time zone than that of the current snapshot.
 */
export function mergeHeader(
  current: Manifest,
  drafts: readonly ManifestDraft[],
  note: string | undefined,
  problems: ProblemList,
): MergedHeader {
  const { timeZone } = current;
  for (const draft of drafts) {
    if (draft.timeZone === null || draft.timeZone === timeZone) continue;
    const wanted = `${foundText(timeZone)}, as in the current snapshot`;
    const found = foundText(draft.timeZone);
    problems.add({ file: manifestFileName, kind: "manifest", field: "time_zone", found, wanted });
  }
  return {
    timeZone,
    note: note ?? drafts.find((draft) => draft.note !== null)?.note ?? null,
    attribution: [...new Set([...current.attribution, ...drafts.flatMap(({ attribution }) => attribution ?? [])])],
    periods: Object.assign({}, current.periods, ...drafts.map(({ periods }) => periods)),
    sources: Object.assign({}, current.sources, ...drafts.map(({ sources }) => sources)),
  };
}

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
