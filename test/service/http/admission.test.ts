import type { ServerResponse } from "node:http";
import fc from "fast-check";
import t from "tap";
import { byteText } from "../../../src/contract/byte-text.ts";
import type { ApiError } from "../../../src/contract/errors.ts";
import { requestsPerSlice, tasksWaitingMax } from "../../../src/contract/limits.ts";
import { buildStore } from "../../../src/engine/store/build-store.ts";
import type { RingEntry } from "../../../src/service/auth/key-ring.ts";
import {
  type ActiveClient,
  type Admission,
  ClientGoneError,
  type Place,
} from "../../../src/service/http/admission/admission.ts";
import { ReadChunks } from "../../../src/service/http/answer/long-answer.ts";
import { Client } from "../../../src/service/http/request/client-address.ts";
import type { AnswerReader } from "../../../src/service/http/request/context.ts";
import { valuesOf } from "../../support/fields-of.ts";
import { runsOf } from "../../support/fixed-seed.ts";
import { publicKey, secretKey, testKeys } from "../../support/signed-request.ts";
import { placesOf, testAdmission } from "../../support/test-admission.ts";
import { tinyDataset } from "../../support/tiny-dataset.ts";

const keys = testKeys().current();
const secret = keys.find(secretKey) as RingEntry;
const open = keys.find(publicKey) as RingEntry;

const refusals = { own: "RATE_LIMITED", service: "SERVICE_UNAVAILABLE" };

/** The codes with which requests were refused. */
let codes: string[] = [];
t.beforeEach(() => {
  codes = [];
});

function noteRefusal(error: unknown): void {
  t.match(error, { code: /^(?:RATE_LIMITED|SERVICE_UNAVAILABLE)$/, headers: { "Retry-After": "5" } });
  codes.push((error as ApiError).code);
}

/** The place of a request of a host, with a key or without one; undefined where it is refused. */
function enter(admission: Admission, host: number, key: RingEntry | undefined = undefined): Place | undefined {
  try {
    const place = admission.placeFor(key, new Client(`10.0.0.${host}`));
    place.enter();
    return place;
  } catch (error) {
    noteRefusal(error);
    return undefined;
  }
}

/** A client whose answer has waited for so long. */
function reader(waitedMilliseconds = 0): AnswerReader & { isDisconnected: boolean } {
  return {
    waitedMilliseconds,
    isDisconnected: false,
    disconnect() {
      this.isDisconnected = true;
    },
  };
}

/** Moves a request to the places of long answers. @returns Its place; undefined where it is refused. */
function toAnswers(place: Place | undefined, ofReader: AnswerReader = reader()): Place | undefined {
  try {
    place?.moveToAnswers();
    place?.waitFor(ofReader);
    return place;
  } catch (error) {
    noteRefusal(error);
    place?.leave();
    return undefined;
  }
}

t.test("one client has a quarter of the shared half, and leaves the others to others", async (t) => {
  const admission = testAdmission({ keylessRequests: { total: 32, forSecretKeys: 0 } });
  const held = [1, 1, 1, 1].map((host) => enter(admission, host));
  t.notOk(held.includes(undefined));
  t.equal(enter(admission, 1), undefined, "a fifth place of the 16 that are shared");
  t.strictSame(codes, [refusals.own]);
  t.strictSame(placesOf(admission, "keylessRequests"), { held: 4, refused: 1 });
  t.ok(enter(admission, 2), "another client");
  held[0]?.leave();
  held[0]?.leave();
  t.equal(placesOf(admission, "keylessRequests").held, 4, "a place is left once");
  t.ok(enter(admission, 1), "one has left");
});

t.test("a client that holds none is refused only where none is left, whatever others take", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(80), { maxLength: 600 }), async (hosts) => {
      const admission = testAdmission({ requests: { total: 64, forSecretKeys: 0 } });
      const held = new Map<number, number>();
      let total = 0;
      for (const host of hosts) {
        const own = held.get(host) ?? 0;
        const isExpected = own === 0 ? total < 64 : own < 8 && 32 - total > own;
        if ((enter(admission, host, open) !== undefined) !== isExpected) return false;
        if (!isExpected) {
          if (codes.at(-1) !== (own === 8 ? refusals.own : refusals.service)) return false;
          continue;
        }
        held.set(host, own + 1);
        total++;
      }
      return placesOf(admission, "requests").held === total;
    }),
    { numRuns: runsOf(50) },
  );
});

t.test("a secret key is one client at all addresses, a public key one at each", async (t) => {
  const admission = testAdmission({ requests: { total: 32, forSecretKeys: 0 } });
  t.equal(enter(admission, 1, secret)?.client, enter(admission, 2, secret)?.client);
  t.not(enter(admission, 1, open)?.client, enter(admission, 2, open)?.client);
  t.strictSame(placesOf(admission, "keylessRequests").held, 0);
  t.ok(enter(admission, 3), "one without a key has places of its own");
  t.equal(placesOf(admission, "requests").held, 4);
});

t.test("of the places of long answers, secret keys have some that nobody else gets", async (t) => {
  const admission = testAdmission({ answers: { total: 4, forSecretKeys: 2 } });
  t.ok(toAnswers(enter(admission, 1, open)));
  t.ok(toAnswers(enter(admission, 2, open)));
  t.equal(toAnswers(enter(admission, 3, open)), undefined);
  t.strictSame(codes, [refusals.service], "it holds none");
  t.ok(toAnswers(enter(admission, 4, secret)));
  t.strictSame(placesOf(admission, "answers"), { held: 3, refused: 1 });
  t.equal(placesOf(admission, "requests").held, 0, "an answer on its way is no request in the making");
});

t.test("a slow reader loses its place to one that wants it, of its own kind of client, and not before", async (t) => {
  const admission = testAdmission({
    answers: { total: 2, forSecretKeys: 0 },
    keylessAnswers: { total: 1, forSecretKeys: 0 },
    slowReaderMilliseconds: 1000,
  });
  const [quick, slow, keyless] = [reader(999), reader(1000), reader(5000)];
  const slowPlace = toAnswers(enter(admission, 2, open), slow);
  toAnswers(enter(admission, 1, open), quick);
  toAnswers(enter(admission, 1), keyless);
  t.notOk(slow.isDisconnected, "nobody wants it");
  const place = toAnswers(enter(admission, 3, open));
  t.ok(place);
  t.strictSame(valuesOf([quick, slow, keyless], "isDisconnected"), [false, true, false]);
  slowPlace?.leave();
  t.equal(placesOf(admission, "answers").held, 2, "it has left its place already");
  t.equal(toAnswers(enter(admission, 4, open)), undefined, "the others are quick");
  place?.leave();
  t.ok(toAnswers(enter(admission, 4, open)));
});

t.test(
  "a client beyond its share takes a place from itself alone, and breaks off no answer that makes no room",
  async (t) => {
    const admission = testAdmission({ answers: { total: 16, forSecretKeys: 0 }, slowReaderMilliseconds: 1000 });
    const others = [2, 3, 4].map((host) => {
      const slow = reader(5000);
      toAnswers(enter(admission, host, open), slow);
      return slow;
    });
    const own = [reader(0), reader(5000)];
    for (const one of own) t.ok(toAnswers(enter(admission, 1, open), one));
    t.ok(toAnswers(enter(admission, 1, open)), "its own slow answer makes room");
    t.strictSame(valuesOf(own, "isDisconnected"), [false, true]);
    t.equal(toAnswers(enter(admission, 1, open)), undefined);
    t.notOk(others.some((one) => one.isDisconnected));
  },
);

t.test("of several slow readers the client that holds most loses a place", async (t) => {
  const admission = testAdmission({ answers: { total: 16, forSecretKeys: 0 }, slowReaderMilliseconds: 1000 });
  const readers = [1, 2, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15].map((host) => {
    const slow = reader(5000);
    t.ok(toAnswers(enter(admission, host, open), slow));
    return { host, slow };
  });
  t.ok(toAnswers(enter(admission, 16, open)));
  t.strictSame(
    readers.filter(({ slow }) => slow.isDisconnected).map(({ host }) => host),
    [2],
  );
});

t.test("a request whose short answer is not read can lose its place as well", async (t) => {
  const admission = testAdmission({ requests: { total: 1, forSecretKeys: 0 }, slowReaderMilliseconds: 1000 });
  const slow = reader(1000);
  const place = enter(admission, 1, open);
  t.equal(enter(admission, 2, open), undefined, "its answer is being made");
  place?.waitFor(slow);
  t.ok(enter(admission, 2, open));
  t.ok(slow.isDisconnected);
});

t.test("a place that is left already is not watched", async (t) => {
  const admission = testAdmission();
  const store = buildStore(tinyDataset());
  const [left, held] = [enter(admission, 1), enter(admission, 2)];
  left?.leave();
  const [ofLeft, ofHeld] = [reader(), reader()];
  left?.waitFor(ofLeft, store);
  held?.waitFor(ofHeld, store);
  t.equal(admission.cutAnswersFrom(store), 1);
  t.strictSame([ofLeft.isDisconnected, ofHeld.isDisconnected], [false, true]);
});

/** Admission whose clock goes on with slices alone. */
function clockedAdmission() {
  let now = 0;
  const admission = testAdmission({}, () => now);
  /** Work of so many slices, each of which takes so many milliseconds and is noted. */
  const slicesOf = (count: number, note: () => void, milliseconds = 3): (() => boolean) => {
    let run = 0;
    return () => {
      note();
      now += milliseconds;
      return ++run === count;
    };
  };
  /** Runs such work for a client that stays. */
  const run = (client: ActiveClient, ...slices: Parameters<typeof slicesOf>): Promise<void> =>
    client.runSlices(slicesOf(...slices), never);
  return { admission, slicesOf, run };
}

const never = (): boolean => false;
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

t.test("a turn runs one slice, clients take turns, and a client's tasks follow one another", async (t) => {
  const { admission, run } = clockedAdmission();
  const [greedy, modest] = [1, 2].map((host) => enter(admission, host, open)?.client) as [ActiveClient, ActiveClient];
  let slices = "";
  const tasks = ["a", "b", "c"].map((name) => run(greedy, 2, () => (slices += name)));
  tasks.push(run(modest, 2, () => (slices += "m")));
  for (let count = 1; count <= 8; count++) {
    await turn();
    t.equal(slices.length, count);
  }
  t.equal(slices, "amambbcc");
  await Promise.all(tasks);
});

t.test("slices that are shorter than their time share a turn, each of another client", async (t) => {
  const { admission, run } = clockedAdmission();
  let slices = "";
  const clients = [1, 2, 3, 4].map((host) => enter(admission, host, open)?.client as ActiveClient);
  const tasks = clients.map((client, at) => run(client, 2, () => (slices += at + 1), 1));
  await turn();
  t.equal(slices, "123", "3 ms have passed");
  await turn();
  t.equal(slices, "123412");
  await Promise.all(tasks);
  t.equal(slices, "12341234");
});

t.test("a turn goes on with a bounded number of texts that are there, which are written after it", async (t) => {
  const admission = testAdmission();
  let read = 0;
  const response = { closed: false } as ServerResponse;
  const filled = Array.from({ length: 100 }, (_, host) => {
    const place = enter(admission, host) as Place;
    const chunks = new ReadChunks({ from: 0, to: 1 }, 1, () => {
      read++;
      return byteText(Buffer.from("a"));
    });
    return chunks.fillNext(place.client, response);
  });
  t.equal(read, 0, "none before its turn");
  await turn();
  t.ok(read > 0 && read <= 16, `${read} in the first turn`);
  await Promise.all(filled);
  t.equal(read, 100);
});

t.test("of four turns that both could have, one is for work without a key; where that is rare, two", async (t) => {
  const { admission, run: runFor } = clockedAdmission();
  const [keyed, keyless] = [enter(admission, 1, open)?.client, enter(admission, 1)?.client] as [
    ActiveClient,
    ActiveClient,
  ];
  let slices = "";
  const run = (client: ActiveClient, count: number, name: string): Promise<void> =>
    runFor(client, count, () => (slices += name));
  const long = run(keyed, 300, "k");
  await run(keyless, 40, "-");
  t.equal(slices, `${"k-".repeat(34)}${"kkk-".repeat(6)}`, "200 ms, then as others");
  slices = "";
  await run(keyless, 2, "-");
  t.equal(slices, "kkk-kkk-", "it is not rare yet");
  slices = "";
  while (slices.length < 70) await turn();
  slices = "";
  await run(keyless, 2, "-");
  t.match(slices, /^k?-k-$/, "210 ms without any");
  await long;
});

t.test("many requests in a turn give long work more time of the next", async (t) => {
  const { admission, run } = clockedAdmission();
  const client = enter(admission, 1, open)?.client as ActiveClient;
  let slices = 0;
  const work = run(client, 20, () => slices++);
  await turn();
  t.equal(slices, 1);
  for (let request = 0; request < 3 * requestsPerSlice; request++) admission.turns.countRequest();
  await turn();
  t.equal(slices, 1 + 4);
  await turn();
  t.equal(slices, 1 + 4 + 1, "those of one turn count once");
  for (let request = 0; request < 100 * requestsPerSlice; request++) admission.turns.countRequest();
  await turn();
  t.equal(slices, 1 + 4 + 1 + 4, "never more than four");
  await work;
  t.equal(slices, 20);
});

t.test("work that failed or whose client has gone makes room for the next of its client", async (t) => {
  const { admission, slicesOf, run } = clockedAdmission();
  const client = enter(admission, 1, open)?.client as ActiveClient;
  const failing = client.runSlices(() => {
    throw new RangeError("in its slice");
  }, never);
  const gone = client.runSlices(
    slicesOf(1, () => t.fail("nobody waits for it")),
    () => true,
  );
  let slices = 0;
  const last = run(client, 2, () => slices++);
  await t.rejects(failing, { name: "RangeError" });
  await Promise.all([gone, last]);
  t.equal(slices, 2);
});

t.test("work that is probably long begins with its first turn", async (t) => {
  const { admission } = clockedAdmission();
  const client = enter(admission, 1, open)?.client as ActiveClient;
  let isBegun = false;
  const result = client.runInTurns(
    // biome-ignore lint/correctness/useYield: it ends in its first slice.
    (function* (): Generator<number, string> {
      isBegun = true;
      return "done";
    })(),
    never,
  );
  t.notOk(isBegun);
  t.equal(await result, "done");
});

t.test("a request that would get no place is refused before it takes one", async (t) => {
  const admission = testAdmission({
    requests: { total: 16, forSecretKeys: 0 },
    slowReaderMilliseconds: 1000,
  });
  const address = new Client("10.0.0.1");
  const begin = (): Place => admission.placeFor(open, address);
  t.doesNotThrow(begin, "a client that holds nothing");
  const places = [enter(admission, 1, open), enter(admission, 1, open)];
  t.throws(begin, { code: refusals.own });
  t.strictSame(placesOf(admission, "requests"), { held: 2, refused: 1 });
  const slow = reader(1000);
  places[0]?.waitFor(slow);
  t.doesNotThrow(begin, "the place of a slow answer");
  t.notOk(slow.isDisconnected, "is not taken yet");
  places[1]?.leave();
  t.doesNotThrow(begin);
  t.equal(placesOf(admission, "requests").refused, 1);
});

t.test("clients without requests are removed, others are not", async (t) => {
  const admission = testAdmission({ requests: { total: 1_000_000, forSecretKeys: 0 } });
  const addressOf = (number: number): Client => new Client(`10.0.${number >> 8}.${number & 255}`);
  const begun = admission.placeFor(open, addressOf(0));
  const taken = admission.placeFor(open, addressOf(1));
  taken.enter();
  const idle = admission.placeFor(open, addressOf(2));
  idle.leave();
  idle.leave();
  for (let number = 3; number < 5000; number++) admission.placeFor(open, addressOf(number)).leave();
  t.equal(admission.placeFor(open, addressOf(0)).client, begun.client);
  t.equal(admission.placeFor(open, addressOf(1)).client, taken.client);
  t.not(admission.placeFor(open, addressOf(2)).client, idle.client);
  t.equal(idle.client.requests, 0);
  taken.leave();
  t.strictSame(placesOf(admission, "requests"), { held: 0, refused: 0 });
});

t.test("a client with a key and a full queue of tasks is refused early; others are not", async (t) => {
  const { admission, run } = clockedAdmission();
  const refused = (host: number, key?: RingEntry): boolean => {
    try {
      admission.placeFor(key, new Client(`10.0.0.${host}`)).leave();
      return false;
    } catch (error) {
      t.match(error, { code: refusals.own });
      return true;
    }
  };
  const wait = (host: number, key?: RingEntry): Promise<void> => {
    const client = enter(admission, host, key)?.client as ActiveClient;
    return run(client, 1, () => undefined);
  };
  const tasks: Promise<void>[] = [];
  while (tasks.length < tasksWaitingMax) {
    t.notOk(refused(1, open), `with ${tasks.length} waiting`);
    tasks.push(wait(1, open));
  }
  t.ok(refused(1, open));
  t.strictSame(placesOf(admission, "requests"), { held: tasksWaitingMax, refused: 1 });
  t.notOk(refused(2, open), "the same key at another address");
  t.notOk(refused(1, secret), "another key");
  for (let count = 0; count <= tasksWaitingMax; count++) tasks.push(wait(1));
  t.notOk(refused(1), "an address without a key, which may be that of many people");
  await tasks[0];
  t.notOk(refused(1, open), "one is done");
  await Promise.all(tasks);
});

/** More rows than any slice has. */
const many = 1e9;

function* work(steps: number, rowsPerStep: number): Generator<number, string> {
  for (let step = 0; step < steps; step++) yield rowsPerStep;
  return `${steps} steps`;
}

t.test("short work has its result at once, long work a promise", async (t) => {
  const client = enter(testAdmission(), 1, open)?.client as ActiveClient;
  t.equal(client.run(work(0, 1), never), "0 steps");
  t.equal(client.run(work(1000, 1), never), "1000 steps");
  const long = client.run(work(3, many), never);
  t.type(long, Promise);
  t.equal(await long, "3 steps");
});

t.test("work of a client that has other work waiting begins in its turn, that of another at once", async (t) => {
  const admission = testAdmission();
  const [busy, other] = [1, 2].map((host) => enter(admission, host, open)?.client) as [ActiveClient, ActiveClient];
  const long = busy.run(work(2, many), never);
  const next = busy.run(work(0, 1), never);
  t.type(next, Promise);
  t.equal(other.run(work(0, 1), never), "0 steps");
  t.strictSame(await Promise.all([long, next]), ["2 steps", "0 steps"]);
  t.equal(busy.run(work(0, 1), never), "0 steps", "none waits any more");
});

t.test("work of a client that has gone is not gone on with", async (t) => {
  const client = enter(testAdmission(), 1, open)?.client as ActiveClient;
  let isGone = false;
  let steps = 0;
  let isClosed = false;
  const endless = (function* (): Generator<number, void> {
    try {
      for (;;) {
        steps++;
        yield many;
      }
    } finally {
      isClosed = true;
    }
  })();
  const result = client.run(endless, () => isGone);
  await turn();
  isGone = true;
  const error = await Promise.resolve(result).catch((thrown: unknown) => thrown);
  t.ok(error instanceof ClientGoneError);
  t.ok(isClosed, "it releases what it holds");
  const before = steps;
  await turn();
  t.equal(steps, before);
});

t.test("an error in the first slice is thrown, in a later one the promise is rejected with it", async (t) => {
  const client = enter(testAdmission(), 1, open)?.client as ActiveClient;
  const failing = function* (stepsBefore: number): Generator<number, never> {
    for (let step = 0; step < stepsBefore; step++) yield many;
    throw new RangeError(`after ${stepsBefore} steps`);
  };
  t.throws(() => client.run(failing(0), never), { name: "RangeError", message: "after 0 steps" });
  for (const steps of [1, 2]) {
    await t.rejects(async () => client.run(failing(steps), never), {
      name: "RangeError",
      message: `after ${steps} steps`,
    });
  }
  t.equal(client.run(work(1, 1), never), "1 steps", "others go on");
});
