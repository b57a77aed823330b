import fc from "fast-check";
import t from "tap";
import { type ExportPlace, ExportPlaces } from "../../src/http/admission/export-places.ts";
import { runsOf } from "../support/fixed-seed.ts";

const limits = { perThread: 3, forSecretKeys: 1 };

interface TestExport {
  readonly client: string;
  readonly isSecret: boolean;
  readonly place: ExportPlace;
  isSlow: boolean;
  isReset: boolean;
}

function exportOf(places: ExportPlaces, client: string): TestExport {
  const isSecret = client.startsWith("secret");
  const reader = {
    get isSlowExport(): boolean {
      return one.isSlow;
    },
    disconnect(): void {
      one.isReset = true;
    },
  };
  const place = places.placeFor({ client, isSecret, reader });
  const one: TestExport = { client, isSecret, place, isSlow: false, isReset: false };
  return one;
}

t.test("a client has several places while they are free, and one while others want them", (t) => {
  const places = new ExportPlaces(limits);
  const [first, second, third] = ["a", "a", "a"].map((client) => exportOf(places, client)) as TestExport[];
  t.ok(first?.place.enter());
  t.ok(second?.place.enter());
  t.notOk(third?.place.enter(), "one place is for secret keys");
  const other = exportOf(places, "b");
  t.ok(other.place.enter());
  t.strictSame([first?.isReset, second?.isReset], [false, true], "the newer one is reset");
  second?.place.leave();
  t.notOk(exportOf(places, "a").place.enter(), "its end frees no place");
  t.notOk(exportOf(places, "c").place.enter(), "both clients have one");
  first?.place.leave();
  t.ok(exportOf(places, "c").place.enter());
  t.end();
});

t.test("only secret keys get the last place, and they take places of others as others do", (t) => {
  const places = new ExportPlaces(limits);
  const held = ["a", "b"].map((client) => exportOf(places, client));
  for (const { place } of held) t.ok(place.enter());
  t.ok(exportOf(places, "secret 1").place.enter());
  t.notOk(exportOf(places, "secret 2").place.enter());
  const free = new ExportPlaces(limits);
  const ofOne = Array.from({ length: 3 }, () => exportOf(free, "secret 1"));
  for (const { place } of ofOne) t.ok(place.enter());
  t.ok(exportOf(free, "a").place.enter());
  t.strictSame(
    ofOne.map(({ isReset }) => isReset),
    [false, false, true],
  );
  t.end();
});

t.test("a slow export loses its place to one that wants it, also to one of the same client", (t) => {
  const places = new ExportPlaces(limits);
  const [a, b] = ["a", "b"].map((client) => exportOf(places, client)) as [TestExport, TestExport];
  for (const { place } of [a, b]) t.ok(place.enter());
  t.notOk(exportOf(places, "c").place.enter());
  a.isSlow = true;
  t.notOk(exportOf(places, "b").place.enter(), "a client that has one gets no second at the expense of another");
  t.ok(exportOf(places, "a").place.enter());
  t.ok(a.isReset);
  b.isSlow = true;
  t.ok(exportOf(places, "c").place.enter());
  t.ok(b.isReset);
  t.end();
});

t.test("whatever comes, the limits hold, and a client without a place gets one that another has too many of", (t) => {
  const step = fc.record({
    client: fc.constantFrom("a", "b", "c", "secret 1", "secret 2"),
    at: fc.nat(20),
    kind: fc.constantFrom("enter", "enter", "leave", "slow"),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const places = new ExportPlaces(limits);
      const all: TestExport[] = [];
      const sent = (): TestExport[] => all.filter(({ isReset }) => !isReset);
      for (const { client, at, kind } of steps) {
        const before = sent();
        const chosen = before[at % Math.max(1, before.length)];
        if (kind === "leave" && chosen !== undefined) {
          chosen.place.leave();
          all.splice(all.indexOf(chosen), 1);
        } else if (kind === "slow" && chosen !== undefined) chosen.isSlow = true;
        else if (kind === "enter") {
          const one = exportOf(places, client);
          const isIn = one.place.enter();
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
