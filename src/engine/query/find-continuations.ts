/** Finds which product has the prices of another one from some month on, as the snapshot judges. */
import type { Uuid } from "../model/ids.ts";
import type { ContinuationRecord } from "../model/records.ts";
import type { MarketType } from "../model/vocabulary.ts";
import type { Catalogue } from "../store/catalogue.ts";

/** The judgements about a product at markets of a type, each in the order of the table. */
export interface Continuations {
  /** In which it is the later product. */
  readonly continues: readonly ContinuationRecord[];
  /** In which it is the earlier one. */
  readonly continuedBy: readonly ContinuationRecord[];
}

/** @returns Empty lists for a product without any. Cost: a look at every judgement. */
export function findContinuations(
  { continuations }: Catalogue,
  productUuid: Uuid,
  marketType: MarketType,
): Continuations {
  const ofType = continuations.filter((judged) => judged.marketType === marketType);
  return {
    continues: ofType.filter((judged) => judged.productUuid === productUuid),
    continuedBy: ofType.filter((judged) => judged.continuesUuid === productUuid),
  };
}
