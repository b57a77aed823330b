/**
 * Whether a server thread has more work than it can do. Two queues are watched, because a wait in one is not seen in
 * the other: requests that became readable in the same turn of the event loop, and long answers that wait for their
 * turn.
 *
 * Only a queue that persists is overload (as in CoDel, RFC 8289): a burst, a collection of garbage, a swap or one long
 * answer makes a queue that goes away. Processor time of the thread is measured, so that a machine that is busy with
 * other things does not look like overload. Without overload, a turn costs two looks at the clock.
 */
import {
  answersWaitingMax,
  overloadIdleShareMax,
  overloadIntervalMilliseconds,
  overloadTurnMilliseconds,
  overloadTurnsMin,
} from "../../../contract/limits.ts";

/** What the event loop of a thread says about itself; times in milliseconds. */
export interface LoopClock {
  now(): number;
  /** Processor time of the thread; a system call. Linux updates it every few milliseconds while the thread runs. */
  processor(): number;
  /** How long the loop has waited for something to do: it does so only when no socket is readable. */
  idle(): number;
  /** Calls once all sockets that are readable now have been read. */
  afterTurn(call: () => void): void;
}

const loopClock: LoopClock = {
  now: () => performance.now(),
  processor() {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1000;
  },
  idle: () => performance.nodeTiming.idleTime,
  afterTurn: setImmediate,
};

/** The state of one thread. */
export class Overload {
  readonly #clock: LoopClock;
  #isTurn = false;
  #turnStart = 0;
  /** Processor time at the start of the turn; undefined while turns are short. */
  #turnProcessor: number | undefined;
  #isMeasuring = false;
  /** Long turns without a short one between them, and when and after how much idle time the first of them began. */
  #longTurns = 0;
  #longSince = 0;
  #longIdle = 0;
  /** Whether requests are refused late in a turn; looked at again in each interval. */
  #isBehind = false;
  #intervalStart = 0;
  #intervalIdle = 0;
  #refused = 0;
  #waiting = 0;
  /** Processor time since which too many wait. */
  #crowdedSince: number | undefined;
  /** Processor time to which long answers are refused as soon as too many wait. */
  #refusesUntil = 0;

  constructor(clock: LoopClock = loopClock) {
    this.#clock = clock;
  }

  /** Called once for each request, before any work on it. @returns Whether to refuse it. */
  refusesRequest(): boolean {
    const now = this.#clock.now();
    if (!this.#isTurn) this.#beginTurn(now);
    if (!this.#isBehind || now - this.#turnStart < overloadTurnMilliseconds) return false;
    if (this.#turnMilliseconds() < overloadTurnMilliseconds) return false;
    this.#refused++;
    return true;
  }

  /** Whether even refusing takes too long in this turn, so that less should be read. */
  refusesTooMany(): boolean {
    return this.#isBehind && this.#turnMilliseconds() >= 2 * overloadTurnMilliseconds;
  }

  /**
   * Whether one more long answer would be late: too many have been waiting for an interval, or too many wait again
   * within an interval of the last refusal.
   */
  refusesAnswer(): boolean {
    const since = this.#updateCrowd();
    if (since === undefined) return false;
    const processor = this.#clock.processor();
    if (processor < since + overloadIntervalMilliseconds && processor > this.#refusesUntil) return false;
    this.#refusesUntil = processor + overloadIntervalMilliseconds;
    return true;
  }

  /**
   * Whether long answers need more than a slice of each turn: too many wait, or something was refused in the last
   * interval.
   */
  get isCrowded(): boolean {
    const since = this.#updateCrowd();
    if (this.#isBehind || since !== undefined) return true;
    return this.#refusesUntil > 0 && this.#clock.processor() <= this.#refusesUntil;
  }

  /** A long answer begins to wait for its turn. */
  beginWait(): void {
    if (++this.#waiting >= answersWaitingMax) this.#crowdedSince ??= this.#clock.processor();
  }

  endWait(): void {
    this.#waiting--;
  }

  /**
   * Ends a crowd that has gone. Called before a request and before turns are given, when most answers that want a turn
   * wait for one; between these, answers that have just had theirs do not wait again yet.
   *
   * @returns Since when too many wait, if they do.
   */
  #updateCrowd(): number | undefined {
    if (this.#waiting < answersWaitingMax) this.#crowdedSince = undefined;
    return this.#crowdedSince;
  }

  #beginTurn(now: number): void {
    this.#isTurn = true;
    this.#turnStart = now;
    this.#turnProcessor = this.#isMeasuring ? this.#clock.processor() : undefined;
    if (this.#isBehind && now - this.#intervalStart >= overloadIntervalMilliseconds) this.#endInterval(now);
    this.#clock.afterTurn(() => this.#endTurn());
  }

  #turnMilliseconds(): number {
    return this.#turnProcessor === undefined ? 0 : this.#clock.processor() - this.#turnProcessor;
  }

  #endTurn(): void {
    this.#isTurn = false;
    const now = this.#clock.now();
    const mayBeLong = now - this.#turnStart >= overloadTurnMilliseconds;
    const isLong = mayBeLong && this.#turnMilliseconds() >= overloadTurnMilliseconds;
    // The turn after one that took long by the clock is the first that is measured.
    this.#isMeasuring = mayBeLong || this.#isBehind;
    if (!isLong) this.#longTurns = 0;
    else if (this.#longTurns++ === 0) {
      this.#longSince = now;
      this.#longIdle = this.#clock.idle();
    }
    const milliseconds = now - this.#longSince;
    if (this.#isBehind || this.#longTurns < overloadTurnsMin || milliseconds < overloadIntervalMilliseconds) return;
    if (this.#clock.idle() - this.#longIdle > milliseconds * overloadIdleShareMax) return;
    this.#isBehind = true;
    this.#beginInterval(now);
  }

  /** Refuses on only while the thread has no rest and there is something to refuse. */
  #endInterval(now: number): void {
    const idle = this.#clock.idle() - this.#intervalIdle;
    if (this.#refused === 0 || idle > (now - this.#intervalStart) * overloadIdleShareMax) {
      this.#isBehind = false;
      this.#longTurns = 0;
    } else this.#beginInterval(now);
  }

  #beginInterval(now: number): void {
    this.#intervalStart = now;
    this.#intervalIdle = this.#clock.idle();
    this.#refused = 0;
  }
}
