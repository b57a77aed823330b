"""With pandas. README.md says what it prints."""

import sys

import farm_prices
import pandas

# Maize, Maize (white), Maize (white, dry)
products = [
    "0066516b-87dd-5746-aadf-d97f1b1662a9",
    "8279063d-b290-5e29-a97f-e7b9ef6a7e2a",
    "63ee0850-d07b-5001-9007-7b8ec8242380",
]
prices = farm_prices.frame(
    "/api/v1/exports/prices.csv",
    product_uuids=products,
    county_id=47,
    market_type="Wholesale",
    start_date="2015-01-01",
    end_date="2025-12-31",
)

per_kilogram = prices[(prices["currency"] == "KES") & (prices["base_unit"] == "kg")]
months = per_kilogram.groupby(per_kilogram["date"].dt.to_period("M"))["price_per_base_unit"]
series = months.agg(median="median", prices="count")
series = series.reindex(pandas.period_range("2015-01", "2025-12", freq="M", name="month"))
series["prices"] = series["prices"].fillna(0).astype(int)
series.to_csv(sys.stdout)
