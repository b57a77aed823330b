/** The client for public keys. It runs in browsers and in Node.js, and imports nothing but the files beside it. */
import { type Client, createClient, operationIds } from "./client.ts";
import { operationTable } from "./generated-api.ts";
import type { PublicOperationId } from "./operation-types.ts";
import type { ClientOptions } from "./send-request.ts";

/** A client for what a public key opens, by itself or where the operator has opened it. */
export type PublicClient = Client<PublicOperationId>;

/**
 * Makes a client for a public key.
 *
 * @throws {TypeError} When the key is not a public one, or the base URL no origin.
 */
export function createPublicClient(options: ClientOptions): PublicClient {
  // The key is not quoted: it may be a secret one.
  if (!options.apiKey.startsWith("svc_pub_")) {
    throw new TypeError(
      "apiKey does not begin with svc_pub_, expected a public key; createSignedClient takes secret ones.",
    );
  }
  const ids = operationIds.filter((id): id is PublicOperationId => operationTable[id].access !== "secret");
  return createClient(options, ids, () => ({}));
}
