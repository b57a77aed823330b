# Comparable prices (comparable-1) with R. README.md says what it prints.
# Rscript writes a space in a path as ~+~.
here <- dirname(gsub("~+~", " ", sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)), fixed = TRUE))
source(file.path(here, "farm-prices.R"))

# The number of each value's component: those with most values first, then by first month.
components <- function(values) {
  part <- seq_len(nrow(values))
  repeat {
    joined <- ave(ave(part, values$market, FUN = min), values$month, FUN = min)
    if (identical(joined, part)) break
    part <- joined
  }
  parts <- split(values, part)
  first <- order(-sapply(parts, nrow), sapply(parts, function(own) min(own$month)))
  match(part, as.integer(names(parts))[first])
}

# The comparable price of each month of a component.
fit <- function(values) {
  counts <- tapply(values$value, values$month, length)
  if (length(unique(values$market)) == 1) {
    price <- values$value[match(names(counts), values$month)]
  } else if (length(counts) == 1) {
    price <- exp(mean(log(values$value)))
  } else {
    values <- transform(values, market = factor(market), month = factor(month))
    effects <- dummy.coef(lm(log(value) ~ market + month, data = values))
    level <- effects[["(Intercept)"]] + mean(effects$market[as.character(values$market)])
    price <- exp(level + effects$month[names(counts)])
  }
  data.frame(
    month = names(counts), comparable_price = as.vector(price), markets = as.vector(counts),
    component = values$component[1]
  )
}

# Maize (white), at wholesale markets of the country
prices <- fp_frame(
  "/api/v1/exports/prices.csv",
  product_uuid = "8279063d-b290-5e29-a97f-e7b9ef6a7e2a",
  market_type = "Wholesale",
  refugee_camps = "exclude"
)
prices <- subset(prices, tolower(suspicious) == "false" & currency == "KES" & base_unit == "kg")
prices$month <- substr(prices$date, 1, 7)

# The median of each market and month.
values <- aggregate(price_per_base_unit ~ market_uuid + month, data = prices, FUN = median)
names(values) <- c("market", "month", "value")
values$component <- components(values)

fitted <- do.call(rbind, lapply(split(values, values$component), fit))
write.csv(fitted[order(fitted$month), ], row.names = FALSE, quote = FALSE)
