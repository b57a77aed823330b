/** The slow, obvious twin of what a product costs now; see naive-queries.ts. */
import type { Dataset } from "../../src/engine/model/dataset.ts";
import { compareTexts } from "../../src/engine/model/folded-text.ts";
import type { Uuid } from "../../src/engine/model/ids.ts";
import type { Coordinates } from "../../src/engine/model/records.ts";
import { converter, monthOf, suspiciousReasonsOf } from "./naive-suspicious.ts";
import { type PlainPrice, plainPrices } from "./plain-prices.ts";

export interface NaiveNowQuestion {
  readonly productUuid: Uuid;
  readonly countyId?: number | undefined;
  readonly marketUuid?: Uuid | undefined;
  readonly near?: Coordinates | undefined;
}

export interface NaiveNowPrice {
  readonly uuid: Uuid;
  readonly kilometres: number | null;
  readonly previous: Uuid | undefined;
}

/** By the spherical law of cosines. */
export function kilometresBetween(a: Coordinates, b: Coordinates): number {
  const [p, q, r] = [a.latitude, b.latitude, b.longitude - a.longitude].map((x) => (x * Math.PI) / 180) as [
    number,
    number,
    number,
  ];
  return (
    6371 * Math.acos(Math.max(-1, Math.min(1, Math.sin(p) * Math.sin(q) + Math.cos(p) * Math.cos(q) * Math.cos(r))))
  );
}

/** The point that distances are from: the given one, else that of the market or its county, else that of the county. */
function originOf(dataset: Dataset, { near, marketUuid, countyId }: NaiveNowQuestion): Coordinates | null {
  if (near !== undefined) return near;
  const market = dataset.markets.find(({ uuid }) => uuid === marketUuid);
  if (market?.location) return market.location;
  return dataset.counties.find(({ id }) => id === (market?.countyId ?? countyId))?.coordinates ?? null;
}

/** At most three prices, one a market: at the place first, then the nearest, else the newest outside camps. */
export function naiveNow(dataset: Dataset, question: NaiveNowQuestion): NaiveNowPrice[] {
  const suspicious = suspiciousReasonsOf(dataset);
  // The newest month of the data is that of a value: not suspicious, in unit and currency of the product's statistics.
  const newestMonth = Math.max(
    ...[...Map.groupBy(plainPrices(dataset), ({ product }) => product.uuid).values()].flatMap((ofProduct) => {
      const convert = converter(dataset, ofProduct);
      return ofProduct.filter((price) => !suspicious.has(price.uuid) && convert(price) !== undefined).map(monthOf);
    }),
  );
  const sound = plainPrices(dataset)
    .filter(({ uuid, product }) => product.uuid === question.productUuid && !suspicious.has(uuid))
    .sort((a, b) => b.recordedAt - a.recordedAt || compareTexts(a.uuid, b.uuid));
  const origin = originOf(dataset, question);
  const found = [...Map.groupBy(sound, ({ market }) => market).values()].flatMap(([newest, ...older]) => {
    if (newest === undefined || monthOf(newest) < newestMonth - 6) return [];
    const { market, day, unit, currency } = newest;
    const previous = older.find((one) => one.day < day && one.unit === unit && one.currency === currency);
    const kilometres = origin && market.location && kilometresBetween(origin, market.location);
    const isAtPlace = market.uuid === question.marketUuid || market.countyId === question.countyId;
    const isLast = (isAtPlace || origin === null) && market.setting === "refugee_camp";
    return [{ newest, kilometres, previous: previous?.uuid, keys: [Number(!isAtPlace), Number(isLast)] }];
  });
  const byNewest = (a: PlainPrice, b: PlainPrice): number =>
    b.recordedAt - a.recordedAt || compareTexts(a.uuid, b.uuid);
  // Two ways to compute a distance differ in its last digits.
  const far = (kilometres: number | null): number => (kilometres === null ? 1e9 : Math.round(kilometres * 1000));
  return found
    .sort(
      (a, b) =>
        (a.keys[0] as number) - (b.keys[0] as number) ||
        (a.keys[1] as number) - (b.keys[1] as number) ||
        far(a.kilometres) - far(b.kilometres) ||
        byNewest(a.newest, b.newest),
    )
    .slice(0, 3)
    .map(({ newest, kilometres, previous }) => ({ uuid: newest.uuid, kilometres, previous }));
}

/** The dataset with markets that have locations and without, in camps and elsewhere. */
export function withPlaces(dataset: Dataset): Dataset {
  const markets = dataset.markets.map((market, at) => {
    const location = { latitude: at - 4, longitude: 35 + ((at * 7) % 5), address: null };
    return {
      ...market,
      location: at % 4 === 3 ? null : location,
      setting: at % 2 === 0 ? ("refugee_camp" as const) : null,
    };
  });
  return { ...dataset, markets };
}
