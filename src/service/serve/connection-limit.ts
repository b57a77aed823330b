/** Number of connections that the process may have, from the files that the system lets it open. */
import { readFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { adminConnectionsMax, connectionsDefaultMax } from "../../contract/limits.ts";
import { ForeseenError } from "../../engine/model/foreseen-error.ts";
import { admissionLimits } from "../http/admission/admission.ts";
import type { ConnectionLimit } from "../http/connection/connection-counts.ts";
import { readingsMax } from "./published-snapshots.ts";

/** The limit of open files leaves too few connections, or fewer than configured; the message says what to change. */
export class ConnectionLimitError extends ForeseenError {}

/** Descriptors of the process itself, and of each thread, as counted in /proc/self/fd on Node 26. */
const processDescriptors = 25;
const threadDescriptors = 8;

/** Record files, compiled stores, keys, the log, and sockets that are being accepted or closed. */
const fileDescriptors = 16;

/** Files that each thread reads at a time: manifests, metadata and changes. */
const listDescriptors = 3 * readingsMax;

/** Fewer connections than this are no service. */
export const connectionsMin = 8;

/** An address may have this fraction of all connections by default: one in four. */
const addressShare = 4;

/** The limits where nothing else is known. */
export const defaultConnections: ConnectionLimit = {
  total: connectionsDefaultMax,
  perAddress: connectionsDefaultMax / addressShare,
};

export interface WantedConnections {
  /** MAX_CONNECTIONS; undefined takes what the system allows, up to a default. */
  readonly connectionsMax: number | undefined;
  /** MAX_CONNECTIONS_PER_ADDRESS; undefined takes a quarter of all. */
  readonly connectionsPerAddressMax: number | undefined;
  readonly threadCount: number;
}

/**
 * The limits on connections: below the limit of open files, with a reserve for the admin port, threads, files, and
 * downloads that are on their way.
 *
 * @param descriptorsMax Files that the process may open; undefined where the system does not say.
 * @throws {ConnectionLimitError} when the reserve leaves too few.
 */
export function connectionLimit(
  { connectionsMax, connectionsPerAddressMax, threadCount }: WantedConnections,
  descriptorsMax: number | undefined,
): ConnectionLimit {
  // A load has a thread of its own, and one for each core that reads.
  const threads = threadCount + 1 + availableParallelism();
  // The supervisor has lists of its own, and the admin port downloads of its own.
  const lists = (threadCount + 1) * listDescriptors;
  const admin = 2 * adminConnectionsMax;
  const reserve = processDescriptors + threads * threadDescriptors + admin + lists + fileDescriptors;
  const allowed = descriptorsMax === undefined ? Number.POSITIVE_INFINITY : descriptorsMax - reserve;
  // Each thread has at least one.
  const wanted = Math.max(connectionsMax ?? connectionsMin, threadCount);
  // Downloads on their way to the public port: each has a file open, and its connection.
  const { answers, keylessAnswers } = admissionLimits(threadCount);
  const downloadsMax = threadCount * (answers.total + keylessAnswers.total);
  const downloads = Math.min(downloadsMax, wanted);
  if (allowed < wanted + downloads) {
    const others = reserve + downloads;
    throw new ConnectionLimitError(
      `the process may open ${descriptorsMax} files, expected at least ${others + wanted}: ${wanted} connections ` +
        `(MAX_CONNECTIONS) and ${others} for threads, files, downloads and the admin port; raise the limit (ulimit -n)`,
    );
  }
  const most = Math.max(allowed - downloadsMax, Math.min(downloadsMax, Math.floor(allowed / 2)));
  const total = connectionsMax ?? Math.min(most, defaultConnections.total);
  return { total, perAddress: connectionsPerAddressMax ?? Math.ceil(total / addressShare) };
}

/** Files that this process may open; undefined where the system does not say. */
export async function readDescriptorLimit(): Promise<number | undefined> {
  const limits = await readFile("/proc/self/limits", "utf8").catch(() => "");
  const soft = /^Max open files\s+(\d+)\s/m.exec(limits)?.[1];
  return soft === undefined ? undefined : Number(soft);
}
