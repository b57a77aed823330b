"""With Python's standard library. README.md says what it prints."""

import statistics

import farm_prices

# Maize, Maize (white), Maize (white, dry)
products = [
    "0066516b-87dd-5746-aadf-d97f1b1662a9",
    "8279063d-b290-5e29-a97f-e7b9ef6a7e2a",
    "63ee0850-d07b-5001-9007-7b8ec8242380",
]
rows = farm_prices.rows(
    "/api/v1/exports/prices.csv",
    product_uuids=products,
    county_id=47,
    market_type="Wholesale",
    start_date="2015-01-01",
    end_date="2025-12-31",
)

prices = {}
for row in rows:
    if row["currency"] == "KES" and row["base_unit"] == "kg":
        prices.setdefault(row["date"][:7], []).append(float(row["price_per_base_unit"]))

print("month,median,prices")
for month in (f"{year}-{month:02}" for year in range(2015, 2026) for month in range(1, 13)):
    found = prices.get(month, [])
    print(f"{month},{statistics.median(found) if found else ''},{len(found)}")
