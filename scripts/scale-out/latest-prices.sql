-- As GET /prices/latest with one_per_market: the newest price of each market and unit, newest first.
SELECT uuid, market_uuid, unit, price, recorded_at
FROM newest_prices
WHERE product_uuid = '{product}'
ORDER BY recorded_at DESC, toString(uuid)
LIMIT {limit}
