/** Request targets as log lines hold them. */

import { loggedTargetCharactersMax } from "../../../contract/limits.ts";
import { maskSecrets } from "../../../contract/mask-secrets.ts";

/** A request target as it may be logged: without secrets, and cut to `loggedTargetCharactersMax`. */
export function maskTarget(target: string): string {
  const masked = maskSecrets(target);
  return masked.length <= loggedTargetCharactersMax ? masked : `${masked.slice(0, loggedTargetCharactersMax)}…`;
}
