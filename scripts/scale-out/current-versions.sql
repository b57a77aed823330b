-- Not run here: no current version of ClickHouse was at hand. For 23.8 and later, with several replicas of each shard;
-- farm_prices is the cluster. A test holds the columns against the rows of load-clickhouse.ts. {snapshot} is the id of
-- a snapshot, with _ in place of -.

CREATE TABLE prices_{snapshot} ON CLUSTER farm_prices (
  uuid UUID,
  date Date32,
  recorded_at DateTime64(3, 'UTC'),
  product LowCardinality(String),
  product_uuid UUID,
  category LowCardinality(String),
  market LowCardinality(String),
  market_uuid UUID,
  market_type LowCardinality(String),
  county LowCardinality(String),
  county_id UInt8,
  price Float64,
  currency LowCardinality(String),
  unit LowCardinality(String),
  price_per_base_unit Nullable(Float64),
  base_unit LowCardinality(Nullable(String)),
  source LowCardinality(String),
  quality_grade LowCardinality(Nullable(String)),
  notes Nullable(String),
  price_flag LowCardinality(Nullable(String)),
  county_pcode LowCardinality(Nullable(String)),
  setting LowCardinality(Nullable(String)),
  -- In place of the tables prices_by_county and series of tables.sql.
  PROJECTION by_county (SELECT * ORDER BY county_id, market_type, recorded_at),
  PROJECTION series (
    SELECT product_uuid, market_uuid, unit, currency, count(), min(recorded_at), max(recorded_at)
    GROUP BY product_uuid, market_uuid, unit, currency
  )
) ENGINE = ReplicatedMergeTree PARTITION BY toYear(date) ORDER BY (product_uuid, market_uuid, recorded_at);

-- A load that was killed may have left it.
DROP TABLE IF EXISTS prices_next ON CLUSTER farm_prices SYNC;
CREATE TABLE prices_next ON CLUSTER farm_prices AS prices_{snapshot}
ENGINE = Distributed(farm_prices, currentDatabase(), prices_{snapshot}, cityHash64(product));

-- Here the rows of load-clickhouse.ts --stdout, through
-- clickhouse-client --date_time_input_format best_effort --distributed_foreground_insert 1 \
--   --query "INSERT INTO prices_next FORMAT JSONEachRow"

-- Before the first snapshot there is nothing to exchange; from then on one name means all of a snapshot, or all of the
-- next.
CREATE TABLE IF NOT EXISTS prices ON CLUSTER farm_prices (unused UInt8) ENGINE = TinyLog;
EXCHANGE TABLES prices AND prices_next ON CLUSTER farm_prices;
DROP TABLE prices_next ON CLUSTER farm_prices SYNC;

-- The newest price of each market and unit of a product; the other questions are as in their files, with the
-- projections in place of tables of their own.
SELECT uuid, market_uuid, unit, price, recorded_at
FROM prices
WHERE product_uuid = {product:UUID}
ORDER BY recorded_at DESC, toString(uuid)
LIMIT 1 BY market_uuid, unit
