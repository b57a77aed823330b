/** Row numbers → the JSON text of the answers about prices; that of statistics is in statistics-text.ts. */

import { type ByteText, byteText } from "../../../../contract/byte-text.ts";
import { dayOfInstant, type Instant } from "../../../../engine/model/calendar.ts";
import type { ProductRecord } from "../../../../engine/model/records.ts";
import { missingCode } from "../../../../engine/model/shared-columns.ts";
import type { LatestGroup } from "../../../../engine/query/latest-prices.ts";
import { countyRecord, recordAt } from "../../../../engine/store/catalogue.ts";
import { textOf } from "../../../../engine/store/shared-texts.ts";
import type { Store } from "../../../../engine/store/store.ts";
import { suspiciousReasonOf } from "../../../../engine/store/suspicious-prices.ts";
import {
  byCode,
  byStore,
  fragmentsByCode,
  type JsonText,
  joinTexts,
  listText,
  type WriteItem,
  writeList,
  writeText,
} from "../../answer/json-text.ts";
import { fragmentOf } from "../../answer/json-writer.ts";
import { countyReference, marketReference, productReference } from "../references.ts";

/** Writes the price of a row. */
type WriteRow = WriteItem<number>;

// The store guarantees that every row has a code, and every code its record or text.

// Fragments of a price: the text of what a code stands for, with the names of the fields around it. Each fragment ends
// where the next value begins, so a price is put together from ten texts and not from twenty.

/** Fields of a product, in this order. */
function productFragments(...fields: (keyof ProductRecord)[]): ReturnType<typeof fragmentsByCode> {
  return fragmentsByCode(
    ({ catalogue }, code) => `","product":${JSON.stringify(recordAt(catalogue.products, code), fields)},"market":`,
  );
}

const foundProducts = productFragments("uuid", "name", "category");
const productDetails = productFragments("uuid", "name", "category", "description");

const foundMarkets = fragmentsByCode((store, code) => {
  const { uuid, name, type, countyId } = recordAt(store.catalogue.markets, code);
  const county = JSON.stringify(countyReference(store.catalogue, countyId));
  return `${JSON.stringify({ uuid, name, type })},"county":${county},"price":`;
});

const marketDetails = fragmentsByCode(({ catalogue }, code) => {
  const { uuid, name, type, countyId, subCounty } = recordAt(catalogue.markets, code);
  const county = countyRecord(catalogue, countyId).name;
  return `${JSON.stringify({ uuid, name, type, county, sub_county: subCounty })},"price":`;
});

/** A market as `detail` shows it. */
function marketInDetail(store: Store, code: number): object {
  const { uuid, name, type, countyId } = recordAt(store.catalogue.markets, code);
  const { pcode } = countyRecord(store.catalogue, countyId);
  return { uuid, name, type, county: countyReference(store.catalogue, countyId), county_pcode: pcode };
}

const foundMarketsInDetail = fragmentsByCode((store, code) => {
  const { countyId } = recordAt(store.catalogue.markets, code);
  const county = JSON.stringify(countyReference(store.catalogue, countyId));
  return `${JSON.stringify(marketInDetail(store, code))},"county":${county},"price":`;
});

const latestMarketsInDetail = fragmentsByCode(
  (store, code) => `","market":${JSON.stringify(marketInDetail(store, code))},"price":`,
);

const latestMarkets = fragmentsByCode(
  (store, code) => `","market":${JSON.stringify(marketReference(store.catalogue, code))},"price":`,
);

const latestUnits = fragmentsByCode(
  ({ prices }, code) => `,"unit":${JSON.stringify(prices.unitNames[code])},"recorded_at":"`,
);

const units = fragmentsByCode(({ prices }, code) => `,"unit":${JSON.stringify(prices.unitNames[code])},"currency":`);

const currencies = fragmentsByCode(
  ({ prices }, code) => `${JSON.stringify(prices.currencyCodes[code])},"recorded_at":"`,
);

const sources = fragmentsByCode(
  ({ prices }, code) => `","source":${JSON.stringify(prices.sourceNames[code])},"quality_grade":`,
);

const grades = fragmentsByCode(({ prices }, code) => JSON.stringify(prices.gradeNames[code] ?? null));

const uuidStart = fragmentOf('{"uuid":"');
const objectEnd = fragmentOf("}");

const notesStart = fragmentOf(',"notes":');
const flags = fragmentsByCode(({ prices }, code) => `,"price_flag":${JSON.stringify(prices.flagNames[code] ?? null)}`);
const notSuspicious = fragmentOf(',"suspicious":false,"suspicious_reason":null');
const suspiciousFragments = {
  far: fragmentOf(',"suspicious":true,"suspicious_reason":"far"'),
  decimal_slip: fragmentOf(',"suspicious":true,"suspicious_reason":"decimal_slip"'),
} as const;
const createdStart = fragmentOf(',"created_at":"');
const updatedStart = fragmentOf('","updated_at":"');
/** The end of a price whose last field is a time. */
const timesEnd = fragmentOf('"}');

const writeNotes = byStore((store): WriteRow => {
  const { notes, noteTexts } = store.prices;
  return (writer, row) => {
    const note = notes[row]!;
    writer.fragment(notesStart);
    writer.text(note === missingCode(notes) ? "null" : JSON.stringify(textOf(noteTexts, note)));
  };
});

/** Times of entry of a price; ends where the price does. */
const writeTimes = byStore((store): WriteRow => {
  const { createdAt, updatedAt } = store.prices;
  return (writer, row) => {
    writer.fragment(createdStart);
    writer.instant(createdAt[row] as Instant);
    writer.fragment(updatedStart);
    writer.instant(updatedAt[row] as Instant);
    writer.fragment(timesEnd);
  };
});

const perBaseUnitStart = fragmentOf(',"price_per_base_unit":');
const noBaseUnit = fragmentOf('null,"base_unit":null');

/** What `detail` adds to a price; ends where the price does. */
const writeAdded = byStore((store): WriteRow => {
  const { prices, catalogue, suspicious } = store;
  const notes = writeNotes(store);
  const flag = flags(store);
  const times = writeTimes(store);
  const units = prices.unitNames.map((name) => {
    const unit = catalogue.units.get(name);
    return unit && { ...unit, end: fragmentOf(`,"base_unit":${JSON.stringify(unit.baseUnit)}`) };
  });
  return (writer, row) => {
    const unit = units[prices.units[row]!];
    writer.fragment(perBaseUnitStart);
    if (unit === undefined) writer.fragment(noBaseUnit);
    else {
      writer.figure(prices.prices[row]! / unit.conversionFactor);
      writer.fragment(unit.end);
    }
    notes(writer, row);
    writer.fragment(flag(prices.flags[row]!));
    const reason = suspiciousReasonOf(suspicious, row);
    writer.fragment(reason === null ? notSuspicious : suspiciousFragments[reason]);
    times(writer, row);
  };
});

/**
 * Writes a price with its product and market.
 *
 * @param endOf What follows the grade, and ends where the price does.
 */
function priceWriter(
  productsOf: typeof foundProducts,
  marketsOf: typeof foundMarkets,
  endOf: (store: Store) => WriteRow,
): (store: Store) => WriteRow {
  return byStore((store) => {
    const { prices } = store;
    const product = productsOf(store);
    const market = marketsOf(store);
    const unit = units(store);
    const currency = currencies(store);
    const source = sources(store);
    const grade = grades(store);
    const end = endOf(store);
    return (writer, row) => {
      writer.fragment(uuidStart);
      writer.uuid(prices.uuids, row);
      writer.fragment(product(prices.products[row]!));
      writer.fragment(market(prices.markets[row]!));
      writer.number(prices.prices[row]!);
      writer.fragment(unit(prices.units[row]!));
      writer.fragment(currency(prices.currencies[row]!));
      writer.instant(prices.recordedAt[row] as Instant);
      writer.fragment(source(prices.sources[row]!));
      writer.fragment(grade(prices.grades[row]!));
      end(writer, row);
    };
  });
}

const writeFoundPrice = priceWriter(foundProducts, foundMarkets, () => (writer) => writer.fragment(objectEnd));
const writeFoundPriceInDetail = priceWriter(foundProducts, foundMarketsInDetail, writeAdded);
const writePrice = priceWriter(productDetails, marketDetails, (store) => {
  const notes = writeNotes(store);
  const times = writeTimes(store);
  return (writer, row) => {
    notes(writer, row);
    times(writer, row);
  };
});

/** A page of prices found by search. @param isDetailed Whether the fields of `detail` are added. */
export function presentFoundPrices(store: Store, rows: Uint32Array, isDetailed = false): JsonText {
  return writeList(rows, isDetailed ? writeFoundPriceInDetail(store) : writeFoundPrice(store));
}

/** A price by itself. */
export function presentPriceDetail(store: Store, row: number): ByteText {
  const write = writePrice(store);
  return writeText((writer) => write(writer, row));
}

/** Writes a price among the newest. @param endOf What follows the time, and ends where the price does. */
function latestWriter(marketsOf: typeof latestMarkets, endOf: (store: Store) => WriteRow): (store: Store) => WriteRow {
  return byStore((store) => {
    const { uuids, prices, units: unitCodes, recordedAt, markets } = store.prices;
    const market = marketsOf(store);
    const unit = latestUnits(store);
    const end = endOf(store);
    return (writer, row) => {
      writer.fragment(uuidStart);
      writer.uuid(uuids, row);
      writer.fragment(market(markets[row]!));
      writer.number(prices[row]!);
      writer.fragment(unit(unitCodes[row]!));
      writer.instant(recordedAt[row] as Instant);
      end(writer, row);
    };
  });
}

const latestCurrencies = fragmentsByCode(
  ({ prices }, code) => `","currency":${JSON.stringify(prices.currencyCodes[code])}`,
);

const ageStart = fragmentOf(',"age_days":');

const writeLatestPrice = latestWriter(latestMarkets, () => (writer) => writer.fragment(timesEnd));
const writeLatestPriceInDetail = latestWriter(latestMarketsInDetail, (store) => {
  const { currencies } = store.prices;
  const { newestDay, ages, dayCodes } = store.periods;
  const publishedAge = dayOfInstant(store.snapshot.createdAt, store.snapshot.utcOffset) - newestDay;
  const currency = latestCurrencies(store);
  const added = writeAdded(store);
  return (writer, row) => {
    writer.fragment(currency(currencies[row]!));
    writer.fragment(ageStart);
    // A price may be recorded up to a day after its publication.
    writer.number(Math.max(0, publishedAge + ages[dayCodes[row]!]!));
    added(writer, row);
  };
});

const latestStarts = byCode((store, code) =>
  byteText(`{"product":${JSON.stringify(productReference(store.catalogue, code))},"prices":`),
);

/** The newest prices of products. @param isDetailed As in `presentFoundPrices`. */
export function presentLatest(store: Store, groups: readonly LatestGroup[], isDetailed = false): JsonText {
  const start = latestStarts(store);
  const writeRow = isDetailed ? writeLatestPriceInDetail(store) : writeLatestPrice(store);
  return listText(groups, ({ product, rows }) => joinTexts(start(product), writeList(rows, writeRow), byteText("}")));
}
