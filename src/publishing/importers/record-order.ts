/** The orders in which importers write records. Texts compare by code unit, times of the same form as texts. */
import { compareTexts } from "../../engine/model/folded-text.ts";

export function byNameThenUuid(a: { name: string; uuid: string }, b: { name: string; uuid: string }): number {
  return compareTexts(a.name, b.name) || compareTexts(a.uuid, b.uuid);
}

type Recorded = { readonly recorded_at: string; readonly uuid: string };

export function byTimeThenUuid(a: Recorded, b: Recorded): number {
  return compareTexts(a.recorded_at, b.recorded_at) || compareTexts(a.uuid, b.uuid);
}
