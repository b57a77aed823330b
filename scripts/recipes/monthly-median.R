# With R. README.md says what it prints.
# Rscript writes a space in a path as ~+~.
here <- dirname(gsub("~+~", " ", sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)), fixed = TRUE))
source(file.path(here, "farm-prices.R"))

# Maize, Maize (white), Maize (white, dry)
products <- c(
  "0066516b-87dd-5746-aadf-d97f1b1662a9",
  "8279063d-b290-5e29-a97f-e7b9ef6a7e2a",
  "63ee0850-d07b-5001-9007-7b8ec8242380"
)
prices <- fp_frame(
  "/api/v1/exports/prices.csv",
  product_uuids = products,
  county_id = 47,
  market_type = "Wholesale",
  start_date = "2015-01-01",
  end_date = "2025-12-31"
)

per_kilogram <- subset(prices, currency == "KES" & base_unit == "kg")
months <- format(seq(as.Date("2015-01-01"), as.Date("2025-12-01"), by = "month"), "%Y-%m")
month <- factor(substr(per_kilogram$date, 1, 7), levels = months)
series <- data.frame(
  month = months,
  median = as.vector(tapply(per_kilogram$price_per_base_unit, month, median)),
  prices = as.vector(table(month))
)
write.csv(series, row.names = FALSE, na = "", quote = FALSE)
