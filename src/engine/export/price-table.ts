/** The table of prices, by row of a store, and what answers have of a price beside it. */

import { dayOfInstant } from "../model/calendar.ts";
import { readUuid } from "../model/ids.ts";
import { missingCode } from "../model/shared-columns.ts";
import { priceFlags } from "../model/vocabulary.ts";
import { pricePerBaseUnit } from "../query/find-series.ts";
import type { CodeColumn } from "../store/columns.ts";
import { textOf } from "../store/shared-texts.ts";
import type { Store } from "../store/store.ts";
import { isSuspicious, suspiciousReasonOf, suspiciousReasons, suspiciousRule } from "../store/suspicious-prices.ts";
import {
  baseUnitOf,
  countyPcodeColumn,
  marketColumns,
  marketOf,
  productColumns,
  productOf,
  settingColumn,
} from "./reference-columns.ts";
import {
  type Column,
  type ColumnDetails,
  type ColumnMaker,
  type Columns,
  type ColumnType,
  codedColumns,
  ofRow,
} from "./table-columns.ts";

// The store guarantees that every row has a code, and every code its record or text.

const ofProduct = codedByRow(({ prices }) => prices.products);
const ofMarket = codedByRow(({ prices }) => prices.markets);
const ofUnit = codedByRow(({ prices }) => prices.units);
const ofCurrency = codedByRow(({ prices }) => prices.currencies);
const ofDay = codedByRow(({ periods }) => periods.dayCodes);
const ofSource = codedByRow(({ prices }) => prices.sources);
const ofGrade = codedByRow(({ prices }) => prices.grades);
const ofFlag = codedByRow(({ prices }) => prices.flags);

/** Code of prices that are not suspicious; those below are positions in `suspiciousReasons`. */
const notSuspicious = suspiciousReasons.length;

const ofReason = codedColumns<number>(({ suspicious }) => (row) => {
  return isSuspicious(suspicious, row)
    ? suspiciousReasons.indexOf(suspiciousReasonOf(suspicious, row)!)
    : notSuspicious;
});

const ageDescription =
  "How many days before the publication of the snapshot it was recorded. It does not grow while a snapshot is served.";
const ageUnit = { unit: "Kenyan days" };

/** Prices, by row. */
export const priceTable: Columns<number> = [
  {
    ...ofRow<number>("uuid", "uuid", "Identifier of the price.", (row, { prices }) => readUuid(prices.uuids, row)),
    storedIn: ({ prices }) => prices.uuids,
  },
  ofDay(
    "date",
    "date",
    "Day on which the price was recorded, in Kenya.",
    (day, { periods }) => periods.day.labels[day]!,
    { answer: null },
  ),
  ofStored(
    "recorded_at",
    "timestamp",
    "Time at which the price was recorded, in UTC.",
    ({ prices }) => prices.recordedAt,
    { answer: { description: "When the price was recorded, in UTC." } },
  ),
  ...productColumns(ofProduct),
  ofProduct("category", "text", "Category of the product.", (product, store) => productOf(product, store).category, {
    answer: { path: "product.category", description: "Primary category of the product." },
  }),
  ...marketColumns(ofMarket),
  ofStored("price", "number", "Price as recorded, in the currency, per unit.", ({ prices }) => prices.prices, {
    unit: "`currency` per `unit`",
  }),
  ofCurrency(
    "currency",
    "text",
    "Currency of the price, ISO 4217.",
    (code, { prices }) => prices.currencyCodes[code]!,
    {
      answer: { description: "Currency of the price, ISO 4217; KES are Kenyan shillings." },
    },
  ),
  ofUnit("unit", "text", "Unit in which the price was recorded.", (unit, { prices }) => prices.unitNames[unit]!, {
    answer: { description: "Unit the price is for, by its name in /reference/units." },
  }),
  ofRow(
    "price_per_base_unit",
    "number?",
    "Price per base unit, rounded to 6 decimals.",
    (row, store) => pricePerBaseUnit(store, row),
    {
      unit: "`currency` per `base_unit`",
      isRounded: true,
      answer: { description: "The price, rounded to 6 decimals; null where the unit is unknown." },
    },
  ),
  ofUnit("base_unit", "text?", "Unit that the unit converts to, such as kg for a 90 kg bag.", baseUnitOf, {
    answer: { description: "Unit that the unit converts to." },
  }),
  ofSource("source", "text", "Who recorded the price.", (source, { prices }) => prices.sourceNames[source]!, {
    answer: { description: "Where the price comes from." },
  }),
  ofGrade(
    "quality_grade",
    "text?",
    "Grade of the goods, where it was recorded.",
    (grade, { prices }) => (grade === missingCode(prices.grades) ? null : prices.gradeNames[grade]!),
    { answer: { description: "Grade of the goods." } },
  ),
  ofRow("notes", "text?", "Remarks of the source.", (row, { prices: { notes, noteTexts } }) =>
    // The code of a missing note is beyond the texts.
    notes[row]! >= noteTexts.offsets.length - 1 ? null : textOf(noteTexts, notes[row]!),
  ),
  ofFlag(
    "price_flag",
    "text?",
    "What the source says of how the price was made: actual, aggregate, actual_aggregate or forecast.",
    (flag, { prices }) => (flag === missingCode(prices.flags) ? null : prices.flagNames[flag]!),
    {
      values: priceFlags,
      answer: { description: "What the source says of how the price was made; null where nothing." },
    },
  ),
  ofReason(
    "suspicious",
    "boolean",
    `Whether the price looks wrong beside its neighbours, by the rule ${suspiciousRule}.`,
    (reason) => reason !== notSuspicious,
    { answer: { description: `Whether it looks wrong beside its neighbours (${suspiciousRule}).` } },
  ),
  ofReason(
    "suspicious_reason",
    "text?",
    "Why it looks wrong: decimal_slip (10 or 100 times too high or too low) or far.",
    (reason) => suspiciousReasons[reason] ?? null,
    {
      values: suspiciousReasons,
      answer: {
        description: "Why it looks wrong: decimal_slip is 10 or 100 times too high or too low; null where it does not.",
      },
    },
  ),
  countyPcodeColumn(ofMarket, {
    path: "market.county_pcode",
    description: "P-code of the county; null when unknown.",
  }),
  settingColumn(ofMarket, { path: "market.setting" }),
];

/** Columns of prices that only answers have. */
export const priceAnswerColumns: Columns<number> = [
  ofProduct("description", "text", "What the product is.", (product, store) => productOf(product, store).description),
  ofMarket("sub_county", "text?", "Name of the sub-county.", (market, store) => marketOf(market, store).subCounty),
  ofDay("age_days", "integer", `${ageDescription} The same as age_days_at_publication.`, ageInDays, ageUnit),
  ofDay("age_days_at_publication", "integer", ageDescription, ageInDays, ageUnit),
  ofStored("created_at", "timestamp", "When the record was made, in UTC.", ({ prices }) => prices.createdAt),
  ofStored("updated_at", "timestamp", "When the record was last changed, in UTC.", ({ prices }) => prices.updatedAt),
];

/** Age of the prices of a day when the snapshot was published. A price may be recorded up to a day later. */
function ageInDays(day: number, { snapshot, periods }: Store): number {
  const publishedAge = dayOfInstant(snapshot.createdAt, snapshot.utcOffset) - periods.newestDay;
  return Math.max(0, publishedAge + periods.ages[day]!);
}

/** Makes columns of prices from a column of codes. */
function codedByRow(storedIn: (store: Store) => CodeColumn): ColumnMaker<number, number> {
  const coded = codedColumns<number>((store) => {
    const codes = storedIn(store);
    return (row) => codes[row]!;
  });
  return (...declaration) => ({ ...coded(...declaration), storedIn });
}

/** A column of numbers or instants of a store. */
function ofStored(
  name: string,
  type: ColumnType,
  description: string,
  storedIn: (store: Store) => Float64Array,
  details?: ColumnDetails,
): Column<number> {
  return { ...ofRow<number>(name, type, description, (row, store) => storedIn(store)[row]!, details), storedIn };
}
