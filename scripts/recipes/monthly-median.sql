-- With DuckDB, on the file prices.parquet in the current folder. README.md says where it comes from, and what is printed.
SELECT
  strftime(months.month, '%Y-%m') AS month,
  median(price_per_base_unit) AS median,
  count(price_per_base_unit) AS prices
FROM (SELECT unnest(range(TIMESTAMP '2015-01-01', TIMESTAMP '2026-01-01', INTERVAL 1 MONTH)) AS month) AS months
LEFT JOIN 'prices.parquet' AS prices
  ON date_trunc('month', prices.date) = months.month
  AND product IN ('Maize', 'Maize (white)', 'Maize (white, dry)')
  AND county = 'Nairobi'
  AND market_type = 'Wholesale'
  AND currency = 'KES'
  AND base_unit = 'kg'
GROUP BY months.month
ORDER BY months.month;
