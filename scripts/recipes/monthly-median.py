"""With Python's standard library. README.md says what it prints."""

import csv
import hashlib
import hmac
import io
import os
import statistics
import time
import urllib.parse
import urllib.request

BASE_URL = os.environ.get("BASE_URL", "http://127.0.0.1:3000")
SIGNING_KEY = os.environ["SIGNING_KEY"]


def get(path, **query):
    """Text of a signed answer. An error of the service is raised as urllib.error.HTTPError."""
    target = f"{path}?{urllib.parse.urlencode(query)}"
    timestamp = str(int(time.time()))
    signature = hmac.new(SIGNING_KEY.encode(), f"GET|{target}|{timestamp}|".encode(), hashlib.sha256).hexdigest()
    headers = {"X-API-Key": SIGNING_KEY, "X-Signature": signature, "X-Signature-Timestamp": timestamp}
    with urllib.request.urlopen(urllib.request.Request(BASE_URL + target, headers=headers)) as answer:
        return answer.read().decode()


# Maize, Maize (white), Maize (white, dry)
products = [
    "0066516b-87dd-5746-aadf-d97f1b1662a9",
    "8279063d-b290-5e29-a97f-e7b9ef6a7e2a",
    "63ee0850-d07b-5001-9007-7b8ec8242380",
]
text = get(
    "/api/v1/exports/prices.csv",
    product_uuids=",".join(products),
    county_id=47,
    market_type="Wholesale",
    start_date="2015-01-01",
    end_date="2025-12-31",
)

prices = {}
for row in csv.DictReader(io.StringIO(text, newline="")):
    if row["currency"] == "KES" and row["base_unit"] == "kg":
        prices.setdefault(row["date"][:7], []).append(float(row["price_per_base_unit"]))

print("month,median,prices")
for month in (f"{year}-{month:02}" for year in range(2015, 2026) for month in range(1, 13)):
    found = prices.get(month, [])
    print(f"{month},{statistics.median(found) if found else ''},{len(found)}")
