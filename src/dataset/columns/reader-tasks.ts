import type { Block, ReadingPlan } from "./block-reader.ts";
import type { RepeatedUuidsQuestion } from "./repeated-uuids.ts";

/** What a reading thread is asked; the plan first, then the rest. */
export type ReaderTask =
  | { readonly kind: "plan"; readonly plan: ReadingPlan }
  | { readonly kind: "block"; readonly block: Block }
  | { readonly kind: "repeats"; readonly question: RepeatedUuidsQuestion };
