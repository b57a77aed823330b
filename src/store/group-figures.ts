/**
 * The figures of groups of prices, as columns: one entry a group. What a mean, a median and a deviation are is said here
 * once, for figures kept ready in a store and for those made on request.
 *
 * Sums carry what each addition rounds away (A. Neumaier, "Rundungsfehleranalyse einiger Verfahren zur Summation
 * endlicher Summen", ZAMM 54 (1974), 39–51), which is found without asking which of two numbers is the greater (D. E.
 * Knuth, The Art of Computer Programming 2, 4.2.2, theorem B). The deviation comes from the squares of the differences from the mean, never
 * from a sum of squares, so that large prices close together keep their digits.
 */
import { sharedFloat64, sharedUint32 } from "../domain/shared-columns.ts";
import { medianOf, medianOfSorted, shortRange, sortShort } from "./select-middle.ts";

/** Columns of figures; `Buffer` tells whether other threads may attach to them. */
export interface GroupFigures<Buffer extends ArrayBufferLike = ArrayBufferLike> {
  /** What the group is: a period, a series or a county; told by whoever keeps the figures. */
  readonly keys: Uint32Array<Buffer>;
  /** Prices that the figures are made of; the figures of an empty group are 0. */
  readonly counts: Uint32Array<Buffer>;
  readonly means: Float64Array<Buffer>;
  readonly mins: Float64Array<Buffer>;
  readonly maxs: Float64Array<Buffer>;
  /** The mean of the two middle values when the count is even. */
  readonly medians: Float64Array<Buffer>;
  /** Sample standard deviations (n − 1); 0 for one price. */
  readonly deviations: Float64Array<Buffer>;
  /** Prices among `counts` that were recorded in another unit. */
  readonly converted: Uint32Array<Buffer>;
  /** Prices of the group that are not among `counts`, because of their unit or currency. */
  readonly excluded: Uint32Array<Buffer>;
}

/**
 * Prices above this could overflow a sum of squares. They are scaled by a power of two first, which changes no digit.
 */
const hugePrice = 2 ** 480;
const hugePriceScale = 2 ** -560;

/** The figures of one group, as `GroupFigures` has them in its columns. */
export interface OneGroup {
  readonly count: number;
  readonly mean: number;
  readonly min: number;
  readonly max: number;
  readonly median: number;
  readonly deviation: number;
  readonly converted: number;
  readonly excluded: number;
}

const noCounts = new Uint32Array(0);
const noNumbers = new Float64Array(0);

/** Adds groups one by one and hands them over as columns. */
export class GroupFiguresBuilder {
  #keys: Uint32Array = noCounts;
  #counts: Uint32Array = noCounts;
  #means: Float64Array = noNumbers;
  #mins: Float64Array = noNumbers;
  #maxs: Float64Array = noNumbers;
  #medians: Float64Array = noNumbers;
  #deviations: Float64Array = noNumbers;
  #converted: Uint32Array = noCounts;
  #excluded: Uint32Array = noCounts;
  #size = 0;

  /** Groups so far. */
  get size(): number {
    return this.#size;
  }

  /**
   * Adds the figures of one group.
   *
   * @param values Prices in one unit and currency, finite; the first `count` are reordered.
   * @param count May be 0: then only `excluded` says anything.
   * Cost: two passes and a selection, in all a few steps per value.
   */
  add(key: number, values: Float64Array, count: number, converted: number, excluded: number): void {
    const group = this.#size++;
    if (group === this.#keys.length) this.#grow();
    this.#keys[group] = key;
    this.#counts[group] = count;
    this.#converted[group] = converted;
    this.#excluded[group] = excluded;
    if (count === 0) {
      this.#means[group] = this.#mins[group] = this.#maxs[group] = this.#medians[group] = this.#deviations[group] = 0;
      return;
    }
    if (count === 1) {
      const value = values[0]!;
      this.#means[group] = this.#mins[group] = this.#maxs[group] = this.#medians[group] = value;
      this.#deviations[group] = 0;
      return;
    }
    const isShort = count <= shortRange;
    let min = values[0]!;
    let max = min;
    if (isShort) {
      sortShort(values, 0, count - 1);
      min = values[0]!;
      max = values[count - 1]!;
    } else {
      for (let at = 1; at < count; at++) {
        const value = values[at]!;
        if (value < min) min = value;
        if (value > max) max = value;
      }
    }
    const scale = max > hugePrice ? hugePriceScale : 1;
    // The division rounds once more and could leave the range of the values by its last bit; held inside, equal prices
    // have exactly their own average.
    const mean = Math.min(Math.max(meanOf(values, count, scale), min * scale), max * scale);
    this.#means[group] = mean / scale;
    this.#mins[group] = min;
    this.#maxs[group] = max;
    this.#deviations[group] = min === max ? 0 : deviationOf(values, count, scale, mean) / scale;
    this.#medians[group] = isShort ? medianOfSorted(values, count) : medianOf(values, count);
  }

  /** Adds one group whose figures are known. @param group At least one price. */
  addFigures(key: number, { count, mean, min, max, median, deviation, converted, excluded }: OneGroup): void {
    const group = this.#size++;
    if (group === this.#keys.length) this.#grow();
    this.#keys[group] = key;
    this.#counts[group] = count;
    this.#means[group] = mean;
    this.#mins[group] = min;
    this.#maxs[group] = max;
    this.#medians[group] = median;
    this.#deviations[group] = deviation;
    this.#converted[group] = converted;
    this.#excluded[group] = excluded;
  }

  /** Adds a group of other columns. */
  addFrom(key: number, figures: GroupFigures, from: number): void {
    const group = this.#size++;
    if (group === this.#keys.length) this.#grow();
    this.#keys[group] = key;
    this.#counts[group] = figures.counts[from]!;
    this.#means[group] = figures.means[from]!;
    this.#mins[group] = figures.mins[from]!;
    this.#maxs[group] = figures.maxs[from]!;
    this.#medians[group] = figures.medians[from]!;
    this.#deviations[group] = figures.deviations[from]!;
    this.#converted[group] = figures.converted[from]!;
    this.#excluded[group] = figures.excluded[from]!;
  }

  /** Forgets all groups and keeps the memory. */
  clear(): void {
    this.#size = 0;
  }

  /** The columns as they are now, for reading on the spot; adding more groups may leave them behind. */
  view(): GroupFigures {
    return {
      keys: this.#keys,
      counts: this.#counts,
      means: this.#means,
      mins: this.#mins,
      maxs: this.#maxs,
      medians: this.#medians,
      deviations: this.#deviations,
      converted: this.#converted,
      excluded: this.#excluded,
    };
  }

  /** The columns at their final size in shared memory, in the order in which the groups were added. */
  finish(): GroupFigures<SharedArrayBuffer> {
    return {
      keys: sharedCopy(this.#keys, sharedUint32(this.#size)),
      counts: sharedCopy(this.#counts, sharedUint32(this.#size)),
      means: sharedCopy(this.#means, sharedFloat64(this.#size)),
      mins: sharedCopy(this.#mins, sharedFloat64(this.#size)),
      maxs: sharedCopy(this.#maxs, sharedFloat64(this.#size)),
      medians: sharedCopy(this.#medians, sharedFloat64(this.#size)),
      deviations: sharedCopy(this.#deviations, sharedFloat64(this.#size)),
      converted: sharedCopy(this.#converted, sharedUint32(this.#size)),
      excluded: sharedCopy(this.#excluded, sharedUint32(this.#size)),
    };
  }

  /** One block of memory for all columns: many builders stay empty, and few stop at a handful of groups. */
  #grow(): void {
    const size = Math.max(64, this.#keys.length * 4);
    const block = new ArrayBuffer(size * groupBytes);
    const numbers = (index: number): Float64Array<ArrayBuffer> => new Float64Array(block, index * size * 8, size);
    const counts = (index: number): Uint32Array<ArrayBuffer> =>
      new Uint32Array(block, (numberColumns * 8 + index * 4) * size, size);
    this.#means = grown(this.#means, numbers(0));
    this.#mins = grown(this.#mins, numbers(1));
    this.#maxs = grown(this.#maxs, numbers(2));
    this.#medians = grown(this.#medians, numbers(3));
    this.#deviations = grown(this.#deviations, numbers(4));
    this.#keys = grown(this.#keys, counts(0));
    this.#counts = grown(this.#counts, counts(1));
    this.#converted = grown(this.#converted, counts(2));
    this.#excluded = grown(this.#excluded, counts(3));
  }
}

const numberColumns = 5;
const countColumns = 4;
const groupBytes = numberColumns * 8 + countColumns * 4;

/** The mean of the scaled values. */
function meanOf(values: Float64Array, count: number, scale: number): number {
  let sum = 0;
  let lost = 0;
  for (let at = 0; at < count; at++) {
    const value = values[at]! * scale;
    const next = sum + value;
    const added = next - sum;
    lost += sum - (next - added) + (value - added);
    sum = next;
  }
  return (sum + lost) / count;
}

/** The sample standard deviation of the scaled values from their mean. */
function deviationOf(values: Float64Array, count: number, scale: number, mean: number): number {
  let sum = 0;
  let lost = 0;
  for (let at = 0; at < count; at++) {
    const difference = values[at]! * scale - mean;
    const value = difference * difference;
    const next = sum + value;
    const added = next - sum;
    lost += sum - (next - added) + (value - added);
    sum = next;
  }
  return Math.sqrt((sum + lost) / (count - 1));
}

function grown<Column extends Uint32Array | Float64Array>(from: Column, into: Column): Column {
  into.set(from);
  return into;
}

function sharedCopy<Column extends Uint32Array<SharedArrayBuffer> | Float64Array<SharedArrayBuffer>>(
  from: Uint32Array | Float64Array,
  into: Column,
): Column {
  into.set(from.subarray(0, into.length));
  return into;
}
