/** What the contenders are asked: the input of an endpoint, and what our answer time is held to. */
import type { LatestPricesInput, PriceSearchBody } from "../../src/service/http/resources/prices/price-endpoints.ts";
import type { PriceStatisticsBody } from "../../src/service/http/resources/prices/statistics-endpoints.ts";

/** The input of each kind of question; a kind is one endpoint. */
export interface QuestionInputs {
  readonly price: { readonly uuid: string };
  readonly latest: LatestPricesInput;
  readonly search: PriceSearchBody;
  readonly statistics: PriceStatisticsBody;
}

type QuestionKind = keyof QuestionInputs;

/** One question of the race. The type says which kind of input its variants are. */
export type Question = { readonly [Kind in QuestionKind]: QuestionOf<Kind> }[QuestionKind];

export interface QuestionOf<Kind extends QuestionKind> {
  /** As it stands in the tables. */
  readonly name: string;
  readonly kind: Kind;
  /** How many times faster than the best peer our answer has to be; null where only our time is limited. */
  readonly target: number | null;
  /** Whether our time must hardly grow from one million prices to ten. */
  readonly staysFlat: boolean;
  /** The same question with other parameters, so that no contender lives on the memory of one of them. */
  readonly variants: readonly QuestionInputs[Kind][];
}
