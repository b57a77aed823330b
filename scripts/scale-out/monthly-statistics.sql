-- As GET /exports/statistics.ndjson by month. The median of an even count is the mean of the two middle prices.
SELECT
  substring(date, 1, 7) AS period,
  round(avg(price_per_base_unit), 6) AS average_price,
  min(price_per_base_unit) AS min_price,
  max(price_per_base_unit) AS max_price,
  ((arraySort(groupArray(price_per_base_unit)) AS sorted)[intDiv(length(sorted) + 1, 2)]
    + sorted[intDiv(length(sorted) + 2, 2)]) / 2 AS median_price,
  toUInt32(count()) AS sample_count,
  if(count() = 1, 0, stddevSamp(price_per_base_unit)) AS std_deviation
FROM prices
WHERE product_uuid = '{product}' AND market_type = '{market_type}'
  AND date BETWEEN '{first}' AND '{last}' AND currency = '{currency}' AND base_unit = '{base_unit}'
GROUP BY period
ORDER BY period
