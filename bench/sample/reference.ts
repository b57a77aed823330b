/**
 * The facts that every sample is made from, in the folder `reference`. The counties are Kenya's 47, with rounded
 * figures (population and area after the census of 2019, coordinates about the middle); the towns are real market
 * towns. Sub-counties, levels of prices, shares and seasons are plausible inventions.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type {
  CountyRecord,
  CropRecord,
  MarketTypeRecord,
  UnitCategoryRecord,
  UnitRecord,
} from "../../src/engine/model/records.ts";

export interface CountyFacts extends Omit<CountyRecord, "createdAt" | "updatedAt"> {
  /** The most important market town first. Each is a ward of one sub-county. */
  readonly towns: readonly string[];
  /** Prices here in percent of the country's. */
  readonly priceLevel: number;
  /** The currency of the neighbours, in which some prices are quoted along the border; null inland. */
  readonly borderCurrency: string | null;
}

/** What is traded; in an order that mixes the categories, so that a small sample has something of each. */
export interface Goods {
  readonly name: string;
  readonly swahiliName: string;
  readonly category: string;
  readonly subCategory: string | null;
  readonly trade: string;
  readonly season: string;
  /** Kenya shillings for one base unit at the beginning of a sample. */
  readonly shillings: number;
}

/** One unit in which prices of a trade are quoted. */
interface Offer {
  readonly unit: string;
  /** How many of a hundred prices are in this unit: 0 for a common unit that is never used, as in real catalogues. */
  readonly share: number;
  /** How many base units of the trade one is, where it does not convert to them; otherwise its conversion factor. */
  readonly amount?: number;
  /** Whether it is among the product's common units; it is unless it says otherwise. */
  readonly isCommon?: boolean;
}

export interface Mixture {
  readonly unitCategories: readonly UnitCategoryRecord[];
  readonly marketTypes: readonly MarketTypeRecord[];
  /** The shares of a trade make a hundred. */
  readonly trades: Readonly<Record<string, readonly Offer[]>>;
  /** Prices in percent of the year's, from January to December. */
  readonly seasons: Readonly<Record<string, { readonly text: string | null; readonly percents: readonly number[] }>>;
  /** How much of each currency a Kenya shilling buys; Kenya's own comes first. */
  readonly rates: Readonly<Record<string, number>>;
  readonly sources: readonly string[];
  readonly grades: readonly string[];
  /** Most notes are one of each; quotes, backslashes, line ends and other alphabets are in them on purpose. */
  readonly noteConditions: readonly string[];
  readonly noteRemarks: readonly string[];
  readonly storages: readonly string[];
  readonly facilities: readonly string[];
}

export const counties: readonly CountyFacts[] = readLines("counties.ndjson");
export const crops: readonly CropRecord[] = readLines("crops.ndjson");
export const goods: readonly Goods[] = readLines("goods.ndjson");
export const mixture: Mixture = JSON.parse(readText("mixture.json"));
export const units: readonly UnitRecord[] = mixture.unitCategories.flatMap((category) => category.units);

/** The value that has a name. @throws {RangeError} when a fact names a trade, season or unit that does not exist. */
export function named<T>(kind: string, value: T | undefined, name: string): T {
  if (value === undefined) throw new RangeError(`${kind} is "${name}", expected one of bench/sample/reference`);
  return value;
}

function readLines<T>(name: string): T[] {
  return readText(name)
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}

function readText(name: string): string {
  return readFileSync(join(import.meta.dirname, "reference", name), "utf8");
}
