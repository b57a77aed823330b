-- As GET /exports/series.ndjson: every series with its count, first and last price.
SELECT
  product_uuid, market_uuid, unit, currency,
  toUInt32(count()) AS price_count,
  min(recorded_at) AS first_recorded_at,
  max(recorded_at) AS last_recorded_at
FROM all_prices
GROUP BY product_uuid, market_uuid, unit, currency
ORDER BY product_uuid, market_uuid, unit, currency
