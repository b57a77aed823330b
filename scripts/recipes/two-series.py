"""Two monthly series, one question: do they move together? With Python's standard library. README.md says what it
prints."""

import math
import statistics

import farm_prices

MAIZE = "8279063d-b290-5e29-a97f-e7b9ef6a7e2a"
NAIROBI, MOMBASA = 47, 1


def month_number(month):
    year, calendar_month = month.split("-")
    return int(year) * 12 + int(calendar_month)


def monthly(county_id):
    """The median price per kilogram by number of the month, without suspicious prices."""
    found = farm_prices.rows("/api/v1/exports/statistics.csv", product_uuid=MAIZE, county_id=county_id,
                             market_type="Wholesale", group_by="month", suspicious=False)
    return {month_number(row["period"]): float(row["median_price"]) for row in found}


def fit(xs, ys):
    """Intercept and slope of the least squares line."""
    x, y = statistics.fmean(xs), statistics.fmean(ys)
    slope = sum((a - x) * (b - y) for a, b in zip(xs, ys)) / sum((a - x) ** 2 for a in xs)
    return y - slope * x, slope


def correlation(xs, ys):
    x, y = statistics.fmean(xs), statistics.fmean(ys)
    together = sum((a - x) * (b - y) for a, b in zip(xs, ys))
    return together / math.sqrt(sum((a - x) ** 2 for a in xs) * sum((b - y) ** 2 for b in ys))


def dickey_fuller(values):
    """The t-statistic of the change on the value of the month before, over neighbouring months, without lags."""
    pairs = [(values[month - 1], values[month] - values[month - 1]) for month in values if month - 1 in values]
    squares = sum(before**2 for before, _ in pairs)
    slope = sum(before * change for before, change in pairs) / squares
    error = sum((change - slope * before) ** 2 for before, change in pairs) / (len(pairs) - 1)
    return slope / math.sqrt(error / squares)


a, b = monthly(NAIROBI), monthly(MOMBASA)
months = sorted(set(a) & set(b))
one, other = [a[month] for month in months], [b[month] for month in months]
log_one, log_other = [math.log(value) for value in one], [math.log(value) for value in other]
intercept, slope = fit(log_other, log_one)
residuals = {month: x - intercept - slope * y for month, x, y in zip(months, log_one, log_other)}
steps = [month for month in months if month - 1 in residuals]
spread = [x - y for x, y in zip(one, other)]
measures = {
    "months": len(months),
    "spread_mean": statistics.fmean(spread),
    "spread_deviation": statistics.stdev(spread),
    "correlation_of_changes": correlation([math.log(a[m] / a[m - 1]) for m in steps],
                                          [math.log(b[m] / b[m - 1]) for m in steps]),
    "engle_granger_slope": slope,
    "engle_granger_t": dickey_fuller(residuals),
    "variation_one": statistics.stdev(one) / statistics.fmean(one),
    "variation_other": statistics.stdev(other) / statistics.fmean(other),
    "terms_of_trade": statistics.median(x / y for x, y in zip(one, other)),
}
print("measure,value")
for name, value in measures.items():
    print(f"{name},{value}")
