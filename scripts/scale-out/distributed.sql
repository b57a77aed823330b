-- On every server: all rows, wherever they are. farm_prices is the cluster (clickhouse-cluster.xml); one server alone is
-- a cluster of one shard. The name of a product decides its shard.
CREATE TABLE prices_next AS prices_{snapshot}
ENGINE = Distributed(farm_prices, currentDatabase(), prices_{snapshot}, cityHash64(product));
CREATE TABLE newest_prices_next AS newest_prices_{snapshot}
ENGINE = Distributed(farm_prices, currentDatabase(), newest_prices_{snapshot});
CREATE TABLE prices_by_county_next AS prices_by_county_{snapshot}
ENGINE = Distributed(farm_prices, currentDatabase(), prices_by_county_{snapshot});
CREATE TABLE series_next AS series_{snapshot}
ENGINE = Distributed(farm_prices, currentDatabase(), series_{snapshot})
