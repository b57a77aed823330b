-- On every server: all four names mean the next snapshot at once. The tables they meant stay until the load after this
-- one, for queries that have begun with them.
CREATE TABLE IF NOT EXISTS prices AS prices_next;
CREATE TABLE IF NOT EXISTS newest_prices AS newest_prices_next;
CREATE TABLE IF NOT EXISTS prices_by_county AS prices_by_county_next;
CREATE TABLE IF NOT EXISTS series AS series_next;
RENAME TABLE
  prices TO prices_before, prices_next TO prices,
  newest_prices TO newest_prices_before, newest_prices_next TO newest_prices,
  prices_by_county TO prices_by_county_before, prices_by_county_next TO prices_by_county,
  series TO series_before, series_next TO series;
DROP TABLE prices_before;
DROP TABLE newest_prices_before;
DROP TABLE prices_by_county_before;
DROP TABLE series_before
