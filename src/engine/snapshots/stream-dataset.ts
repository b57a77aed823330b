/** A published snapshot in parts, for programs that hand its prices on and keep none of them in memory. */
import type { Dataset } from "../model/dataset.ts";
import { checkLinks } from "./check-links.ts";
import { checkWithheld, recordedAtMax, snapshotIdentity, toListedFile } from "./load-dataset.ts";
import type { Manifest } from "./manifest.ts";
import { readDecisions } from "./price-decisions.ts";
import { type PriceStream, type StreamedRows, streamPrices } from "./prices/stream-prices.ts";
import { ProblemList } from "./problem.ts";
import { readTables, recordsOfTables } from "./read-tables.ts";
import type { RecordFile } from "./record-file.ts";
import { type DecisionKind, isDecisionKind } from "./snapshot-layout.ts";
import { type BytesObserver, ReadingCounter, storedBytes } from "./stored-file.ts";

/** Takes a part: all small tables, and some of the prices, which are gone once its promise has been fulfilled. */
export type PartTaker = (part: Dataset) => Promise<void>;

export interface StreamOptions extends Pick<PriceStream, "partRows" | "pieceBytes"> {
  readonly onBytes?: BytesObserver | undefined;
}

/**
 * Reads a snapshot once and hands its prices on, part by part: each price as the last file that has it says, without
 * those withdrawn. Every file is compared with its manifest, but a price is handed on before the end of its file is
 * reached: use what came only if nothing is thrown.
 *
 * @throws {DatasetError} with the first problems found.
 */
export async function streamManifestPrices(
  directory: string,
  manifest: Manifest,
  onPart: PartTaker,
  { onBytes, ...sizes }: StreamOptions = {},
): Promise<StreamedRows> {
  const files = manifest.files.filter(({ kind }) => kind !== "origins").map(toListedFile);
  const problems = new ProblemList();
  const counter = new ReadingCounter(onBytes);
  const reading = { directory, problems, counter };
  counter.expect(await storedBytes(directory, files));
  const tables = await readTables(reading, files);
  checkLinks(tables, problems);
  const decisionFiles = files.filter((file): file is RecordFile<DecisionKind> => isDecisionKind(file.kind));
  const { withdrawals } = await readDecisions(reading, decisionFiles);
  problems.throwIfAny(directory, counter.rows);
  const small = { snapshot: snapshotIdentity(manifest), ...recordsOfTables(tables), accepted: [] };
  const streamed = await streamPrices({
    ...reading,
    ...sizes,
    tables,
    withdrawals,
    files: files.filter((file) => file.kind === "prices"),
    recordedAtMax: recordedAtMax(manifest.createdAt),
    onPart: (prices) => onPart({ ...small, prices }),
  });
  checkWithheld(decisionFiles, streamed.withheld, problems);
  problems.throwIfAny(directory, counter.rows);
  return streamed;
}
