/** Acceptances of suspicious prices, which are of the values that a price had when it was accepted. */
import { findRow, type Uuid } from "../../engine/model/ids.ts";
import type { PriceAcceptance } from "../../engine/model/records.ts";
import { noDecisions } from "../../engine/snapshots/price-decisions.ts";
import type { Store } from "../../engine/store/store.ts";
import { acceptedFields, acceptedRows, acceptedValues } from "../../engine/store/suspicious-prices.ts";
import { decisionFiles, type MadeFile } from "./record-files.ts";

/** Acceptances of the next snapshot. */
export interface CompleteAcceptances {
  readonly accepted: readonly PriceAcceptance[];
  /** Their file; none where the list stays as it is, and its file may be shared. */
  readonly made: readonly MadeFile[];
}

/**
 * Writes the values of prices into acceptances without any, as older programs made them.
 *
 * @param store The prices before the publication; an acceptance of a price that is not there stays as it is.
 */
export function completeAcceptances(accepted: readonly PriceAcceptance[], store: Store): CompleteAcceptances {
  let isChanged = false;
  const complete = accepted.map((acceptance) => {
    if (acceptance.price != null) return acceptance;
    const row = findRow(store.rowByUuid, store.prices.uuids, acceptance.uuid);
    if (row === undefined) return acceptance;
    isChanged = true;
    return { ...acceptance, ...acceptedValues(store, row) };
  });
  return { accepted: complete, made: isChanged ? decisionFiles({ ...noDecisions, accepted: complete }, 0) : [] };
}

/** An acceptance that does not hold, because its price has other values: the fields that differ. */
export interface LapsedAcceptance {
  readonly uuid: Uuid;
  readonly changed: Readonly<Record<string, readonly [accepted: string | number, found: string | number]>>;
}

/** Finds the acceptances that do not hold; those of prices that are not there are none. Cost: as `acceptedRows`. */
export function findLapsed(accepted: readonly PriceAcceptance[], store: Store): LapsedAcceptance[] {
  const holding = acceptedRows(store, accepted);
  return accepted.flatMap((acceptance) => {
    const row = findRow(store.rowByUuid, store.prices.uuids, acceptance.uuid);
    if (row === undefined || holding.has(row)) return [];
    const values = acceptedValues(store, row);
    const changed = acceptedFields.flatMap((name) => {
      const [was, is] = [acceptance[name], values[name]];
      return was === null || is === null || was === is ? [] : [[name, [was, is]] as const];
    });
    return [{ uuid: acceptance.uuid, changed: Object.fromEntries(changed) }];
  });
}
