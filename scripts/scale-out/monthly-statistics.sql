-- As GET /exports/statistics.ndjson by month. The median of an even count is the mean of the two middle prices.
SELECT
  substring(toString(date), 1, 7) AS period,
  round(avg(price_per_base_unit), 6) AS average_price,
  min(price_per_base_unit) AS min_price,
  max(price_per_base_unit) AS max_price,
  ((arraySort(groupArray(price_per_base_unit)) AS sorted)[intDiv(length(sorted) + 1, 2)]
    + sorted[intDiv(length(sorted) + 2, 2)]) / 2 AS median_price,
  toUInt32(count()) AS sample_count,
  if(count() = 1, 0, stddevSamp(price_per_base_unit)) AS std_deviation
FROM all_prices
WHERE product_uuid = '8279063d-b290-5e29-a97f-e7b9ef6a7e2a' AND market_type = 'Wholesale'
  AND date BETWEEN '2015-01-01' AND '2025-12-31' AND currency = 'KES' AND base_unit = 'kg'
GROUP BY period
ORDER BY period
