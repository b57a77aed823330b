/**
 * A service of several threads in the test's process: requests on connections of their own, and its first public key.
 */
import { once } from "node:events";
import { Agent, request } from "node:http";
import type { IssuedKey } from "../../src/service/auth/keys-file.ts";
import type { PreparedService } from "./start-threads.ts";

/** The status with a key on a connection of its own, which any thread may get; 0 without an answer. */
export async function statusWith(baseUrl: string, key: string): Promise<number> {
  const outgoing = request(`${baseUrl}/api/v1/counties`, { agent: new Agent(), headers: { "X-API-Key": key } }).end();
  try {
    const [incoming] = await once(outgoing, "response");
    await once(incoming.resume(), "end");
    return incoming.statusCode;
  } catch {
    return 0;
  }
}

/** The public key that the start has made and shown. */
export function shownPublicKey({ shown }: PreparedService): IssuedKey {
  const issued = shown[0]?.keys.public;
  if (issued === undefined) throw new Error("no key was shown");
  return issued;
}
