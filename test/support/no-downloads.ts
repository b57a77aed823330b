import type { Downloads } from "../../src/contract/downloads.ts";

/** A service whose snapshots have no downloads, for tests without them. */
export const noDownloads: Downloads = {
  list: async () => [],
  open: async () => undefined,
};
