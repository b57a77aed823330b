"""Comparable prices (comparable-1) with Python's standard library. README.md says what it prints."""

import csv
import math
import statistics
import sys

import farm_prices


def monthly_values(rows):
    """The median of each market and month, by both."""
    prices = {}
    for row in rows:
        prices.setdefault((row["market_uuid"], row["date"][:7]), []).append(float(row["price_per_base_unit"]))
    return {key: statistics.median(found) for key, found in prices.items()}


def components(values):
    """The values that markets and months join, in parts: those with most values first, then by first month."""
    parts = []
    for market, month in values:
        joined = [part for part in parts if any(market == own or month == other for own, other in part)]
        parts = [part for part in parts if part not in joined] + [sum(joined, []) + [(market, month)]]
    return sorted(parts, key=lambda part: (-len(part), min(month for _, month in part)))


def solve(matrix, right):
    """Gaussian elimination."""
    size = len(right)
    rows = [matrix[at] + [right[at]] for at in range(size)]
    for at in range(size):
        for below in range(at + 1, size):
            factor = rows[below][at] / rows[at][at]
            rows[below] = [value - factor * above for value, above in zip(rows[below], rows[at])]
    for at in reversed(range(size)):
        known = sum(rows[at][other] * rows[other][size] for other in range(at + 1, size))
        rows[at][size] = (rows[at][size] - known) / rows[at][at]
    return [row[size] for row in rows]


def fit(part, values):
    """The comparable price of each month: least squares of ln v = a(market) + b(month), then exp(b + mean of a)."""
    markets = sorted({market for market, _ in part})
    if len(markets) == 1:
        return {month: values[market, month] for market, month in part}
    by_month = {}
    for market, month in part:
        by_month.setdefault(month, []).append(market)
    # A month is the mean of its values without their markets, which leaves an equation for each market.
    matrix = [[0.0] * len(markets) for _ in markets]
    right = [0.0] * len(markets)
    for month, there in by_month.items():
        mean = statistics.fmean(math.log(values[market, month]) for market in there)
        for market in there:
            at = markets.index(market)
            right[at] += math.log(values[market, month]) - mean
            matrix[at][at] += 1
            for other in there:
                matrix[at][markets.index(other)] -= 1 / len(there)
    # Effects are known up to a constant: that of the last market is 0.
    effects = dict(zip(markets, solve([row[:-1] for row in matrix[:-1]], right[:-1]) + [0.0]))
    level = statistics.fmean(effects[market] for market, _ in part)
    return {
        month: math.exp(level + statistics.fmean(math.log(values[market, month]) - effects[market] for market in there))
        for month, there in by_month.items()
    }


# Maize (white), at wholesale markets of the country
rows = farm_prices.rows(
    "/api/v1/exports/prices.csv",
    product_uuid="8279063d-b290-5e29-a97f-e7b9ef6a7e2a",
    market_type="Wholesale",
    refugee_camps="exclude",
)
values = monthly_values(
    row
    for row in rows
    if row["suspicious"] == "false" and row["currency"] == "KES" and row["base_unit"] == "kg"
)
lines = [
    (month, price, len({market for market, other in part if other == month}), number)
    for number, part in enumerate(components(values), 1)
    for month, price in fit(part, values).items()
]

table = csv.writer(sys.stdout, lineterminator="\n")
table.writerow(["month", "comparable_price", "markets", "component"])
table.writerows(sorted(lines))
