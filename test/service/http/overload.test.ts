import assert from "node:assert/strict";
import t from "tap";
import { answersWaitingMax, overloadTurnMilliseconds } from "../../../src/contract/limits.ts";
import { type LoopClock, Overload } from "../../../src/service/http/admission/overload.ts";

/** An event loop whose time passes only by what a test lets it do. */
class TestLoop implements LoopClock {
  readonly overload: Overload = new Overload(this);
  #now = 1000;
  #processor = 50;
  #idle = 0;
  #afterTurn: (() => void) | undefined;
  /** How many times longer than its processor time everything takes: more than 1 on a machine that is busy. */
  stretch = 1;

  now(): number {
    return this.#now;
  }

  processor(): number {
    return this.#processor;
  }

  idle(): number {
    return this.#idle;
  }

  afterTurn(call: () => void): void {
    this.#afterTurn = call;
  }

  work(milliseconds: number): void {
    this.#processor += milliseconds;
    this.#now += milliseconds * this.stretch;
  }

  /** Another process has the processor. */
  lose(milliseconds: number): void {
    this.#now += milliseconds;
  }

  rest(milliseconds: number): void {
    this.#now += milliseconds;
    this.#idle += milliseconds;
  }

  /** Requests that have become readable together. @returns How many were refused. */
  turn(requests: number, milliseconds: number): number {
    let refused = 0;
    for (let request = 0; request < requests; request++) {
      if (this.overload.refusesRequest()) {
        refused++;
        this.work(milliseconds / 20);
      } else this.work(milliseconds);
    }
    this.#afterTurn?.();
    this.#afterTurn = undefined;
    return refused;
  }

  /** @returns How many of all were refused. */
  turns(count: number, requests: number, milliseconds: number): number {
    let refused = 0;
    for (let turn = 0; turn < count; turn++) refused += this.turn(requests, milliseconds);
    return refused;
  }
}

t.test("a queue that persists is overload: each turn answers for a bounded time and refuses the rest", (t) => {
  const loop = new TestLoop();
  const before = loop.now();
  while (loop.turn(100, 1) === 0) t.ok(loop.now() - before < 1000, "within a second");
  for (let turn = 0; turn < 50; turn++) t.equal(loop.turn(100, 1), 100 - overloadTurnMilliseconds);
  t.end();
});

t.test("it ends with a rest", (t) => {
  const loop = new TestLoop();
  loop.turns(20, 100, 1);
  t.ok(loop.turn(100, 1) > 0);
  loop.rest(50);
  loop.turns(10, 10, 1);
  t.equal(loop.turn(100, 1), 0);
  t.end();
});

t.test("it ends when nothing is left to refuse, also without a rest", (t) => {
  const loop = new TestLoop();
  loop.turns(20, 100, 1);
  loop.turns(30, overloadTurnMilliseconds - 1, 1);
  t.equal(loop.turn(100, 1), 0);
  t.end();
});

t.test("a burst is answered whole", (t) => {
  const loop = new TestLoop();
  for (let burst = 0; burst < 20; burst++) {
    t.equal(loop.turn(80, 1), 0);
    t.equal(loop.turns(2, 30, 1), 0);
    loop.rest(50);
  }
  t.end();
});

t.test("a pause and the requests that came in it are no overload", (t) => {
  const loop = new TestLoop();
  for (let pause = 0; pause < 5; pause++) {
    loop.work(300);
    // Half of what the thread can do: each turn leaves half as much for the next.
    for (let requests = 150; requests > 0; requests = Math.floor(requests / 2)) assert.equal(loop.turn(requests, 1), 0);
    for (let turn = 0; turn < 200; turn++) {
      assert.equal(loop.turn(1, 1), 0);
      loop.rest(1);
    }
  }
  t.end();
});

t.test("a thread that is always busy with short turns is not overloaded", (t) => {
  const loop = new TestLoop();
  t.equal(loop.turns(1000, overloadTurnMilliseconds - 1, 1), 0);
  t.end();
});

t.test("a machine that is busy with other things is no overload", (t) => {
  const loop = new TestLoop();
  loop.stretch = 20;
  t.equal(loop.turns(200, overloadTurnMilliseconds - 1, 1), 0, "turns of 380 ms by the clock");
  for (let turn = 0; turn < 100; turn++) {
    loop.lose(100);
    t.equal(loop.turn(10, 1), 0);
  }
  t.end();
});

t.test("more is left unread only where refusing takes too long itself", (t) => {
  const loop = new TestLoop();
  loop.turns(20, 100, 1);
  loop.turn(100, 1);
  t.notOk(loop.overload.refusesTooMany());
  loop.overload.refusesRequest();
  loop.work(2 * overloadTurnMilliseconds);
  t.ok(loop.overload.refusesTooMany());
  t.end();
});

t.test("long answers are refused while too many have been waiting for an interval", (t) => {
  const loop = new TestLoop();
  const { overload } = loop;
  for (let answer = 1; answer < answersWaitingMax; answer++) overload.beginWait();
  loop.work(1000);
  t.notOk(overload.refusesAnswer());
  overload.beginWait();
  loop.work(99);
  t.notOk(overload.refusesAnswer(), "a burst of them is made");
  loop.work(1);
  t.ok(overload.refusesAnswer());
  overload.beginWait();
  overload.endWait();
  t.ok(overload.refusesAnswer(), "as many as before still wait");
  overload.endWait();
  t.notOk(overload.refusesAnswer());
  loop.work(99);
  overload.beginWait();
  t.ok(overload.refusesAnswer(), "the overload goes on");
  overload.endWait();
  loop.work(101);
  t.notOk(overload.isCrowded, "those that still wait have a turn");
  overload.beginWait();
  t.notOk(overload.refusesAnswer(), "the overload has ended");
  t.end();
});

t.test("long answers that have had their turns and want more wait on", (t) => {
  const loop = new TestLoop();
  const { overload } = loop;
  const waitAll = (): void => {
    for (let answer = 0; answer < answersWaitingMax; answer++) overload.beginWait();
  };
  waitAll();
  for (let turn = 0; turn < 10; turn++) {
    t.ok(overload.isCrowded, "they have more than a slice of the turn");
    for (let answer = 0; answer < answersWaitingMax; answer++) overload.endWait();
    loop.work(10);
    waitAll();
  }
  t.ok(overload.refusesAnswer());
  overload.endWait();
  loop.work(101);
  t.notOk(overload.isCrowded);
  t.end();
});
