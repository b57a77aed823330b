# Two monthly series, one question: do they move together? With R. README.md says what it prints.
# Rscript writes a space in a path as ~+~.
here <- dirname(gsub("~+~", " ", sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)), fixed = TRUE))
source(file.path(here, "farm-prices.R"))

maize <- "8279063d-b290-5e29-a97f-e7b9ef6a7e2a"
nairobi <- 47
mombasa <- 1

# The median price per kilogram by number of the month, without suspicious prices.
monthly <- function(county) {
  found <- fp_frame("/api/v1/exports/statistics.csv", product_uuid = maize, county_id = county,
                    market_type = "Wholesale", group_by = "month", suspicious = FALSE)
  parts <- strsplit(found$period, "-")
  data.frame(month = sapply(parts, function(part) as.integer(part[1]) * 12L + as.integer(part[2])),
             price = found$median_price)
}

# A value of the month before; NA where that month has none.
before <- function(values) values[match(both$month - 1, both$month)]

both <- merge(monthly(nairobi), monthly(mombasa), by = "month", suffixes = c("_one", "_other"))
one <- both$price_one
other <- both$price_other
line <- lm(log(one) ~ log(other))
# Dickey-Fuller on the residuals, over neighbouring months, without lags.
last <- before(residuals(line))
change <- residuals(line) - last
measures <- c(
  months = nrow(both),
  spread_mean = mean(one - other),
  spread_deviation = sd(one - other),
  correlation_of_changes = cor(log(one / before(one)), log(other / before(other)), use = "complete.obs"),
  engle_granger_slope = unname(coef(line)[2]),
  engle_granger_t = summary(lm(change ~ 0 + last))$coefficients[1, "t value"],
  variation_one = sd(one) / mean(one),
  variation_other = sd(other) / mean(other),
  terms_of_trade = median(one / other)
)
cat("measure,value\n")
cat(paste0(names(measures), ",", sapply(measures, format, digits = 15), "\n"), sep = "")
