-- On every server: all four names mean the next snapshot at once. The tables of a snapshot that they meant stay until
-- the load after this one, for queries that have begun with them. A load that was killed here may have left some.
DROP TABLE IF EXISTS prices_before;
DROP TABLE IF EXISTS newest_prices_before;
DROP TABLE IF EXISTS prices_by_county_before;
DROP TABLE IF EXISTS series_before;
-- Before the first snapshot there is nothing to rename. These have no snapshot, so they never count as one served.
CREATE TABLE IF NOT EXISTS prices (unused UInt8) ENGINE = TinyLog;
CREATE TABLE IF NOT EXISTS newest_prices (unused UInt8) ENGINE = TinyLog;
CREATE TABLE IF NOT EXISTS prices_by_county (unused UInt8) ENGINE = TinyLog;
CREATE TABLE IF NOT EXISTS series (unused UInt8) ENGINE = TinyLog;
RENAME TABLE
  prices TO prices_before, prices_next TO prices,
  newest_prices TO newest_prices_before, newest_prices_next TO newest_prices,
  prices_by_county TO prices_by_county_before, prices_by_county_next TO prices_by_county,
  series TO series_before, series_next TO series;
DROP TABLE prices_before;
DROP TABLE newest_prices_before;
DROP TABLE prices_by_county_before;
DROP TABLE series_before
