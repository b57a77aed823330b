/** The headings of a table without a mapping → a column for each field. */
import type { Header } from "./find-header.ts";
import { type Field, fields, type Part } from "./headings.ts";

/** The columns of the fields, as a mapping has them. */
export interface ChosenColumns {
  readonly columns: Partial<Record<Field, string | readonly string[]>>;
  readonly positions: ReadonlyMap<Field, readonly number[]>;
}

/** Chooses a column for each field: of several the first, weak headings and bounds of prices last. */
export function chooseColumns({ texts, headings }: Header): ChosenColumns {
  const columns: Partial<Record<Field, string | readonly string[]>> = {};
  const positions = new Map<Field, readonly number[]>();
  for (const field of fields) {
    const found = headings.flatMap((heading, at) => (heading?.field === field ? { ...heading, at } : []));
    const whole = found.filter(({ part }) => part === undefined);
    const chosen = whole.find(({ isWeak, isBound }) => !isWeak && !isBound) ?? whole.find(({ isBound }) => !isBound);
    const partAt = (wanted: Part): number | undefined => found.find(({ part }) => part === wanted)?.at;
    const [day, month, year] = [partAt("day"), partAt("month"), partAt("year")];
    const dateParts = [day, month, year].filter((at) => at !== undefined);
    // A column may hold whole days or months under the name of a part.
    const isDayOrMonth = dateParts.length === 1 ? year === undefined : dateParts.length === 2 && day === undefined;
    const variety = partAt("variety");
    let places = chosen === undefined ? [] : [chosen.at];
    if (field === "date" && dateParts.length === 3 && (chosen === undefined || chosen.isWeak)) places = dateParts;
    if (field === "date" && places.length === 0 && isDayOrMonth) places = dateParts;
    if (field === "product" && chosen !== undefined && variety !== undefined) places = [chosen.at, variety];
    if (places.length === 0) continue;
    const named = places.map((at) => texts[at] as string);
    columns[field] = named.length === 1 ? (named[0] as string) : named;
    positions.set(field, places);
  }
  return { columns, positions };
}
