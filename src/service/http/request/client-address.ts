/**
 * Finds the client of a request. `X-Forwarded-For` is believed only as far as trusted proxies have written it: its
 * entries are read from the right, each written by the proxy to the right of it, up to the first that no trusted proxy
 * has written.
 */
import type { IncomingMessage } from "node:http";
import { BlockList, isIP, isIPv6, type Socket } from "node:net";
import { LRUCache } from "lru-cache";
import { getOrInsert } from "../../../engine/model/get-or-insert.ts";

/**
 * Whose `X-Forwarded-For` is believed. `hops`: so many proxies stand between every client and this service, whatever
 * their addresses. `addresses`: proxies with these IP addresses, or in these networks (`10.0.0.0/8`).
 */
export type TrustedProxies = { readonly hops: number } | { readonly addresses: readonly string[] };

const hopsMax = 32;

/** Clients behind proxies that are remembered. */
const forwardedMax = 10_000;

const networksWanted = "or IP addresses and networks (10.0.0.0/8), separated by commas";
export const trustedProxiesWanted = `a number of proxies from 0 to ${hopsMax}, ${networksWanted}`;

/** @returns Undefined when the text is none, see `trustedProxiesWanted`. */
export function parseTrustedProxies(text: string): TrustedProxies | undefined {
  if (/^\d{1,2}$/.test(text)) return Number(text) <= hopsMax ? { hops: Number(text) } : undefined;
  const addresses = text.split(",").map((part) => part.trim());
  return addresses.every(isAddressOrNetwork) ? { addresses } : undefined;
}

function isAddressOrNetwork(text: string): boolean {
  const [address = "", prefix, ...more] = text.split("/");
  const version = isIP(address);
  // A zone, as in fe80::1%eth0, is no part of what is compared.
  if (version === 0 || address.includes("%") || more.length > 0) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128));
}

/** A client, identified by its address. */
export class Client {
  /** Undefined where the connection was closed before it could be read. */
  readonly address: string | undefined;
  #network: string | undefined;

  constructor(address: string | undefined) {
    this.address = address;
  }

  /** Limits count this as one client, see `networkOf`. */
  get network(): string {
    this.#network ??= networkOf(this.address ?? "");
    return this.#network;
  }
}

function clientAt({ remoteAddress }: Socket): Client {
  return new Client(remoteAddress);
}

/** The clients of a server. */
export class Clients {
  readonly #hops: number;
  readonly #trusted: BlockList | undefined;
  /** By the address of the connection; kept from its start, because a closed socket has no address. */
  readonly #peers = new WeakMap<Socket, Client>();

  /** By forwarded address, for what is computed of each client. */
  readonly #forwarded = new LRUCache<string, Client>({ max: forwardedMax });

  /** @param proxies None are trusted when absent. */
  constructor(proxies: TrustedProxies = { hops: 0 }) {
    this.#hops = "hops" in proxies ? proxies.hops : 0;
    if ("addresses" in proxies) this.#trusted = blockListOf(proxies.addresses);
  }

  /** The other end of a connection. */
  peerOf(socket: Socket): Client {
    return getOrInsert(this.#peers, socket, clientAt);
  }

  /** Returns whether the other end of a connection is a trusted proxy, so that its requests have many clients. */
  isProxy(socket: Socket): boolean {
    return this.#hops > 0 || this.#isTrusted(this.peerOf(socket).address);
  }

  /**
   * The client of a request: the other end of its connection, or behind a trusted proxy the last address in
   * `X-Forwarded-For` that is not one of a trusted proxy itself. An entry that is no IP address ends the search at the
   * proxy that has passed it on.
   */
  of({ socket, headers }: IncomingMessage): Client {
    const peer = this.peerOf(socket);
    const forwarded = headers["x-forwarded-for"] as string | undefined;
    if (forwarded === undefined || !this.isProxy(socket)) return peer;
    let { address } = peer;
    let end = forwarded.length;
    for (let hop = 1; end >= 0; hop++) {
      const comma = end === 0 ? -1 : forwarded.lastIndexOf(",", end - 1);
      const entry = forwarded.slice(comma + 1, end).trim();
      // A zone, as in fe80::1%eth0, means nothing on another machine.
      if (isIP(entry) === 0 || entry.includes("%")) break;
      address = entry;
      end = comma;
      if (this.#trusted === undefined ? hop >= this.#hops : !this.#isTrusted(entry)) break;
    }
    if (address === undefined) return peer;
    let client = this.#forwarded.get(address);
    if (client === undefined) {
      client = new Client(address);
      this.#forwarded.set(address, client);
    }
    return client;
  }

  #isTrusted(address: string | undefined): boolean {
    return this.#trusted !== undefined && address !== undefined && isListed(this.#trusted, address);
  }
}

/**
 * Node's list of addresses and networks, which compares IPv4 addresses also where they are mapped into IPv6.
 *
 * @param addresses A network has its length behind a slash.
 */
export function blockListOf(addresses: readonly string[]): BlockList {
  const list = new BlockList();
  for (const text of addresses) {
    const [address = "", prefix] = text.split("/");
    const family = isIPv6(address) ? "ipv6" : "ipv4";
    if (prefix === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(prefix), family);
  }
  return list;
}

/** Returns whether an address, whose zone does not count, is in a list. */
export function isListed(list: BlockList, address: string): boolean {
  return list.check(address.split("%")[0] as string, isIPv6(address) ? "ipv6" : "ipv4");
}

/**
 * An IPv4 address, also where it is mapped into IPv6, or the first four groups of an IPv6 address: a /64 is the least
 * that one customer of a provider gets.
 */
function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  if (!isIPv6(address)) return address;
  const [head = "", tail = ""] = (address.split("%")[0] as string).split("::");
  const groups = head === "" ? [] : head.split(":");
  const missing = address.includes("::") ? 8 - groups.length - (tail === "" ? 0 : tail.split(":").length) : 0;
  const all = [...groups, ...new Array<string>(missing).fill("0"), ...(tail === "" ? [] : tail.split(":"))];
  return all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":");
}
