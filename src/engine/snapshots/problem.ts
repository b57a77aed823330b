/** Problems of record files: a problem names file and line, what was found there and what was expected. */
import { type CountedName, counted } from "../model/counted.ts";
import { shortened } from "../model/text-lengths.ts";
import { visibleText } from "../model/visible-text.ts";
import type { FileKind } from "./snapshot-layout.ts";

/** Every kind of problem that reading record files finds, and the words that count problems of it. */
export const recordProblemNames = {
  file: ["file missing, unreadable or out of place", "files missing, unreadable or out of place"],
  manifest: ["fault in the manifest", "faults in the manifest"],
  checksum: ["file that differs from the manifest", "files that differ from the manifest"],
  compiled: ["fault in the compiled store", "faults in the compiled store"],
  line: ["broken line", "broken lines"],
  "missing-field": ["missing field", "missing fields"],
  "unknown-field": ["unknown field", "unknown fields"],
  value: ["invalid value", "invalid values"],
  duplicate: ["repeated identifier", "repeated identifiers"],
  reference: ["reference to nothing", "references to nothing"],
  unit: ["broken unit rule", "broken unit rules"],
  "recorded-late": ["price recorded after publication", "prices recorded after publication"],
} as const satisfies Readonly<Record<string, CountedName>>;

export type RecordProblemKind = keyof typeof recordProblemNames;

/** One fault at one position of a file. */
export interface Problem<Kind extends string = RecordProblemKind> {
  /**
   * Path inside the directory that was read, for example `prices/2026.ndjson`; of a file to append the path that was
   * given.
   */
  readonly file: string;
  /** Counted from 1; of a JSON file the line on which the record begins. */
  readonly line?: number;
  /** Field as it stands in the file, for example `location.latitude`. */
  readonly field?: string;
  /** The text or value there, ready to follow "is" (with a field) or "found" (without one). */
  readonly found: string;
  /** The text or value expected there, ready to follow "expected". */
  readonly wanted: string;
  readonly kind: Kind;
}

/** The file and line of a row or record. */
export type Place = Required<Pick<Problem, "file" | "line">>;

/** A fault of a piece of text or a value whose file and line the caller knows. */
export type Fault = Omit<Problem, "file" | "line">;

/** A fault of a field. */
export function fieldFault(kind: RecordProblemKind, field: string, found: string, wanted: string): Fault {
  return { kind, field, found, wanted };
}

/** Collects problems; a list of more kinds serves as well. */
export interface ProblemSink<Kind extends string = RecordProblemKind> {
  readonly add: (problem: Problem<Kind>) => void;
}

/** So many problems of one kind are listed for a person to read; the rest are counted. */
export const problemsPerKindMax = 20;

/** After so many problems reading ends: the rest of a badly broken file would take minutes and show nothing new. */
export const problemsReadMax = 10_000;

/** Greatest number of characters of a found value that a message shows whole. */
const foundCharactersMax = 80;

/**
 * Collects problems: the first 20 of each kind in full, the rest as counts, so that a badly broken file costs no
 * memory.
 */
export class ProblemList<Kind extends string = RecordProblemKind, Item extends Problem<Kind> = Problem<Kind>> {
  readonly #problems: Item[] = [];
  readonly #counts = new Map<Kind, number>();
  readonly #max: number;
  /** So many problems of one kind are of use in full; of more than these a count will do. */
  readonly perKindMax: number;
  #total = 0;
  #isCut = false;

  /**
   * @param max So many problems are taken; one more ends the work that finds them.
   * @param perKindMax So many of one kind are listed in full.
   */
  constructor(max: number = Number.POSITIVE_INFINITY, perKindMax: number = problemsPerKindMax) {
    this.#max = max;
    this.perKindMax = perKindMax;
  }

  /** The first of each kind, in order of arrival. */
  get problems(): readonly Item[] {
    return this.#problems;
  }

  /** Returns the number of problems of each kind, those not kept included. */
  get counts(): ReadonlyMap<Kind, number> {
    return this.#counts;
  }

  /** Returns the number of problems, those not kept included. */
  get total(): number {
    return this.#total;
  }

  /**
   * Returns whether the work was ended because there were too many problems: the counts cover what was read until then.
   */
  get isCut(): boolean {
    return this.#isCut;
  }

  /** Returns the number of problems that it still takes. */
  get room(): number {
    return this.#max - this.#total;
  }

  /** @throws {DatasetError} when the list has as many problems as it takes. */
  add(problem: Item): void {
    if (this.room < 1) this.cut();
    this.#total++;
    const count = this.#counts.get(problem.kind) ?? 0;
    this.#counts.set(problem.kind, count + 1);
    if (count < this.perKindMax) this.#problems.push(problem);
  }

  /**
   * Adds what another list has collected.
   *
   * @param counts Problems of each kind, those not among `problems` included.
   * @throws {DatasetError} when the list has no room for all of them.
   */
  addAll(problems: readonly Item[], counts: ReadonlyMap<Kind, number>): void {
    const rest = new Map(counts);
    for (const problem of problems) {
      this.add(problem);
      rest.set(problem.kind, (rest.get(problem.kind) ?? 0) - 1);
    }
    for (const [kind, count] of rest) if (count > 0) this.addCount(kind, count);
  }

  /** The same problems, of files in a folder. */
  within(folder: string): ProblemList<Kind, Item> {
    return this.map((problem) => ({ ...problem, file: `${folder}/${problem.file}` }));
  }

  /** The same problems in other words. @param change Keeps the kind. */
  map(change: (problem: Item) => Item): ProblemList<Kind, Item> {
    const list = new ProblemList<Kind, Item>(this.#max, this.perKindMax);
    list.addAll(this.#problems.map(change), this.#counts);
    list.#isCut = this.#isCut;
    return list;
  }

  /** Counts problems without their details; there are `perKindMax` of the kind already. */
  protected addCount(kind: Kind, count: number): void {
    const taken = Math.min(count, this.room);
    this.#total += taken;
    this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + taken);
    if (taken < count) this.cut();
  }

  /** Ends the work that finds problems. @throws {DatasetError} always. */
  cut(): never {
    this.#isCut = true;
    throw new DatasetError(`stopped after ${this.#total} problems`, this);
  }

  /**
   * Ends a check.
   *
   * @param subject The thing that was checked, for the message.
   * @param rows The part of each table that has been read.
   * @throws {DatasetError} when there is any problem.
   */
  throwIfAny(subject: string, rows?: RowsRead): void {
    if (this.#total > 0) throw new DatasetError(subject, this, rows);
  }
}

/** Rows of each table that was looked into. */
export type RowsRead = ReadonlyMap<FileKind, number>;

/** The records of a directory cannot be used. The message is one line; `list` holds every problem or its count. */
export class DatasetError extends Error {
  readonly list: ProblemList<string>;
  /** Rows read so far; undefined where it was not records that were read. */
  readonly rows: RowsRead | undefined;

  /** @param subject The thing that was read, for the message: a directory or a snapshot. */
  constructor(subject: string, list: ProblemList<string>, rows?: RowsRead) {
    const first = list.problems[0];
    const problems = counted(list.total, "problem");
    super(`${subject}: ${problems}${first === undefined ? "" : `, the first: ${problemText(first)}`}`);
    this.name = "DatasetError";
    this.list = list;
    this.rows = rows;
  }
}

/** One line: `prices.ndjson:812: "recorded_at" is "2026-13-01", expected an RFC 3339 time`. */
export function problemText(problem: Problem<string>): string {
  return problemTextAt(problem.line === undefined ? problem.file : `${problem.file}:${problem.line}`, problem);
}

/** As `problemText`, with another text for file and line. */
export function problemTextAt(location: string, problem: Problem<string>): string {
  return visibleText(`${location}: ${faultText(problem)}`);
}

/** As `problemText`, without file and line. */
export function faultText({ field, found, wanted }: Pick<Problem, "field" | "found" | "wanted">): string {
  return visibleText(`${field === undefined ? "found" : `${foundText(field)} is`} ${found}, expected ${wanted}`);
}

/** A name as a message shows it without quotes, cut where it grows long. */
export function foundName(name: string): string {
  return shortened(name, foundCharactersMax);
}

/** A value as a message shows it: its JSON text on one line, cut where it grows long. */
export function foundText(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length <= foundCharactersMax ? text : `${text.slice(0, foundCharactersMax)}…`;
}
