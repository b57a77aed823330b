import type { Dataset } from "../../src/engine/model/dataset.ts";
import type { PriceSearchBody } from "../../src/service/http/resources/prices/price-endpoints.ts";
import type { PriceStatisticsBody } from "../../src/service/http/resources/prices/statistics-endpoints.ts";
import type { Question, QuestionOf } from "./question.ts";
import { QuestionParameters } from "./question-parameters.ts";

/**
 * How many times faster than the best peer a question must be. Questions without a target ask for little, which SQLite
 * answers from an index made for the question, or for much that all have to read; they must take less than 10 ms.
 */
const targets = { price: 3, latest: 5, firstPage: 5, wholePeriods: 20 } as const;

/** Statistics by time over whole periods, without a market, county or type, in one unit. */
const wholePeriods = /^\w+ years? by (?:day|week|month)$/;

/** A page far behind, of the default size: the 100,000th price is its last. */
const pageFar = 5000;

/** A limit that lets all pairs of market and unit through. */
const limitWide = 1000;

/**
 * All questions of the race, fitted to a dataset. Equal datasets with equal seeds give equal questions.
 *
 * @param variantCount How many sets of parameters a question has (look-ups by uuid: ten times as many).
 */
export function makeQuestions(dataset: Dataset, seed: number, variantCount: number): Question[] {
  const parameters = new QuestionParameters(dataset, seed);
  return [
    ...priceQuestions(parameters, variantCount),
    ...latestQuestions(parameters, variantCount),
    ...searchQuestions(parameters, variantCount),
    ...statisticsQuestions(parameters, variantCount),
  ];
}

function priceQuestions(parameters: QuestionParameters, count: number): QuestionOf<"price">[] {
  const variants = times(10 * count, () => ({ uuid: parameters.anyPrice().uuid }));
  return [{ name: "price by uuid", kind: "price", target: targets.price, staysFlat: true, variants }];
}

function latestQuestions(parameters: QuestionParameters, count: number): QuestionOf<"latest">[] {
  const question = (name: string, variants: QuestionOf<"latest">["variants"]): QuestionOf<"latest"> => ({
    name: `latest: ${name}`,
    kind: "latest",
    target: targets.latest,
    staysFlat: true,
    variants,
  });
  const wide = { one_per_market: true, limit: limitWide };
  return [
    question(
      "one product",
      times(count, () => ({ product_uuids: [parameters.anyPrice().product] })),
    ),
    question("all products", [{}]),
    question(
      "all products, county",
      times(count, () => ({ county_id: parameters.anyPrice().county })),
    ),
    question(
      "one product, one per market",
      times(count, () => ({ product_uuids: [parameters.anyPrice().product], ...wide })),
    ),
    question("all products, one per market", [{ one_per_market: true }]),
  ];
}

function searchQuestions(parameters: QuestionParameters, count: number): QuestionOf<"search">[] {
  const filters: { name: string; isIndexed: boolean; variants: PriceSearchBody[] }[] = [
    filter("product", () => ({ product_uuid: parameters.anyPrice().product })),
    filter("market", () => ({ market_uuid: parameters.anyPrice().market })),
    filter("county", () => ({ county_id: parameters.anyPrice().county })),
    filter("product, county, days", () => {
      const { product, county } = parameters.anyPrice();
      return { product_uuid: product, county_id: county, ...parameters.days(parameters.random.between(90, 730)) };
    }),
    {
      ...filter("price range", () => parameters.priceRange()),
      isIndexed: false,
    },
    {
      ...filter("narrow price range", () => parameters.narrowPriceRange()),
      isIndexed: false,
    },
    {
      ...filter("price range, days", () => ({
        ...parameters.priceRange(),
        ...parameters.days(parameters.random.between(30, 365)),
      })),
      isIndexed: false,
    },
    {
      ...filter("price range, county, days", () => ({
        ...parameters.priceRange(),
        county_id: parameters.anyPrice().county,
        ...parameters.days(parameters.random.between(30, 365)),
      })),
      isIndexed: false,
    },
    { ...filter("nothing", () => ({})), variants: [{}] },
  ];
  return filters.flatMap(({ name, isIndexed, variants }) => [
    {
      name: `search: ${name}; page 1`,
      kind: "search",
      target: name.includes("price range") ? null : targets.firstPage,
      staysFlat: isIndexed,
      variants,
    },
    {
      name: `search: ${name}; page ${pageFar}`,
      kind: "search",
      target: null,
      staysFlat: false,
      variants: variants.map((variant) => ({ ...variant, page: pageFar })),
    },
  ]);

  function filter(name: string, variant: () => PriceSearchBody) {
    return { name, isIndexed: true, variants: times(count, variant) };
  }
}

function statisticsQuestions(parameters: QuestionParameters, count: number): QuestionOf<"statistics">[] {
  const spans = [
    { name: "ten years by month", group_by: "month", days: () => parameters.wholeMonths() },
    { name: "one year by day", group_by: "day", days: () => parameters.days(365) },
    { name: "ten years by week", group_by: "week", days: () => parameters.tenYears() },
    { name: "ten years by market", group_by: "market", days: () => parameters.tenYears() },
    { name: "ten years by county", group_by: "county", days: () => parameters.tenYears() },
  ] as const;
  const filters = [
    { name: "", filter: () => ({ product_uuid: parameters.anyPrice().product }) },
    {
      name: ", with a market",
      filter: () => {
        const { product, market } = parameters.anyPrice();
        return { product_uuid: product, market_uuid: market };
      },
    },
    {
      name: ", with a county",
      filter: () => {
        const { product, county } = parameters.anyPrice();
        return { product_uuid: product, county_id: county };
      },
    },
    {
      name: ", with a market type",
      filter: () => {
        const { product, marketType } = parameters.anyPrice();
        return { product_uuid: product, market_type: marketType };
      },
    },
    { name: ", mixed units", filter: () => ({ product_uuid: parameters.mixedPrice().product }) },
  ];
  const questions = spans.flatMap((span) =>
    filters.map(({ name, filter }) =>
      question(`${span.name}${name}`, span.group_by === "month" && name === "", () => ({
        ...filter(),
        ...span.days(),
        group_by: span.group_by,
      })),
    ),
  );
  const cut = question("ten years by month, first and last month cut", false, () => ({
    product_uuid: parameters.anyPrice().product,
    ...parameters.tenYears(),
    group_by: "month",
  }));
  return [...questions, cut];

  function question(name: string, staysFlat: boolean, variant: () => PriceStatisticsBody): QuestionOf<"statistics"> {
    const variants = times(count, variant);
    const target = wholePeriods.test(name) ? targets.wholePeriods : null;
    return { name: `statistics: ${name}`, kind: "statistics", target, staysFlat, variants };
  }
}

function times<Item>(count: number, make: () => Item): Item[] {
  return Array.from({ length: count }, make);
}
