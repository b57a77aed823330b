/** The parts that the service receives from other wings, for `startService`. */
import { OriginFollower } from "./publishing/follow/follow-origin.ts";
import { openOrigin, type RemoteFolder } from "./publishing/transfer/origin.ts";
import type { Clock } from "./publishing/transfer/pace.ts";
import { transferFailures } from "./publishing/transfer/transfer-error.ts";
import type { CreateFollower } from "./service/serve/follower.ts";
import type { ServiceParts } from "./service/serve/start-service.ts";

export const serviceParts: ServiceParts = {
  serverThread: new URL("./server-thread.ts", import.meta.url),
  downloadsThread: new URL("./downloads-thread.ts", import.meta.url),
  cardsThread: new URL("./cards-thread.ts", import.meta.url),
  refusalReasons: transferFailures,
};

const changesThread = new URL("./changes-thread.ts", import.meta.url);

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
