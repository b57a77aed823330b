-- On every server, once its prices are there: a product lies on one shard, so no shard needs another's prices.
INSERT INTO newest_prices_{snapshot}
SELECT * FROM prices_{snapshot}
WHERE (product_uuid, market_uuid, unit, recorded_at) IN (
  SELECT product_uuid, market_uuid, unit, max(recorded_at) FROM prices_{snapshot}
  GROUP BY product_uuid, market_uuid, unit
)
ORDER BY product_uuid, market_uuid, unit, toString(uuid)
LIMIT 1 BY product_uuid, market_uuid, unit;

INSERT INTO prices_by_county_{snapshot}
SELECT
  county_id, market_type, recorded_at, date, uuid, product, product_uuid, market, price, currency, unit
FROM prices_{snapshot};

INSERT INTO series_{snapshot}
SELECT
  product_uuid, market_uuid, unit, currency, toUInt32(count()), min(recorded_at), max(recorded_at)
FROM prices_{snapshot}
GROUP BY product_uuid, market_uuid, unit, currency
