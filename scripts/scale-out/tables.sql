-- On every server, for every snapshot: {snapshot} is its id, with _ in place of -. For ClickHouse 18.16 and later.
-- Days and times stay texts: in ISO 8601 they sort as times do, to the millisecond and before 1970.

-- The rows of load-clickhouse.ts: histories and statistics of a product.
CREATE TABLE prices_{snapshot} (
  uuid UUID,
  date String,
  recorded_at String,
  product String,
  product_uuid UUID,
  category String,
  market String,
  market_uuid UUID,
  market_type String,
  county String,
  county_id UInt8,
  price Float64,
  currency String,
  unit String,
  price_per_base_unit Nullable(Float64),
  base_unit Nullable(String),
  source String,
  quality_grade Nullable(String),
  notes Nullable(String),
  price_flag Nullable(String),
  county_pcode Nullable(String),
  setting Nullable(String)
) ENGINE = MergeTree() PARTITION BY substring(date, 1, 4) ORDER BY (product_uuid, market_uuid, recorded_at);

-- The newest price of each product, market and unit.
CREATE TABLE newest_prices_{snapshot} AS prices_{snapshot}
ENGINE = MergeTree() PARTITION BY tuple() ORDER BY (product_uuid, market_uuid, unit);

-- Pages of a search by place.
CREATE TABLE prices_by_county_{snapshot} (
  county_id UInt8,
  market_type String,
  recorded_at String,
  date String,
  uuid UUID,
  product String,
  product_uuid UUID,
  market String,
  price Float64,
  currency String,
  unit String
) ENGINE = MergeTree() PARTITION BY substring(date, 1, 4) ORDER BY (county_id, market_type, recorded_at);

-- Product, market, unit and currency, from when to when.
CREATE TABLE series_{snapshot} (
  product_uuid UUID,
  market_uuid UUID,
  unit String,
  currency String,
  price_count UInt32,
  first_recorded_at String,
  last_recorded_at String
) ENGINE = MergeTree() PARTITION BY tuple() ORDER BY (product_uuid, market_uuid, unit, currency)
