import type { Day } from "../../domain/calendar-day.ts";
import type { CountyId } from "../../domain/ids.ts";
import type { MarketRecord } from "../../domain/records.ts";
import type { CollectedFacts } from "./collect-facts.ts";
import { namePlaces } from "./market-names.ts";
import { referenceInstant } from "./recording-time.ts";
import { countyName } from "./reference/counties.ts";
import { marketIdsBySubCounty } from "./reference/market-sub-counties.ts";
import { subCountiesOf } from "./reference/sub-counties.ts";
import { marketUuid } from "./source-uuids.ts";

/**
 * One market for each place and price type, in no particular order, so that retail and wholesale prices never mix. The
 * name says the type where a place has both.
 *
 * @param isActive Tells whether a price of that day keeps its market active.
 */
export function marketRecords(facts: CollectedFacts, isActive: (day: Day) => boolean): MarketRecord[] {
  const series = Map.groupBy(facts.prices.values(), ({ marketId }) => marketId);
  const places = [...facts.places.values()];
  const names = namePlaces(
    places.map(({ marketId, name, countyId, judgement }) => ({
      marketId,
      name,
      countyName: countyName(countyId),
      judgedName: judgement?.name ?? null,
    })),
  );
  return places.flatMap((place): MarketRecord[] => {
    const byType = Map.groupBy(series.get(place.marketId) ?? [], ({ priceType }) => priceType);
    const name = names.get(place.marketId) ?? place.name;
    return [...byType].map(([type, prices]) => ({
      uuid: marketUuid(place.marketId, type),
      name: byType.size > 1 ? `${name} (${type})` : name,
      type,
      countyId: place.countyId as CountyId,
      subCounty: subCountyOf(place.marketId, place.countyId),
      location: place.location === null ? null : { ...place.location, address: null },
      operatingDays: [],
      operatingHours: null,
      description: null,
      facilities: null,
      contact: null,
      isActive: prices.some(({ day }) => isActive(day)),
      createdAt: referenceInstant,
      updatedAt: referenceInstant,
    }));
  });
}

/** Null also when the export has moved the market to another county than the table knew. */
function subCountyOf(marketId: number, countyId: number): string | null {
  const [name] = Object.entries(marketIdsBySubCounty).find(([, ids]) => ids.includes(marketId)) ?? [];
  return subCountiesOf(countyId).some((subCounty) => subCounty.name === name) ? (name ?? null) : null;
}
