import fc from "fast-check";
import t from "tap";
import {
  ConnectionCounts,
  clearConnections,
  createConnectionMemory,
  readConnections,
} from "../../../src/service/http/connection/connection-counts.ts";
import { Client } from "../../../src/service/http/request/client-address.ts";
import { runsOf } from "../../support/fixed-seed.ts";

const limit = { total: 4, perAddress: 3 };

t.test("a limit is that of all threads together", async (t) => {
  const memory = createConnectionMemory(2);
  const [first, second] = [1, 2].map((thread) => new ConnectionCounts(memory, { total: 2, perAddress: 2 }, thread)) as [
    ConnectionCounts,
    ConnectionCounts,
  ];
  t.ok(first.acquire());
  t.ok(second.acquire());
  t.equal(first.limitReached(), "total");
  t.notOk(first.acquire());
  t.notOk(second.acquire());
  t.strictSame(readConnections(memory), { held: 2, refused: 2 });
  second.release();
  t.ok(first.acquire());
});

t.test("an address has a limit of its own", async (t) => {
  const counts = new ConnectionCounts(createConnectionMemory(0), limit, 0);
  const here = counts.slotsOf(new Client("10.0.0.1"));
  for (let count = 0; count < 3; count++) t.ok(counts.acquire(here));
  t.equal(counts.limitReached(here), "perAddress");
  t.notOk(counts.acquire(here));
  const there = counts.slotsOf(new Client("10.0.0.2"));
  t.ok(counts.acquire(there));
  t.equal(counts.limitReached(there), "total");
  counts.release(here);
  t.ok(counts.acquire(here));
});

t.test("addresses are one when they are of one client", async (t) => {
  const counts = new ConnectionCounts(createConnectionMemory(0), limit, 0);
  const isSame = (a: string, b: string): boolean =>
    `${counts.slotsOf(new Client(a))}` === `${counts.slotsOf(new Client(b))}`;
  t.ok(isSame("192.0.2.1", "::ffff:192.0.2.1"), "IPv4 mapped into IPv6");
  t.ok(isSame("2001:db8:1:2::1", "2001:0db8:0001:0002:ffff:1:2:3"), "one /64");
  t.ok(isSame("fe80::1%eth0", "fe80::2%eth0"));
  t.notOk(isSame("2001:db8:1:2::1", "2001:db8:1:3::1"), "two /64");
  t.notOk(isSame("192.0.2.1", "192.0.2.2"));
});

t.test("what a thread held is released when it has ended, and its refusals still count", async (t) => {
  const memory = createConnectionMemory(2);
  const [first, second] = [1, 2].map((thread) => new ConnectionCounts(memory, limit, thread)) as [
    ConnectionCounts,
    ConnectionCounts,
  ];
  const slots = first.slotsOf(new Client("10.0.0.1"));
  for (const thread of [first, first, second]) thread.acquire(slots);
  t.notOk(first.acquire(slots));
  clearConnections(memory, 1);
  t.strictSame(readConnections(memory), { held: 1, refused: 1 });
  t.ok(first.acquire(slots));
  t.ok(first.acquire(slots));
  t.equal(first.limitReached(slots), "perAddress");
});

t.test("never more than the limits are held, and what is within them is acquired, as counted with a map", async () => {
  const step = fc.record({ thread: fc.integer({ min: 0, max: 2 }), address: fc.nat(5), isRelease: fc.boolean() });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const memory = createConnectionMemory(2);
      const threads = [0, 1, 2].map((thread) => new ConnectionCounts(memory, limit, thread));
      const held: { thread: number; address: number }[] = [];
      for (const { thread, address, isRelease } of steps) {
        const counts = threads[thread] as ConnectionCounts;
        const slots = counts.slotsOf(new Client(`10.0.0.${address}`));
        const at = held.findIndex((one) => one.thread === thread && one.address === address);
        if (isRelease && at !== -1) {
          held.splice(at, 1);
          counts.release(slots);
        } else if (!isRelease) {
          const isWithin = held.length < 4 && held.filter((one) => one.address === address).length < 3;
          if (counts.acquire(slots) !== isWithin) return false;
          if (isWithin) held.push({ thread, address });
        }
      }
      return readConnections(memory).held === held.length;
    }),
    // Collisions of both slots are possible, one in 16 million pairs.
    { numRuns: runsOf(200) },
  );
});
