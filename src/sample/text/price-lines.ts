import { noNotes, noQualityGrade } from "../../domain/dataset.ts";
import type { Instant } from "../../domain/instant.ts";
import { readUuid } from "../../domain/uuid-words.ts";
import type { PriceBlock, PriceTexts } from "../price-block.ts";
import type { SampleFrame } from "../sample-frame.ts";
import { InstantTexts } from "./instant-texts.ts";

/** Prices as lines of the snapshot format (see data/README.md). Fields that are null are left out, as the format allows. */
export class PriceLines {
  readonly #products: readonly string[];
  readonly #markets: readonly string[];
  readonly #texts: PriceTexts;
  readonly #recordedAt = new InstantTexts();
  readonly #enteredAt = new InstantTexts();

  /** @param texts May grow between the calls of `of`. */
  constructor({ tables }: SampleFrame, texts: PriceTexts) {
    this.#products = tables.products.map(({ uuid }) => uuid);
    this.#markets = tables.markets.map(({ uuid }) => uuid);
    this.#texts = texts;
  }

  /** The first `count` prices of a block, each with its line end. */
  of(block: PriceBlock, count: number): string {
    let lines = "";
    for (let row = 0; row < count; row++) lines += this.#line(block, row);
    return lines;
  }

  #line(block: PriceBlock, row: number): string {
    const { unitNames, currencyCodes, sourceNames } = this.#texts;
    const uuid = readUuid(block.uuids, row);
    const product = this.#products[block.products[row] as number];
    const market = this.#markets[block.markets[row] as number];
    const unit = unitNames[block.units[row] as number];
    const currency = currencyCodes[block.currencies[row] as number];
    const source = sourceNames[block.sources[row] as number];
    const recordedAt = this.#recordedAt.of(block.recordedAt[row] as Instant);
    const createdAt = this.#enteredAt.of(block.createdAt[row] as Instant);
    const isUpdated = block.updatedAt[row] !== block.createdAt[row];
    const updatedAt = isUpdated ? this.#enteredAt.of(block.updatedAt[row] as Instant) : createdAt;
    // Units, currencies and sources of a sample need no escapes in JSON; notes do.
    return `{"uuid":"${uuid}","product_uuid":"${product}","market_uuid":"${market}","price":${block.prices[row]},"unit":"${unit}","currency":"${currency}","recorded_at":"${recordedAt}","source":"${source}"${this.#remarks(block, row)},"created_at":"${createdAt}","updated_at":"${updatedAt}"}\n`;
  }

  #remarks(block: PriceBlock, row: number): string {
    const grade = block.grades[row] as number;
    const notes = block.notes[row] as number;
    let remarks = "";
    if (grade !== noQualityGrade) remarks += `,"quality_grade":${JSON.stringify(this.#texts.gradeNames[grade])}`;
    if (notes !== noNotes) remarks += `,"notes":${JSON.stringify(this.#texts.noteTexts[notes])}`;
    return remarks;
  }
}
