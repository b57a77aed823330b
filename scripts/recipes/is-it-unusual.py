"""The measures of anomalies-3 at markets with Python's standard library. README.md says what it prints."""

import csv
import statistics
import sys

import farm_prices


def number_of(month):
    """Months are counted, so that a year before is 12 less and the calendar month is what is left over."""
    year, calendar_month = month.split("-")
    return int(year) * 12 + int(calendar_month) - 1


def medians(rows):
    """The median by month."""
    prices = {}
    for row in rows:
        prices.setdefault(number_of(row["date"][:7]), []).append(float(row["price_per_base_unit"]))
    return {month: statistics.median(prices[month]) for month in sorted(prices)}


def year_before(values, month):
    """Change in percent."""
    before = values.get(month - 12)
    return None if before is None else (values[month] / before - 1) * 100


def previous(values, month):
    """Change in percent on the newest of the six months before."""
    before = next((values[month - months] for months in range(1, 7) if month - months in values), None)
    return None if before is None else (values[month] / before - 1) * 100


def five_years(values, month):
    """Percent of the usual price."""
    found = [values[month - 12 * year] for year in range(1, 6) if month - 12 * year in values]
    return None if len(found) < 3 else values[month] / statistics.median(found) * 100


def alps(values, month):
    """Least squares on the month and an effect of each calendar month, which deviations from their means take out."""
    months = [known for known in values if known <= month]
    if len(months) < 36 or len(months) / (month - months[0] + 1) < 0.7:
        return None
    of_calendar_month = {}
    for known in months:
        of_calendar_month.setdefault(known % 12, []).append(known)
    x, y = {}, {}
    for same in of_calendar_month.values():
        mean_month, mean_value = statistics.fmean(same), statistics.fmean(values[known] for known in same)
        for known in same:
            x[known], y[known] = known - mean_month, values[known] - mean_value
    trend = sum(x[known] * y[known] for known in months) / sum(x[known] ** 2 for known in months)
    residuals = {known: y[known] - trend * x[known] for known in months}
    deviation = (sum(residual**2 for residual in residuals.values()) / (len(months) - 1)) ** 0.5
    if deviation <= 1e-9 * statistics.fmean(values[known] for known in months):
        return None
    return residuals[month] / deviation


def seasonality(values):
    """Index of each calendar month."""
    ratios = [[] for _ in range(12)]
    for month, value in values.items():
        around = [values.get(month + distance) for distance in range(-6, 7)]
        if None not in around:
            ratios[month % 12].append(value / ((sum(around[1:12]) + (around[0] + around[12]) / 2) / 12))
    if min(map(len, ratios)) < 3:
        return [None] * 12
    usual = [statistics.median(found) for found in ratios]
    return [ratio / statistics.fmean(usual) * 100 for ratio in usual]


# Maize (white), at wholesale markets, judged in May 2017
judged = number_of("2017-05")
asked = farm_prices.rows(
    "/api/v1/exports/prices.csv",
    product_uuid="8279063d-b290-5e29-a97f-e7b9ef6a7e2a",
    market_type="Wholesale",
)
rows = [
    row
    for row in asked
    if row["suspicious"] == "false" and row["currency"] == "KES" and row["base_unit"] == "kg"
]

by_market = {}
for row in rows:
    by_market.setdefault(row["market"], []).append(row)

table = csv.writer(sys.stdout, lineterminator="\n")
table.writerow(["measure", "market", "month", "value"])
for market in sorted(by_market):
    values = medians(by_market[market])
    if judged in values:
        for measure in (year_before, previous, five_years, alps):
            table.writerow([measure.__name__, market, "2017-05", measure(values, judged)])
        for calendar_month, index in enumerate(seasonality(values), 1):
            table.writerow(["seasonality", market, f"{calendar_month:02}", index])
