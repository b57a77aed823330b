/**
 * Decides which requests the admin port accepts. It needs no key, so a web page in an operator's browser could use it:
 * across sites, or through a name that resolves to this machine (DNS rebinding). A browser says where a request goes
 * (`Host`) and which page sends it (`Origin`, `Sec-Fetch-Site`); both must be the admin port's own.
 */
import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import { excerptOf } from "../../contract/errors.ts";
import { adminConnectionsMax } from "../../contract/limits.ts";
import { ConnectionCounts, createConnectionMemory } from "../http/connection/connection-counts.ts";
import { blockListOf, isListed } from "../http/request/client-address.ts";

/** A request that is refused, as its answer says it. */
export interface AdminRefusal {
  readonly status: 400 | 403;
  /** Says what was found and what was expected. */
  readonly message: string;
}

/** The refusal of a request; undefined where it is accepted. */
export type AdminAccess = (request: IncomingMessage) => AdminRefusal | undefined;

/** Addresses that stand for every address of the machine. */
const wildcards = blockListOf(["0.0.0.0", "::"]);

/**
 * Accepts as `Host`, with any port: `localhost` and names below it, loopback addresses, ADMIN_HOST, and ADMIN_NAMES.
 * With an ADMIN_HOST that stands for every address, any literal address too: it cannot be rebound, because no name is
 * resolved for it, and behind a forwarded port the service cannot know which addresses lead to it.
 *
 * @param adminHost A name or an address, without brackets.
 * @param adminNames Names or addresses as `parseAdminNames` returns them.
 */
export function adminAccess(adminHost: string, adminNames: readonly string[]): AdminAccess {
  const hosts = [adminHost, ...adminNames].map(canonicalHost);
  const names = new Set(["localhost", ...hosts.filter((host) => isIP(host) === 0)]);
  const addresses = blockListOf(["127.0.0.0/8", "::1", ...hosts.filter((host) => isIP(host) !== 0)]);
  const acceptsEveryAddress = isIP(adminHost) !== 0 && isListed(wildcards, adminHost);
  const wanted = `localhost, a loopback address, ADMIN_HOST or one of ADMIN_NAMES`;

  return (request) => {
    const { headersDistinct, httpVersion } = request;
    const sent = headersDistinct["host"] ?? [];
    // Before HTTP/1.1 there was no Host, and health checks still go without; every browser sends one.
    if (sent.length !== 1 && (sent.length > 0 || httpVersion !== "1.0")) {
      return { status: 400, message: `found ${sent.length} Host headers, expected one` };
    }
    const [authority = ""] = sent;
    if (sent.length === 1 && !isAccepted(hostOf(authority))) return refused("Host", authority, wanted);
    return refusedPage(request, authority);
  };

  function isAccepted(host: string | undefined): boolean {
    if (host === undefined) return false;
    if (isIP(host) !== 0) return acceptsEveryAddress || isListed(addresses, host);
    // RFC 6761, section 6.3: names below localhost are loopback as well.
    return names.has(host) || host.endsWith(".localhost");
  }
}

/**
 * The value of ADMIN_NAMES: names or addresses separated by commas, without ports.
 *
 * @returns The names, or undefined when one of them is neither a name nor an address.
 */
export function parseAdminNames(text: string): readonly string[] | undefined {
  if (text === "") return [];
  const names = text.split(",").map((name) => name.trim());
  return names.every((name) => isIP(name) !== 0 || isHostName(name)) ? names : undefined;
}

/**
 * Only pages of the admin port itself may send; what sends no such header is no browser, or an address typed into one.
 */
function refusedPage({ headers }: IncomingMessage, authority: string): AdminRefusal | undefined {
  const { origin } = headers;
  const own = authority.toLowerCase();
  if (origin !== undefined && ![`http://${own}`, `https://${own}`].includes(origin.toLowerCase())) {
    return refused("Origin", origin, authority === "" ? "none" : `http://${authority} or none`);
  }
  const site = headers["sec-fetch-site"];
  if (site === undefined || site === "same-origin" || site === "none") return undefined;
  return refused("Sec-Fetch-Site", String(site), "same-origin or none");
}

function refused(header: string, found: string, wanted: string): AdminRefusal {
  return { status: 403, message: `${header} is ${JSON.stringify(excerptOf(found))}, expected ${wanted}` };
}

/** The host of a `Host` header in its canonical form, undefined when it is malformed. */
function hostOf(authority: string): string | undefined {
  const match = /^(?:\[([^[\]]+)\]|([^:[\]]+))(?::\d{0,5})?$/.exec(authority);
  const [, bracketed = "", plain = ""] = match ?? [];
  if (bracketed !== "") return isIP(bracketed) === 6 ? canonicalHost(bracketed) : undefined;
  const host = canonicalHost(plain);
  return isIP(host) === 4 || isHostName(host) ? host : undefined;
}

/** Names without case and without the dot of the root, addresses without their zone, which means nothing elsewhere. */
function canonicalHost(host: string): string {
  const lower = host.toLowerCase();
  return isIP(lower) === 6 ? lower.replace(/%.*/, "") : lower.replace(/\.$/, "");
}

/**
 * As DNS takes them, with the underscores of container names. Digits alone would be another way to write an address.
 */
function isHostName(name: string): boolean {
  return (
    name.length <= 253 &&
    /^[a-z\d_](?:[a-z\d_-]{0,61}[a-z\d_])?(?:\.[a-z\d_](?:[a-z\d_-]{0,61}[a-z\d_])?)*\.?$/i.test(name) &&
    !/(?:^|\.)(?:\d+|0x[\da-f]*)\.?$/i.test(name)
  );
}

/** The connections of a port that this machine alone reaches. */
export function loopbackConnections(): ConnectionCounts {
  const limit = { total: adminConnectionsMax, perAddress: adminConnectionsMax };
  return new ConnectionCounts(createConnectionMemory(0), limit, 0);
}
