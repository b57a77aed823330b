# The measures of anomalies-3 at markets with R. README.md says what it prints.
# Rscript writes a space in a path as ~+~.
here <- dirname(gsub("~+~", " ", sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)), fixed = TRUE))
source(file.path(here, "farm-prices.R"))

# Months are counted, so that a year before is 12 less and the calendar month is what is left over.
number_of <- function(month) as.integer(substr(month, 1, 4)) * 12L + as.integer(substr(month, 6, 7)) - 1L

# The median by month, ascending.
medians <- function(prices) {
  value <- tapply(prices$price_per_base_unit, number_of(prices$date), median)
  data.frame(month = as.integer(names(value)), value = as.vector(value))
}

value_of <- function(values, month) values$value[match(month, values$month)]

# Change in percent.
year_before <- function(values, month) (value_of(values, month) / value_of(values, month - 12) - 1) * 100

# Change in percent on the newest of the six months before.
previous <- function(values, month) (value_of(values, month) / na.omit(value_of(values, month - 1:6))[1] - 1) * 100

# Percent of the usual price.
five_years <- function(values, month) {
  found <- na.omit(value_of(values, month - 12 * 1:5))
  if (length(found) < 3) NA else value_of(values, month) / median(found) * 100
}

# Least squares on the month and an effect of each calendar month.
alps <- function(values, month) {
  known <- values[values$month <= month, ]
  if (nrow(known) < 36 || nrow(known) / (month - known$month[1] + 1) < 0.7) return(NA)
  residuals <- residuals(lm(value ~ I(month - known$month[1]) + factor(month %% 12), data = known))
  if (sd(residuals) <= 1e-9 * mean(known$value)) NA else unname(tail(residuals, 1)) / sd(residuals)
}

# Index of each calendar month. Between months without a value the mean of the year is missing.
seasonality <- function(values) {
  months <- seq(min(values$month), max(values$month))
  series <- value_of(values, months)
  average <- stats::filter(series, c(0.5, rep(1, 11), 0.5) / 12)
  ratios <- split(series / average, factor(months %% 12, levels = 0:11))
  if (min(sapply(ratios, function(found) sum(!is.na(found)))) < 3) return(rep(NA, 12))
  usual <- sapply(ratios, median, na.rm = TRUE)
  unname(usual / mean(usual) * 100)
}

# Maize (white), at wholesale markets, judged in May 2017
judged <- number_of("2017-05")
prices <- fp_frame(
  "/api/v1/exports/prices.csv",
  product_uuid = "8279063d-b290-5e29-a97f-e7b9ef6a7e2a",
  market_type = "Wholesale"
)
prices <- subset(prices, tolower(suspicious) == "false" & currency == "KES" & base_unit == "kg")

measures <- list(year_before = year_before, previous = previous, five_years = five_years, alps = alps)
at_markets <- lapply(split(prices, prices$market), function(of_market) {
  values <- medians(of_market)
  if (!judged %in% values$month) return(NULL)
  value <- sapply(measures, function(measure) measure(values, judged))
  data.frame(
    measure = c(names(measures), rep("seasonality", 12)),
    market = of_market$market[1],
    month = c(rep("2017-05", length(measures)), sprintf("%02d", 1:12)),
    value = c(value, seasonality(values))
  )
})
write.csv(do.call(rbind, at_markets), row.names = FALSE, na = "")
