import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import t from "tap";
import { Clients, parseTrustedProxies, type TrustedProxies } from "../../../src/service/http/request/client-address.ts";

function clientOf(proxies: TrustedProxies | undefined, remoteAddress: string, forwarded?: string): string | undefined {
  const socket = { remoteAddress } as Socket;
  const headers = forwarded === undefined ? {} : { "x-forwarded-for": forwarded };
  return new Clients(proxies).of({ socket, headers } as unknown as IncomingMessage).address;
}

t.test("without a trusted proxy no one's word is taken", async (t) => {
  for (const proxies of [undefined, { hops: 0 }, { addresses: ["10.0.0.0/8", "::1"] }]) {
    t.equal(clientOf(proxies, "192.0.2.1", "203.0.113.9"), "192.0.2.1");
  }
});

t.test("behind so many proxies the client is so many entries from the right", async (t) => {
  const list = "198.51.100.66, 203.0.113.9,10.0.0.2";
  t.equal(clientOf({ hops: 1 }, "10.0.0.1", list), "10.0.0.2");
  t.equal(clientOf({ hops: 2 }, "10.0.0.1", list), "203.0.113.9");
  t.equal(clientOf({ hops: 3 }, "10.0.0.1", list), "198.51.100.66");
  t.equal(clientOf({ hops: 9 }, "10.0.0.1", list), "198.51.100.66", "a list that is too short");
  t.equal(clientOf({ hops: 2 }, "10.0.0.1"), "10.0.0.1");
  t.equal(clientOf({ hops: 1 }, "10.0.0.1", "2001:db8::7"), "2001:db8::7");
});

t.test("behind proxies with known addresses the client is the last that is none of them", async (t) => {
  const proxies = { addresses: ["10.0.0.0/8", "fd00::/16", "192.0.2.7"] };
  t.equal(clientOf(proxies, "10.0.0.1", "198.51.100.66, 203.0.113.9, 10.0.0.2"), "203.0.113.9");
  t.equal(clientOf(proxies, "::ffff:10.0.0.1", "203.0.113.9"), "203.0.113.9", "IPv4 mapped into IPv6");
  t.equal(clientOf(proxies, "fd00::5", "203.0.113.9,192.0.2.7"), "203.0.113.9");
  t.equal(clientOf(proxies, "10.0.0.1", "10.0.0.3,10.0.0.2"), "10.0.0.3", "one inside");
});

t.test("an entry that is no address ends the search at the proxy that passed it on", async (t) => {
  const proxies = { addresses: ["10.0.0.0/8"] };
  for (const entry of ["unknown", "", " ", "203.0.113.9:443", "[2001:db8::1]", "fe80::1%eth0", '"; drop', "1.2.3"]) {
    t.equal(clientOf(proxies, "10.0.0.1", entry), "10.0.0.1", entry);
    t.equal(clientOf(proxies, "10.0.0.1", `203.0.113.9, ${entry}, 10.0.0.2`), "10.0.0.2", entry);
    t.equal(clientOf({ hops: 3 }, "10.0.0.1", `${entry}, 10.0.0.2`), "10.0.0.2", entry);
  }
  t.equal(clientOf({ hops: 32 }, "10.0.0.1", ",".repeat(16_000)), "10.0.0.1");
});

t.test("a number, or addresses and networks", async (t) => {
  t.strictSame(parseTrustedProxies("0"), { hops: 0 });
  t.strictSame(parseTrustedProxies("32"), { hops: 32 });
  t.strictSame(parseTrustedProxies("10.0.0.0/8, ::1,fd00::/8"), { addresses: ["10.0.0.0/8", "::1", "fd00::/8"] });
  const refused = ["33", "-1", "true", "loopback", "10.0.0.0/33", "::/129", "10.0.0.0/", "10.0.0.1,", "a.example", ""];
  for (const wrong of refused) {
    t.equal(parseTrustedProxies(wrong), undefined, wrong);
  }
});
