/** Names of headers that the service reads and the documents show. */

/** Names the snapshot that a request has to be answered from. */
export const snapshotHeader = "X-Snapshot-Id";
