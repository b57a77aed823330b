/** A finding on its way to a warning, and the list of warnings that publishing reports. */

import type { Warning, WarningKind, WarningList } from "../../../contract/publication-report.ts";
import { dayText } from "../../../engine/model/calendar.ts";
import type { Uuid } from "../../../engine/model/ids.ts";
import type { PriceAcceptance, PriceOrigin } from "../../../engine/model/records.ts";
import { findLines } from "../../../engine/snapshots/find-lines.ts";
import { toPriceOrigin } from "../../../engine/snapshots/price-origins.ts";
import { foundName, ProblemList, problemsPerKindMax } from "../../../engine/snapshots/problem.ts";
import { recordAt } from "../../../engine/store/catalogue.ts";
import { dayOfRow } from "../../../engine/store/periods.ts";
import type { Store } from "../../../engine/store/store.ts";
import type { UsualPrices } from "../../../engine/store/suspicious-prices.ts";

/** An empty list. @param perKindMax Number of each kind that it keeps in full. */
export function noWarnings(perKindMax: number = problemsPerKindMax): WarningList {
  return new ProblemList(Number.POSITIVE_INFINITY, perKindMax);
}

/** The rows of a publication by what the rule says of them. */
export interface SuspiciousRows {
  /**
   * By row, the prices that one that is marked was compared with: those published before where these mark it, because
   * others of the publication may be wrong too.
   */
  readonly marked: ReadonlyMap<number, UsualPrices>;
  /** Number of rows with too few others to compare them with. */
  readonly unjudgedCount: number;
}

/** The data that a kind of warning is judged by. */
export interface Judgement {
  /** The prices as readers would see them. */
  readonly after: Store;
  /** The prices as readers see them now, if there is a snapshot to compare with. */
  readonly before: Store | undefined;
  /** Rows of `after` to warn of, ascending: what a publication adds or changes. */
  readonly rows: Uint32Array;
  /** Acceptances of prices of `after`. */
  readonly accepted: readonly PriceAcceptance[];
  /** What the rule of suspicious prices says of these rows. */
  readonly suspicious: SuspiciousRows;
}

/** The subject of a finding: a row, a product code or a market code of `after`, or the prices as a whole. */
type Subject = { readonly row: number } | { readonly product: number } | { readonly market: number } | "prices";

/** The description of a finding. */
export type Description = Pick<Warning, "field" | "found" | "wanted" | "deviation">;

/** A warning before its file and line are known. */
export interface Finding {
  readonly kind: WarningKind;
  readonly subject: Subject;
  /** Called only for the first of a kind, so that a million findings cost no texts. */
  readonly describe: () => Description;
}

/** A finding about a row. */
export function findingOf(kind: WarningKind, row: number, describe: () => Description): Finding {
  return { kind, subject: { row }, describe };
}

/**
 * The same warnings with the origins of their prices, which no store has. Cost: a read of files of origins, as far as
 * prices are looked for.
 *
 * @param files Paths of files of origins; the first that has one counts.
 */
export async function withOrigins(warnings: WarningList, files: readonly string[]): Promise<WarningList> {
  const wanted = new Set(warnings.problems.flatMap(({ price }) => price?.uuid ?? []));
  const origins = new Map<Uuid, PriceOrigin>();
  for (const file of files) {
    if (wanted.size === 0) break;
    for (const [uuid, { record }] of await findLines(file, wanted)) {
      const origin = toPriceOrigin(record);
      if (origin === undefined) continue;
      origins.set(uuid, origin);
      wanted.delete(uuid);
    }
  }
  return warnings.map((warning) => {
    const origin = warning.price && origins.get(warning.price.uuid);
    return origin === undefined ? warning : { ...warning, origin };
  });
}

/** Names a row: `Maize at Wakulima on 2026-01-15` */
export function rowText(store: Store, row: number): string {
  const { catalogue, prices } = store;
  const product = recordAt(catalogue.products, prices.products[row]!).name;
  const market = recordAt(catalogue.markets, prices.markets[row]!).name;
  return `${foundName(product)} at ${foundName(market)} on ${dayText(dayOfRow(store.periods, row))}`;
}
