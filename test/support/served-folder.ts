/** A service over a folder that a test spoils: what it answers, what its admin port says, and what a reload answers. */
import { join } from "node:path";
import type { Test } from "tap";
import type { Service, ServiceOptions } from "../../src/service/serve/start-service.ts";
import { signedHeaders } from "./signed-request.ts";
import { folderWithData } from "./start-process.ts";
import { type PreparedService, prepareService, startPrepared } from "./start-threads.ts";
import { plantSnapshot } from "./watch-swaps.ts";

export interface ServedFolder {
  /** The dataset directory. */
  readonly data: string;
  readonly prepared: PreparedService;
  readonly service: Service;
  /** What POST /reload answers. */
  reload(): Promise<{ readonly status: number; readonly body: unknown }>;
  /** What is answered from: the id, null without one, and how many prices a search finds. */
  served(): Promise<{ readonly status: number; readonly id: string | null; readonly prices: number }>;
  /** What the admin port answers under a path. */
  reported(path: string): Promise<Record<string, unknown>>;
}

/** Starts a service over a folder in which `data` is the dataset directory; it ends with the test. */
export async function serveFolder(
  t: Test,
  folder: string,
  options: Partial<ServiceOptions> = {},
): Promise<ServedFolder> {
  const prepared = prepareService(folder, options);
  const service = await startPrepared(t, prepared);
  const key = prepared.shown[0]?.keys.secret.key ?? "";
  const search = { method: "POST", path: "/api/v1/prices/search", body: '{"page_size":1}' };
  return {
    data: join(folder, "data"),
    prepared,
    service,
    async reload() {
      const response = await fetch(`${service.adminUrl}/reload`, { method: "POST" });
      return { status: response.status, body: await response.json() };
    },
    async served() {
      const headers = { ...signedHeaders({ ...search, key }), "Content-Type": "application/json" };
      const response = await fetch(service.baseUrl + search.path, { ...search, headers });
      const { meta } = (await response.json()) as { meta?: { total: number } };
      return { status: response.status, id: response.headers.get("X-Snapshot-Id"), prices: meta?.total ?? -1 };
    },
    async reported(path) {
      return (await (await fetch(service.adminUrl + path)).json()) as Record<string, unknown>;
    },
  };
}

/** Starts a service of two threads over two planted snapshots: the first is served, the second may be. */
export async function serveFirstOfTwo(
  t: Test,
  options: Partial<ServiceOptions> = {},
): Promise<ServedFolder & { readonly ids: readonly [string, string] }> {
  const folder = await folderWithData(t);
  const second = await plantSnapshot(join(folder, "data"), 2);
  const first = await plantSnapshot(join(folder, "data"), 1);
  return { ...(await serveFolder(t, folder, { threadCount: 2, ...options })), ids: [first, second] };
}
