"""Counts the prices of the current snapshot from its files, by the description of the format alone.

Usage: python3 count_published.py DATA_DIR EXPORT UUID...

EXPORT is the table of prices as NDJSON, as the service would answer. Prints one JSON object: prices, prices by
source, the price of each UUID (null where there is none), and whether EXPORT has the same uuids with the same product, market, price, unit, currency, source and time.
"""

import hashlib
import json
import pathlib
import sys
from collections import Counter
from datetime import datetime
from decimal import Decimal

data, export, *uuids = sys.argv[1:]
snapshot = pathlib.Path(data, "snapshots", pathlib.Path(data, "CURRENT").read_text().strip())
manifest = json.loads((snapshot / "manifest.json").read_text())


def lines_of(path):
    with open(path, encoding="utf-8") as file:
        for line in file:
            yield json.loads(line, parse_float=Decimal, parse_int=Decimal)


for file in manifest["files"]:
    digest = hashlib.sha256((snapshot / file["name"]).read_bytes()).hexdigest()
    if digest != file["sha256"]:
        sys.exit(f"{file['name']}: found sha256 {digest}, expected {file['sha256']}")

prices = {}
files = [file for file in manifest["files"] if file["kind"] == "prices"]
for file in sorted(files, key=lambda file: file.get("sequence", 0)):
    for line in lines_of(snapshot / file["name"]):
        prices[line["uuid"]] = line
for file in manifest["files"]:
    if file["kind"] == "withdrawals":
        for line in lines_of(snapshot / file["name"]):
            prices.pop(line["uuid"], None)

fields = ["product_uuid", "market_uuid", "price", "unit", "currency", "source"]


def facts_of(line):
    instant = datetime.fromisoformat(line["recorded_at"].replace("Z", "+00:00"))
    return [instant, *(line[field] for field in fields)]


exported = {line["uuid"]: facts_of(line) for line in lines_of(export)}
print(
    json.dumps(
        {
            "prices": len(prices),
            "sources": Counter(line["source"] for line in prices.values()),
            "of": {uuid: float(prices[uuid]["price"]) if uuid in prices else None for uuid in uuids},
            "own": sorted(float(line["price"]) for line in prices.values() if line["source"] == "Kitui County"),
            "same": exported == {uuid: facts_of(line) for uuid, line in prices.items()},
        }
    )
)
