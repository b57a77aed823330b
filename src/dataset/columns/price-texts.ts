import { toUuid } from "../../domain/ids.ts";
import { type CodedField, codedFields, codesMax } from "./coded-fields.ts";
import type { FileBytes } from "./file-bytes.ts";
import { type Acceptance, KnownTexts } from "./known-texts.ts";

/** The texts of each coded field that one reader has met. */
export type PriceTexts = { readonly [Field in CodedField]: KnownTexts };

/** Texts of each coded field, in order of their codes. */
export type NewTexts = { readonly [Field in CodedField]: readonly string[] };

/** What each field takes; as its schema says, for texts that are JSON strings of whole characters. */
const acceptances: Readonly<Record<CodedField, Acceptance>> = {
  products: toUuid,
  markets: toUuid,
  units: trimmedText,
  currencies: (text) => (/^[A-Z]{3}$/.test(text) ? text : undefined),
  sources: trimmedText,
  grades: trimmedText,
  notes: trimmedText,
};

function trimmedText(text: string): string | undefined {
  return text !== "" && text.trim() === text ? text : undefined;
}

/** The texts of a reader of `file`, none yet. */
export function noPriceTexts(file: FileBytes): PriceTexts {
  return mapCodedFields((field) => new KnownTexts(file, acceptances[field], codesMax[field]));
}

/** The texts that have got codes since this was asked last. */
export function takeNewTexts(texts: PriceTexts): NewTexts {
  return mapCodedFields((field) => texts[field].takeNewTexts());
}

/** One value for each coded field. */
export function mapCodedFields<T>(valueFor: (field: CodedField) => T): { readonly [Field in CodedField]: T } {
  return Object.fromEntries(codedFields.map((field) => [field, valueFor(field)])) as { [Field in CodedField]: T };
}
