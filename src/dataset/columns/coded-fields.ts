import { noNotes, noQualityGrade, notesDictionarySizeMax, shortDictionarySizeMax } from "../../domain/dataset.ts";

/** The fields whose texts become codes. */
export type CodedField = "products" | "markets" | "units" | "currencies" | "sources" | "grades" | "notes";

/** How many texts the column of each can tell apart. */
export const codesMax: Readonly<Record<CodedField, number>> = {
  products: notesDictionarySizeMax,
  markets: notesDictionarySizeMax,
  units: shortDictionarySizeMax,
  currencies: shortDictionarySizeMax,
  sources: shortDictionarySizeMax,
  grades: shortDictionarySizeMax,
  notes: notesDictionarySizeMax,
};

export const codedFields: readonly CodedField[] = Object.keys(codesMax) as CodedField[];

/** Code of a field that is not there. */
export const codeOfNothing: { readonly grades: number; readonly notes: number } = {
  grades: noQualityGrade,
  notes: noNotes,
};
