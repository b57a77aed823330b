/** The parts that the service receives from other wings, for `startService`. */
import { entryFile } from "./engine/threads/entry-file.ts";
import { OriginFollower } from "./publishing/follow/follow-origin.ts";
import { openOrigin, type RemoteFolder } from "./publishing/transfer/origin.ts";
import type { Clock } from "./publishing/transfer/pace.ts";
import { transferFailures } from "./publishing/transfer/transfer-error.ts";
import type { CreateFollower } from "./service/serve/follower.ts";
import type { ServiceParts } from "./service/serve/start-service.ts";

export const serviceParts: ServiceParts = {
  serverThread: entryFile("./server-thread", import.meta.url),
  downloadsThread: entryFile("./downloads-thread", import.meta.url),
  cardsThread: entryFile("./cards-thread", import.meta.url),
  refusalReasons: transferFailures,
};

const changesThread = entryFile("./changes-thread", import.meta.url);

/** An origin to follow. */
export interface OriginOptions
  extends Pick<ConstructorParameters<typeof OriginFollower>[0], "publicKey" | "keep" | "pollMilliseconds"> {
  /** As it is written in the configuration. */
  readonly address: string;
  readonly folder: RemoteFolder;
  /** Measures how fast the origin sends; that of the process when absent. */
  readonly clock?: Clock;
}

/** Creates the follower of an origin. */
export function followerOf({ address, folder, clock, ...how }: OriginOptions): CreateFollower {
  return (host) => new OriginFollower({ ...how, ...host, changesThread, origin: openOrigin(address, folder, clock) });
}
