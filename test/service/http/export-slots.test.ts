import fc from "fast-check";
import t from "tap";
import { type ExportSlot, ExportSlots } from "../../../src/service/http/admission/export-slots.ts";
import { runsOf } from "../../support/fixed-seed.ts";

const limits = { perThread: 3, forSecretKeys: 1 };

interface TestExport {
  readonly client: string;
  readonly isSecret: boolean;
  readonly slot: ExportSlot;
  isSlow: boolean;
  isReset: boolean;
}

function exportOf(slots: ExportSlots, client: string): TestExport {
  const isSecret = client.startsWith("secret");
  const reader = {
    get isSlowExport(): boolean {
      return one.isSlow;
    },
    disconnect(): void {
      one.isReset = true;
    },
  };
  const slot = slots.slotFor({ client, isSecret, reader });
  const one: TestExport = { client, isSecret, slot, isSlow: false, isReset: false };
  return one;
}

t.test("a client has several slots while they are free, and one while others want them", (t) => {
  const slots = new ExportSlots(limits);
  const [first, second, third] = ["a", "a", "a"].map((client) => exportOf(slots, client)) as TestExport[];
  t.ok(first?.slot.enter());
  t.ok(second?.slot.enter());
  t.notOk(third?.slot.enter(), "one slot is for secret keys");
  const other = exportOf(slots, "b");
  t.ok(other.slot.enter());
  t.strictSame([first?.isReset, second?.isReset], [false, true], "the newer one is reset");
  second?.slot.leave();
  t.notOk(exportOf(slots, "a").slot.enter(), "its end frees no slot");
  t.notOk(exportOf(slots, "c").slot.enter(), "both clients have one");
  first?.slot.leave();
  t.ok(exportOf(slots, "c").slot.enter());
  t.end();
});

t.test("only secret keys get the last slot, and they take slots of others as others do", (t) => {
  const slots = new ExportSlots(limits);
  const held = ["a", "b"].map((client) => exportOf(slots, client));
  for (const { slot } of held) t.ok(slot.enter());
  t.ok(exportOf(slots, "secret 1").slot.enter());
  t.notOk(exportOf(slots, "secret 2").slot.enter());
  const free = new ExportSlots(limits);
  const ofOne = Array.from({ length: 3 }, () => exportOf(free, "secret 1"));
  for (const { slot } of ofOne) t.ok(slot.enter());
  t.ok(exportOf(free, "a").slot.enter());
  t.strictSame(
    ofOne.map(({ isReset }) => isReset),
    [false, false, true],
  );
  t.end();
});

t.test("a slow export loses its slot to one that wants it, also to one of the same client", (t) => {
  const slots = new ExportSlots(limits);
  const [a, b] = ["a", "b"].map((client) => exportOf(slots, client)) as [TestExport, TestExport];
  for (const { slot } of [a, b]) t.ok(slot.enter());
  t.notOk(exportOf(slots, "c").slot.enter());
  a.isSlow = true;
  t.notOk(exportOf(slots, "b").slot.enter(), "a client that has one gets no second at the expense of another");
  t.ok(exportOf(slots, "a").slot.enter());
  t.ok(a.isReset);
  b.isSlow = true;
  t.ok(exportOf(slots, "c").slot.enter());
  t.ok(b.isReset);
  t.end();
});

t.test("whatever comes, the limits hold, and a client without a slot gets one that another has too many of", (t) => {
  const step = fc.record({
    client: fc.constantFrom("a", "b", "c", "secret 1", "secret 2"),
    at: fc.nat(20),
    kind: fc.constantFrom("enter", "enter", "leave", "slow"),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const slots = new ExportSlots(limits);
      const all: TestExport[] = [];
      const sent = (): TestExport[] => all.filter(({ isReset }) => !isReset);
      for (const { client, at, kind } of steps) {
        const before = sent();
        const chosen = before[at % Math.max(1, before.length)];
        if (kind === "leave" && chosen !== undefined) {
          chosen.slot.leave();
          all.splice(all.indexOf(chosen), 1);
        } else if (kind === "slow" && chosen !== undefined) chosen.isSlow = true;
        else if (kind === "enter") {
          const one = exportOf(slots, client);
          const isIn = one.slot.enter();
          if (isIn) all.push(one);
          const ofPublic = before.filter(({ isSecret }) => !isSecret);
          const isFree = before.length < 3 && (one.isSecret || ofPublic.length < 2);
          const rivals = one.isSecret || before.length - ofPublic.length > 1 ? before : ofPublic;
          const isNew = before.every((other) => other.client !== client);
          const isTaken =
            rivals.some((other) => other.isSlow && (isNew || other.client === client)) ||
            (isNew && rivals.some((other) => rivals.some((twin) => twin !== other && twin.client === other.client)));
          if (isIn !== (isFree || isTaken)) return false;
          if (before.filter(({ isReset }) => isReset).length !== (isIn && !isFree ? 1 : 0)) return false;
        }
        if (sent().length > 3 || sent().filter(({ isSecret }) => !isSecret).length > 2) return false;
      }
      return true;
    }),
    { numRuns: runsOf(300, 3000) },
  );
  t.end();
});
