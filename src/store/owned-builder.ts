import { sharedUint32 } from "../domain/shared-columns.ts";
import { type GroupFigures, GroupFiguresBuilder } from "./group-figures.ts";

/** Figures of several owners: those of owner o are groups `offsets[o]` to `offsets[o + 1] - 1`. */
export interface OwnedFigures {
  readonly offsets: Uint32Array<SharedArrayBuffer>;
  readonly figures: GroupFigures<SharedArrayBuffer>;
}

/** Figures of one owner after the other. */
export class OwnedBuilder {
  readonly figures: GroupFiguresBuilder = new GroupFiguresBuilder();
  readonly #offsets: Uint32Array<SharedArrayBuffer>;
  #owner = 0;

  constructor(ownerCount: number) {
    this.#offsets = sharedUint32(ownerCount + 1);
  }

  /** Runs what adds the next owner's groups. */
  addAll(groups: Iterator<unknown>): void {
    while (groups.next().done !== true);
    this.endOwner();
  }

  endOwner(): void {
    this.#owner++;
    this.#offsets[this.#owner] = this.figures.size;
  }

  finish(): OwnedFigures {
    return { offsets: this.#offsets, figures: this.figures.finish() };
  }
}
