import fc from "fast-check";
import t from "tap";
import {
  ConnectionCounts,
  clearConnections,
  createConnectionMemory,
  partOfLimit,
  readConnections,
} from "../../../src/service/http/connection/connection-counts.ts";
import { Client } from "../../../src/service/http/request/client-address.ts";
import { runsOf } from "../../support/fixed-seed.ts";

const limit = { total: 4, perAddress: 3 };

t.test("each thread has an equal part of a limit, and at least one connection", async (t) => {
  t.strictSame(partOfLimit({ total: 10, perAddress: 5 }, 1), { total: 10, perAddress: 5 });
  t.strictSame(partOfLimit({ total: 11, perAddress: 5 }, 2), { total: 5, perAddress: 3 });
  t.strictSame(partOfLimit({ total: 8, perAddress: 2 }, 16), { total: 1, perAddress: 1 });
});

t.test("the connections of one thread take none from another, and all are counted", async (t) => {
  const memory = createConnectionMemory(2);
  const [first, second] = [1, 2].map((thread) => new ConnectionCounts(memory, limit, thread)) as [
    ConnectionCounts,
    ConnectionCounts,
  ];
  const client = new Client("10.0.0.1");
  for (let count = 0; count < 4; count++) first.acquire(undefined);
  t.equal(first.limitReached(client), "total");
  t.equal(second.limitReached(client), undefined);
  first.refuse();
  second.acquire(client);
  second.refuse();
  t.strictSame(readConnections(memory), { held: 5, refused: 2 });
  clearConnections(memory, 1);
  t.strictSame(readConnections(memory), { held: 1, refused: 2 }, "a thread has ended; its refusals still count");
});

t.test("addresses are one when they are of one client", async (t) => {
  const isSame = (one: string, other: string): boolean => {
    const counts = new ConnectionCounts(createConnectionMemory(0), { total: 2, perAddress: 1 }, 0);
    counts.acquire(new Client(one));
    return counts.limitReached(new Client(other)) === "perAddress";
  };
  t.ok(isSame("192.0.2.1", "::ffff:192.0.2.1"), "IPv4 mapped into IPv6");
  t.ok(isSame("2001:db8:1:2::1", "2001:0db8:0001:0002:ffff:1:2:3"), "one /64");
  t.ok(isSame("fe80::1%eth0", "fe80::2%eth0"));
  t.notOk(isSame("2001:db8:1:2::1", "2001:db8:1:3::1"), "two /64");
  t.notOk(isSame("192.0.2.1", "192.0.2.2"));
});

t.test("a limit is reached when the list of connections says so", async () => {
  const step = fc.record({ address: fc.nat(5), isRelease: fc.boolean() });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const memory = createConnectionMemory(0);
      const counts = new ConnectionCounts(memory, limit, 0);
      const held: number[] = [];
      for (const { address, isRelease } of steps) {
        // Connections behind a proxy count for no address.
        const client = address === 0 ? undefined : new Client(`10.0.0.${address}`);
        const own = held.filter((one) => one === address && one !== 0).length;
        const expected = own >= 3 ? "perAddress" : held.length >= 4 ? "total" : undefined;
        if (counts.limitReached(client) !== expected) return false;
        const at = held.indexOf(address);
        if (isRelease && at !== -1) {
          held.splice(at, 1);
          counts.release(client);
        } else if (!isRelease && expected === undefined) {
          held.push(address);
          counts.acquire(client);
        }
      }
      return readConnections(memory).held === held.length;
    }),
    { numRuns: runsOf(200) },
  );
});
