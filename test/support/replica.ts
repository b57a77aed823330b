/** Services that follow an origin, and their publisher. */

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Test } from "tap";
import type { SnapshotId } from "../../src/engine/snapshots/snapshot-layout.ts";
import { remoteFolder } from "../../src/publishing/transfer/origin.ts";
import type { Clock } from "../../src/publishing/transfer/pace.ts";
import { parsePublicKey } from "../../src/publishing/transfer/publisher-key.ts";
import type { Service, ServiceOptions } from "../../src/service/serve/start-service.ts";
import { followerOf } from "../../src/service-parts.ts";
import { type FolderOrigin, startFolderOrigin } from "./folder-origin.ts";
import { publishedData } from "./published-data.ts";
import { holdsWithin } from "./start-process.ts";
import { type PreparedService, prepareService } from "./start-threads.ts";

const retryTimes = { first: 50, max: 100 };

/** A service over `data` in a folder, which is made, that follows an origin and polls often. */
export function prepareReplica(
  folder: string,
  { url: address }: Pick<FolderOrigin, "url">,
  overrides: Partial<ServiceOptions> = {},
  publicKey: string | null = null,
  clock?: Clock,
): PreparedService {
  mkdirSync(join(folder, "data"), { recursive: true });
  const remote = remoteFolder(address, undefined);
  if (remote === undefined) throw new Error(`${address} is no address`);
  const key = publicKey === null ? null : (parsePublicKey(publicKey) ?? null);
  return prepareService(folder, {
    createFollower: followerOf({
      ...{ address, folder: remote, publicKey: key, pollMilliseconds: 25, keep: 2 },
      ...(clock && { clock }),
    }),
    ...{ retryTimes, pollMilliseconds: 20 },
    ...overrides,
  });
}

/** What the tests read of `/ready`. */
interface Ready {
  readonly status: string;
  readonly snapshot: string;
  readonly pin: { readonly id: string; readonly reason: string | null } | null;
  readonly follows: {
    readonly taken_over: { readonly sequence: number } | null;
    readonly error: string | null;
    readonly stale_announcements: number;
  };
}

export async function readyOf({ adminUrl }: Service): Promise<Ready> {
  return (await (await fetch(`${adminUrl}/ready`)).json()) as Ready;
}

/** Whether a service comes to serve a snapshot. */
export async function serves(service: Service, id: string): Promise<boolean> {
  return await holdsWithin(30_000, async () => (await readyOf(service)).snapshot === id);
}

/** The value of a line of `/metrics`, by its name and labels. */
export async function metric(service: Service, line: string): Promise<number> {
  const text = await (await fetch(`${service.adminUrl}/metrics`)).text();
  const found = text.split("\n").find((one) => one.startsWith(`${line} `));
  return Number(found?.slice(line.length + 1));
}

interface Publisher {
  /** The folder of its dataset directory. */
  readonly root: string;
  readonly data: string;
  readonly ids: readonly SnapshotId[];
  readonly origin: FolderOrigin;
  /** Is not there yet. */
  readonly folder: string;
}

/** A publisher with two snapshots, its server, and an empty folder for a replica. */
export async function publisher(t: Test): Promise<Publisher> {
  const root = t.testdir();
  const { data, ids } = await publishedData(join(root, "publisher"), 2);
  return {
    root: join(root, "publisher"),
    data,
    ids,
    origin: await startFolderOrigin(t, data),
    folder: join(root, "replica"),
  };
}
