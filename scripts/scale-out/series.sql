-- As GET /exports/series.ndjson of a product: every series with its count, first and last price.
SELECT product_uuid, market_uuid, unit, currency, price_count, first_recorded_at, last_recorded_at
FROM series
WHERE product_uuid = '{product}'
ORDER BY toString(market_uuid), unit, currency
