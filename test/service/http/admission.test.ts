import fc from "fast-check";
import t from "tap";
import {
  Admission,
  admissionLimits,
  clearThread,
  createAdmissionMemory,
} from "../../../src/service/http/admission/admission.ts";
import { Client } from "../../../src/service/http/connection/client-address.ts";
import { runsOf } from "../../support/fixed-seed.ts";

const limits = { ...admissionLimits({ total: 4, perAddress: 3 }), requests: { total: 2, perAddress: 2 } };

t.test("a limit is that of all threads together", (t) => {
  const memory = createAdmissionMemory(2);
  const [first, second] = [1, 2].map((thread) => new Admission(memory, limits, thread)) as [Admission, Admission];
  t.ok(first.acquire("requests"));
  t.ok(second.acquire("requests"));
  t.equal(first.limitReached("requests"), "total");
  t.notOk(first.acquire("requests"));
  t.notOk(second.acquire("requests"));
  t.strictSame(first.figures("requests"), { held: 2, refused: { limit: 2, load: 0 } });
  t.strictSame(first.figures("connections"), { held: 0, refused: { limit: 0, load: 0 } });
  second.release("requests");
  t.ok(first.acquire("requests"));
  t.end();
});

t.test("an address has a limit of its own", (t) => {
  const admission = new Admission(createAdmissionMemory(0), limits, 0);
  const here = admission.slotsOf(new Client("10.0.0.1"));
  for (let count = 0; count < 3; count++) t.ok(admission.acquire("connections", here));
  t.equal(admission.limitReached("connections", here), "perAddress");
  t.notOk(admission.acquire("connections", here));
  const there = admission.slotsOf(new Client("10.0.0.2"));
  t.ok(admission.acquire("connections", there));
  t.equal(admission.limitReached("connections", there), "total");
  admission.release("connections", here);
  t.ok(admission.acquire("connections", here));
  t.end();
});

t.test("an address has the same share of everything", (t) => {
  const quarter = admissionLimits({ total: 400, perAddress: 100 });
  t.strictSame(quarter.requests, { total: 1000, perAddress: 250 });
  t.match(quarter.answers, { total: 256, perAddress: 64, forNewAddresses: 32 });
  const behindProxy = admissionLimits({ total: 400, perAddress: 500 });
  t.strictSame(behindProxy.requests, { total: 1000, perAddress: 1000 });
  t.match(behindProxy.answers, { total: 256, perAddress: 256, forNewAddresses: 0 });
  t.end();
});

t.test("of what is reserved, addresses that hold none get a unit, and secret keys get all", (t) => {
  const answers = { total: 8, perAddress: 3, forSecretKeys: 2, forNewAddresses: 2 };
  const admission = new Admission(createAdmissionMemory(0), { ...limits, answers }, 0);
  const [first, second, third, fourth] = [1, 2, 3, 4].map((at) => admission.slotsOf(new Client(`10.0.0.${at}`)));
  for (const slots of [first, first, first, second]) t.ok(admission.acquire("answers", slots));
  t.equal(admission.limitReached("answers", first), "perAddress");
  t.equal(admission.limitReached("answers", second), "total", "the rest is for others");
  t.ok(admission.acquire("answers", third));
  t.ok(admission.acquire("answers", fourth));
  t.equal(admission.limitReached("answers", admission.slotsOf(new Client("10.0.0.5"))), "total");
  t.equal(admission.limitReached("answers"), "total");
  for (let count = 0; count < 2; count++) t.ok(admission.acquire("answers", second, true), "a secret key");
  t.equal(admission.limitReached("answers", fourth, true), "total");
  t.equal(admission.figures("answers").held, answers.total);
  t.end();
});

t.test("addresses are one when they are of one client", (t) => {
  const admission = new Admission(createAdmissionMemory(0), limits, 0);
  const isSame = (a: string, b: string): boolean =>
    `${admission.slotsOf(new Client(a))}` === `${admission.slotsOf(new Client(b))}`;
  t.ok(isSame("192.0.2.1", "::ffff:192.0.2.1"), "IPv4 mapped into IPv6");
  t.ok(isSame("2001:db8:1:2::1", "2001:0db8:0001:0002:ffff:1:2:3"), "one /64");
  t.ok(isSame("fe80::1%eth0", "fe80::2%eth0"));
  t.notOk(isSame("2001:db8:1:2::1", "2001:db8:1:3::1"), "two /64");
  t.notOk(isSame("192.0.2.1", "192.0.2.2"));
  t.end();
});

t.test("what a thread held is released when it has ended, and its refusals still count", (t) => {
  const memory = createAdmissionMemory(2);
  const [first, second] = [1, 2].map((thread) => new Admission(memory, limits, thread)) as [Admission, Admission];
  const slots = first.slotsOf(new Client("10.0.0.1"));
  for (const thread of [first, first, second]) thread.acquire("connections", slots);
  t.notOk(first.acquire("connections", slots));
  clearThread(memory, 1);
  t.strictSame(first.figures("connections"), { held: 1, refused: { limit: 1, load: 0 } });
  t.ok(first.acquire("connections", slots));
  t.ok(first.acquire("connections", slots));
  t.equal(first.limitReached("connections", slots), "perAddress");
  t.end();
});

t.test("never more than the limits are held, and what is within them is acquired, as counted with a map", (t) => {
  const step = fc.record({ thread: fc.integer({ min: 0, max: 2 }), address: fc.nat(5), isRelease: fc.boolean() });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const memory = createAdmissionMemory(2);
      const threads = [0, 1, 2].map((thread) => new Admission(memory, limits, thread));
      const held: { thread: number; address: number }[] = [];
      for (const { thread, address, isRelease } of steps) {
        const admission = threads[thread] as Admission;
        const slots = admission.slotsOf(new Client(`10.0.0.${address}`));
        const at = held.findIndex((one) => one.thread === thread && one.address === address);
        if (isRelease && at !== -1) {
          held.splice(at, 1);
          admission.release("connections", slots);
        } else if (!isRelease) {
          const isWithin = held.length < 4 && held.filter((one) => one.address === address).length < 3;
          if (admission.acquire("connections", slots) !== isWithin) return false;
          if (isWithin) held.push({ thread, address });
        }
      }
      return (threads[0] as Admission).figures("connections").held === held.length;
    }),
    // Collisions of both slots are possible, one in 16 million pairs.
    { numRuns: runsOf(200) },
  );
  t.end();
});
