/**
 * Prices far from the usual one, and the slips that explain them.
 *
 * The median and the median absolute deviation stand against any number of wrong prices below a half (P. J. Rousseeuw
 * and C. Croux, "Alternatives to the Median Absolute Deviation", JASA 88 (1993)). Deviations are of logarithms: a price
 * that is ten times too low is as far away as one that is ten times too high.
 */
import { foundName } from "../../../engine/snapshots/problem.ts";
import { recordAt } from "../../../engine/store/catalogue.ts";
import type { Store } from "../../../engine/store/store.ts";
import { neighboursMin, type UsualPrice } from "./usual-prices.ts";
import { type Description, type Finding, findingOf, type Judgement } from "./warning.ts";

/** Finds prices that come near to the usual one when a decimal point is moved. */
export function* findDecimalSlips(judgement: Judgement): Generator<Finding> {
  for (const row of judgement.verdicts.rowsOf("decimal-slip")) {
    yield findingOf("decimal-slip", row, () => {
      const { usual, slip } = judgement.verdicts.explain(row);
      const factor = slip?.factor ?? 1;
      const looks = factor > 1 ? `${factor} times too high` : `${1 / factor} times too low`;
      return describeFar(judgement.after, row, usual, { text: `, which looks ${looks}`, factor });
    });
  }
}

/** Finds prices that come near to the usual one when they are read as the price of another unit of the product. */
export function* findUnitSlips(judgement: Judgement): Generator<Finding> {
  for (const row of judgement.verdicts.rowsOf("unit-slip")) {
    yield findingOf("unit-slip", row, () => {
      const { usual, slip } = judgement.verdicts.explain(row);
      const text = `, which looks like the price per ${foundName(slip?.unit ?? "")}`;
      return describeFar(judgement.after, row, usual, { text, factor: slip?.factor });
    });
  }
}

/** Finds prices far from the usual one that no slip explains. */
export function* findOutliers(judgement: Judgement): Generator<Finding> {
  for (const row of judgement.verdicts.rowsOf("outlier")) {
    yield findingOf("outlier", row, () => {
      const { usual } = judgement.verdicts.explain(row);
      return describeFar(judgement.after, row, usual, { text: "", factor: undefined });
    });
  }
}

/** Finds prices for which there is no usual one. */
export function* findUnjudged({ after, verdicts }: Judgement): Generator<Finding> {
  const { catalogue, prices } = after;
  for (const row of verdicts.rowsOf("not-judged")) {
    yield findingOf("not-judged", row, () => {
      const { name } = recordAt(catalogue.products, prices.products[row]!);
      const wanted = `at least ${neighboursMin} prices of ${foundName(name)} of the year before to judge it by`;
      return { field: "price", found: String(prices.prices[row]), wanted };
    });
  }
}

/** @param slip Its words behind the price, and by how much it has multiplied the price. */
function describeFar(
  { catalogue, prices }: Store,
  row: number,
  usual: UsualPrice,
  slip: { readonly text: string; readonly factor: number | undefined },
): Description {
  const [least, about, greatest] = [1 / usual.ratioMax, 1, usual.ratioMax].map((by) => shortNumber(usual.price * by));
  const { name } = recordAt(catalogue.products, prices.products[row]!);
  const market = recordAt(catalogue.markets, prices.markets[row]!);
  const where = { own: foundName(market.name), type: `${market.type} markets`, all: "markets of all types" }[
    usual.markets
  ];
  const among = usual.judgesItself ? ", those of this publication among them" : "";
  const others = `${usual.count} recent prices of ${foundName(name)} at ${where}${among}`;
  const currency = prices.currencyCodes[prices.currencies[row]!]!;
  const basis = `the median of ${others}, ${currency} per ${foundName(prices.unitNames[prices.units[row]!]!)}`;
  return {
    field: "price",
    found: `${prices.prices[row]}${slip.text}`,
    wanted: `${least} to ${greatest}, about ${about}, ${basis}`,
    deviation: { usualPrice: usual.price, slipFactor: slip.factor },
  };
}

/** Four significant digits are enough to see what is meant. */
function shortNumber(value: number): string {
  return String(Number(value.toPrecision(4)));
}
