/**
 * The shape of stores that this code builds, for a file of another version of the code has another. It is taken from a
 * store without records, so that no list of columns has to be kept up to date.
 */
import { emptyPriceTable } from "../domain/dataset.ts";
import type { Instant } from "../domain/instant.ts";
import { buildStore } from "../store/build-store.ts";
import { type ColumnDescription, describeColumn, takeApart } from "./store-content.ts";

let ownShape: string | undefined;

/** Whether columns and rest are those of a store that this code builds. */
export function isOwnShape(columns: readonly ColumnDescription[], rest: object): boolean {
  ownShape ??= shapeOfEmptyStore();
  return shapeOf(columns, rest) === ownShape;
}

function shapeOfEmptyStore(): string {
  const store = buildStore({
    snapshot: {
      id: "",
      createdAt: 0 as Instant,
      timeZone: "UTC",
      utcOffset: 0,
      parent: null,
      note: null,
      attribution: [],
    },
    counties: [],
    crops: [],
    unitCategories: [],
    marketTypes: [],
    products: [],
    markets: [],
    prices: emptyPriceTable(),
  });
  const { columns, rest } = takeApart(store);
  return shapeOf(columns.map(describeColumn), rest);
}

/** One line a property: its path, and the type of a column. What is in a list depends on the records, so it is left out. */
function shapeOf(columns: readonly ColumnDescription[], rest: object): string {
  const types = new Map(columns.map(({ path, type }) => [path, shapeOfType(type)]));
  const lines: string[] = [];
  addLines(rest, "");
  return lines.sort().join("\n");

  function addLines(value: unknown, path: string): void {
    if (Array.isArray(value)) lines.push(`${path} list`);
    else if (typeof value !== "object" || value === null) lines.push(`${path} ${types.get(path) ?? "value"}`);
    else for (const [name, item] of Object.entries(value)) addLines(item, path === "" ? name : `${path}.${name}`);
  }
}

/** Codes are as narrow as their number allows, so the width of whole numbers says nothing. */
function shapeOfType(type: ColumnDescription["type"]): string {
  return type.startsWith("Uint") ? "unsigned" : type;
}
