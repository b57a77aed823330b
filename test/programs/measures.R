# Reads monthly series (series,month,value), ascending, from stdin. Writes a line for each, what R's own functions make
# of it: for its last month the expected value, the deviation of the residuals and the residual in such deviations (lm);
# then twelve seasonal indexes, from the trend of decompose, or NA where a calendar month has fewer than three ratios.
rows <- read.csv(file("stdin"), colClasses = c("integer", "integer", "numeric"))

alps <- function(values) {
  values$calendar_month <- factor(values$month %% 12)
  residuals <- residuals(lm(value ~ month + calendar_month, data = values))
  residual <- unname(tail(residuals, 1))
  c(tail(values$value, 1) - residual, sd(residuals), residual / sd(residuals))
}

seasonality <- function(values) {
  months <- seq(min(values$month), max(values$month))
  series <- ts(values$value[match(months, values$month)], start = c(0, months[1] %% 12 + 1), frequency = 12)
  # decompose takes no gaps; its trend is this filter.
  year <- c(0.5, rep(1, 11), 0.5) / 12
  trend <- if (anyNA(series)) stats::filter(series, year) else decompose(series, "multiplicative")$trend
  ratios <- split(series / trend, factor(cycle(series), levels = 1:12))
  if (min(sapply(ratios, function(found) sum(!is.na(found)))) < 3) return(rep(NA, 12))
  usual <- sapply(ratios, median, na.rm = TRUE)
  usual / mean(usual) * 100
}

for (values in split(rows, rows$series)) {
  writeLines(paste(sprintf("%.17g", c(alps(values), seasonality(values))), collapse = ","))
}
