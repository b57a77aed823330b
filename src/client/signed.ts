/**
 * The entry of the package for secret keys, which sign every request. A module of its own that needs Node.js, and that
 * the package keeps from bundlers for browsers, so that none ships a secret key by accident.
 */
import { createHmac } from "node:crypto";
import { type Client, createClient, operationIds } from "./client.ts";
import type { OperationId } from "./operation-types.ts";
import type { ClientOptions } from "./send-request.ts";

/** A client for all that the service answers. */
export type SignedClient = Client<OperationId>;

export interface SignedClientOptions extends ClientOptions {
  /** The clock, in milliseconds since 1970-01-01T00:00:00Z; that of the machine when absent. */
  readonly now?: () => number;
}

/**
 * Makes a client for a secret key.
 *
 * @throws {TypeError} When the key is not a secret one, or the base URL no origin.
 */
export function createSignedClient({ now = Date.now, ...options }: SignedClientOptions): SignedClient {
  const { apiKey } = options;
  if (!apiKey.startsWith("svc_sec_"))
    throw new TypeError("apiKey does not begin with svc_sec_, expected a secret key.");
  return createClient(options, operationIds, ({ method, target, body }) => {
    const timestamp = String(Math.floor(now() / 1000));
    const signature = createHmac("sha256", apiKey).update(`${method}|${target}|${timestamp}|${body}`).digest("hex");
    return { "X-Signature": signature, "X-Signature-Timestamp": timestamp };
  });
}
