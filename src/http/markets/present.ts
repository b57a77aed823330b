import { instantText } from "../../domain/instant.ts";
import type { CountyRecord, MarketRecord } from "../../domain/records.ts";

/** A market in the list. */
export function presentListedMarket(market: MarketRecord, county: CountyRecord): object {
  const { location } = market;
  return {
    uuid: market.uuid,
    name: market.name,
    type: market.type,
    county: { id: county.id, name: county.name },
    sub_county: market.subCounty,
    location: location && { latitude: location.latitude, longitude: location.longitude },
    operating_days: market.operatingDays,
    is_active: market.isActive,
  };
}

/** A market by itself. */
export function presentMarketDetail(market: MarketRecord, county: CountyRecord): object {
  return {
    uuid: market.uuid,
    name: market.name,
    type: market.type,
    county: { id: county.id, name: county.name, code: county.code },
    sub_county: market.subCounty,
    location: market.location,
    operating_days: market.operatingDays,
    operating_hours: market.operatingHours,
    description: market.description,
    facilities: market.facilities,
    contact: market.contact,
    is_active: market.isActive,
    created_at: instantText(market.createdAt),
    updated_at: instantText(market.updatedAt),
  };
}
