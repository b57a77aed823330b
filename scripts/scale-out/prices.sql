-- On every shard: the columns of the NDJSON export. Times stay texts: in ISO 8601 they sort as times do.
CREATE TABLE prices (
  uuid String,
  date Date,
  recorded_at String,
  product String,
  product_uuid String,
  category String,
  market String,
  market_uuid String,
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
  price_flag Nullable(String)
) ENGINE = MergeTree() PARTITION BY toYear(date) ORDER BY (product_uuid, market_uuid, date);

-- All prices, wherever they are. A product lies on one shard, so that what groups by product is merged by no other.
CREATE TABLE all_prices AS prices
ENGINE = Distributed(two_shards, default, prices, cityHash64(product_uuid));
