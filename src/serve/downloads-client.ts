/** A server thread's side of making downloads: the supervisor has the maker, so that there is one for all threads. */
import type { SnapshotId } from "../dataset/snapshot-layout.ts";
import type { DownloadsProgress } from "./downloads-maker.ts";

export class DownloadsClient {
  readonly #post: (wanted: SnapshotId | undefined) => void;
  /** In the order of the requests, in which the supervisor answers. */
  readonly #pending: ((progress: readonly DownloadsProgress[]) => void)[] = [];

  /** @param post Sends a request to the supervisor. */
  constructor(post: (wanted: SnapshotId | undefined) => void) {
    this.#post = post;
  }

  /** As `request` of `DownloadsMaker`. */
  request(wanted: SnapshotId | undefined): Promise<readonly DownloadsProgress[]> {
    const { promise, resolve } = Promise.withResolvers<readonly DownloadsProgress[]>();
    this.#pending.push(resolve);
    this.#post(wanted);
    return promise;
  }

  /** Passes on the supervisor's answer to the oldest request. */
  receive(progress: readonly DownloadsProgress[]): void {
    this.#pending.shift()?.(progress);
  }
}
