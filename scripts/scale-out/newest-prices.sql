-- As POST /prices/search: the newest prices of Nairobi's retail markets from 2020 on, of 100 to 500 in their own unit.
SELECT uuid, recorded_at, price
FROM all_prices
WHERE county_id = 47 AND market_type = 'Retail' AND date >= '2020-01-01' AND price BETWEEN 100 AND 500
ORDER BY recorded_at DESC, uuid
