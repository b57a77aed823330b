-- As POST /prices/search: a page of the prices of a county's markets of a type from a day on, of some range of prices.
SELECT uuid, recorded_at, product_uuid, price, unit
FROM prices_by_county
WHERE county_id = {county} AND market_type = '{market_type}' AND date >= '{first}' AND price BETWEEN {least} AND {most}
ORDER BY recorded_at DESC, toString(uuid)
LIMIT {offset}, {limit}
