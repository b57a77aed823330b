/** What a product costs now, in one request, with a sentence that says it. */
import { jsonText } from "../../../../contract/byte-text.ts";
import { maskSecrets } from "../../../../contract/credentials.ts";
import { type DeclaredEndpoint, endpoint } from "../../../../contract/endpoint.ts";
import { type FieldProblem, wrongField } from "../../../../contract/errors.ts";
import { gsmCharactersMax } from "../../../../contract/gsm-text.ts";
import { type AnsweredNow, nowSentence } from "../../../../contract/price-sentence.ts";
import * as s from "../../../../contract/schema.ts";
import { type Language, languages, wordsOf } from "../../../../contract/words.ts";
import { coordinatesFromText, roundKilometres } from "../../../../engine/model/coordinates.ts";
import { optional, type ValueOf } from "../../../../engine/model/json-schema.ts";
import { pricePerBaseUnit } from "../../../../engine/query/find-series.ts";
import type { Place } from "../../../../engine/query/place.ts";
import {
  type NowPrice,
  type NowQuestion,
  nowPricesMax,
  pricesNow,
  readNowQuestion,
} from "../../../../engine/query/prices-now.ts";
import { recordedPrice } from "../../../../engine/query/recorded-price.ts";
import { suggestionsMax } from "../../../../engine/query/suggest-products.ts";
import { type Catalogue, countyRecord, isCamp, marketOf, recordAt } from "../../../../engine/store/catalogue.ts";
import { roundFigure } from "../../../../engine/store/figures.ts";
import type { Store } from "../../../../engine/store/store.ts";
import { answerText } from "../../answer/json-text.ts";
import type { JsonText } from "../../answer/json-writer.ts";
import { presentRecord } from "../../answer/present-record.ts";
import { requireCode } from "../filters.ts";

type NowQuery = ValueOf<typeof nowQuery>;
const nowQuery = s.exactly({
  q: optional(
    s.searchText(
      "What is asked for, in English or Swahili: a product, and a county or market. In place of product_uuid.",
    ),
  ),
  product_uuid: optional(s.uuid("Product, in place of q.")),
  near: optional(s.pointText("The nearest markets come first, behind those at the place of q.")),
  lang: optional(s.oneOf(languages, "Language of the sentence.", { default: "en" })),
});

const recorded = {
  price: s.price("The price as recorded."),
  recorded_at: s.instant("When the price was recorded, in UTC."),
};

const nowPrice = s.object("PriceNow", "The newest price at a market.", {
  uuid: s.uuid("Identifier of the price."),
  market: s.object("MarketOfPriceNow", "A market with its type and county.", {
    ...s.marketReference.properties,
    type: s.marketTypeText,
    county: s.countyReference,
  }),
  distance_km: s.nullable(
    s.meaning(s.kilometres, "Kilometres from `near`, or else from the place; null where one of the two is not known."),
  ),
  ...recorded,
  unit: s.text("Unit of sale."),
  currency: s.text("Currency, ISO 4217."),
  price_per_base_unit: s.nullable(
    s.number("Price per base unit; null for a unit that is not known.", "`currency` per `base_unit`"),
  ),
  base_unit: s.nullableText("Unit that the unit of sale converts to."),
  refugee_camp: s.boolean("Whether the market is in a refugee camp."),
  previous: s.nullable(
    s.object("PreviousPrice", "The price before at the market, in the same unit and currency, of an earlier day.", {
      ...recorded,
      change_percent: s.nullable(s.number("Change from it to the price; null where it is next to nothing.", "percent")),
    }),
  ),
});

const nowAnswer = s.object("PricesNow", "What a product costs now.", {
  product: s.nullable(s.productReference),
  place: s.nullable(
    s.object("PlaceOfQuestion", "The county that q names, or the market with its county.", {
      county: s.countyReference,
      market: s.nullable(s.marketReference),
    }),
  ),
  prices: s.list(
    nowPrice,
    `Of at most ${nowPricesMax} markets, none older than six months before the newest of the data: those at the ` +
      "place, then the nearest; without place and near the newest, outside refugee camps first.",
  ),
  sentence: s.text(`The first price in a sentence of at most ${gsmCharactersMax} characters of GSM 03.38.`),
  not_found: s.texts("Words of q that were left out, such as a village without a market."),
  suggestions: s.list(
    s.object("SuggestedProduct", "A product that q may mean.", {
      ...s.productReference.properties,
      matched: s.text("The name of it that resembles q: its own, or an alternative one."),
    }),
    `Where no product is found, or several are named, at most ${suggestionsMax} that may be meant.`,
  ),
});

export const nowEndpoint: DeclaredEndpoint = endpoint({
  path: "/prices/now",
  access: "public",
  summary: "What a product costs now at a place or near a point, with a sentence that says it",
  id: "getPricesNow",
  task: "Price now, in one request",
  description:
    "For bots, text messages and small programs: `q` is a question as people write it, such as `bei ya mahindi " +
    "nakuru`. Prices are as recorded; without any that is not old, `prices` is empty and the sentence says since when.",
  example: { query: { q: "bei ya mahindi nakuru", near: "-0.33,35.94", lang: "sw" } },
  query: nowQuery,
  check: ({ query }) => nowProblems(query),
  answer: s.oneAnswer(nowAnswer),
  handle: ({ store, query }, run) => run(answerNow(store, query)),
});

/** @throws {ApiError} NOT_FOUND. */
function* answerNow(store: Store, query: NowQuery): Generator<number, JsonText> {
  const { q, product_uuid: uuid, near, lang = "en" } = query;
  // The answer repeats words of the text.
  const text = q === undefined ? undefined : maskSecrets(q);
  const { productCodes } = store.catalogue;
  const question: NowQuestion =
    uuid === undefined
      ? yield* readNowQuestion(store, text as string)
      : { product: requireCode(productCodes, "product", uuid), place: undefined, notFound: [], suggestions: [] };
  return answerText(jsonText(presentNow(store, { ...question, text, near, lang })));
}

/** Returns the problem of a request that has not exactly one of `q` and `product_uuid`. */
function nowProblems({ q: text, product_uuid: uuid }: NowQuery): FieldProblem[] {
  if ((text === undefined) !== (uuid === undefined)) return [];
  if (text === undefined) return [wrongField("q", null, "it or product_uuid", "missing")];
  return [wrongField("q", text, "one of them", "given beside product_uuid")];
}

interface AskedNow extends Omit<AnsweredNow, "found"> {
  readonly near: string | undefined;
  readonly lang: Language;
}

/** The `data` of an answer. */
export function presentNow(store: Store, { near, lang, ...question }: AskedNow): object {
  const { catalogue } = store;
  const { product, place, suggestions } = question;
  const point = near === undefined ? undefined : coordinatesFromText(near);
  const found = product === undefined ? undefined : pricesNow(store, product, place, point);
  return presentRecord(nowAnswer, {
    ...question,
    product: product === undefined ? null : recordAt(catalogue.products, product),
    place: place === undefined ? null : recordsOf(catalogue, place),
    prices: found?.prices.map((price) => withPlace(store, price)) ?? [],
    sentence: nowSentence(store, wordsOf(lang), { ...question, found }),
    suggestions: suggestions.map((one) => ({ ...one, ...recordAt(catalogue.products, one.product) })),
  });
}

function recordsOf(catalogue: Catalogue, { conditions: { countyId, marketUuid } }: Place): object {
  const market = marketUuid === undefined ? null : marketOf(catalogue, marketUuid);
  const id = market?.countyId ?? countyId;
  return { county: id === undefined ? null : countyRecord(catalogue, id), market };
}

/** A price with all that the answer has of it. */
function withPlace(store: Store, { row, market: code, kilometres, previousRow, change }: NowPrice): object {
  const { catalogue } = store;
  const price = recordedPrice(store, row);
  const market = recordAt(catalogue.markets, code);
  const perBaseUnit = pricePerBaseUnit(store, row);
  const previous = previousRow !== undefined && recordedPrice(store, previousRow);
  return {
    ...price,
    market: { ...market, county: countyRecord(catalogue, market.countyId) },
    distanceKm: kilometres === null ? null : roundKilometres(kilometres),
    pricePerBaseUnit: perBaseUnit === null ? null : roundFigure(perBaseUnit),
    baseUnit: catalogue.units.get(price.unit)?.baseUnit ?? null,
    refugeeCamp: isCamp(catalogue, code),
    previous: previous ? { ...previous, changePercent: change?.percent ?? null } : null,
  };
}
