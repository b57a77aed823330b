# With R and its package openssl, for the signature. README.md says what it prints.
base_url <- Sys.getenv("BASE_URL", "http://127.0.0.1:3000")
signing_key <- Sys.getenv("SIGNING_KEY")

# A data frame of a signed export. The values of the query must need no percent-encoding.
read_table <- function(path, query) {
  target <- paste0(path, "?", paste(names(query), query, sep = "=", collapse = "&"))
  timestamp <- format(as.integer(Sys.time()))
  message <- paste("GET", target, timestamp, "", sep = "|")
  signature <- as.character(openssl::sha256(message, key = signing_key))
  headers <- c("X-API-Key" = signing_key, "X-Signature" = signature, "X-Signature-Timestamp" = timestamp)
  read.csv(url(paste0(base_url, target), headers = headers), encoding = "UTF-8", na.strings = "")
}

# Maize, Maize (white), Maize (white, dry)
products <- c(
  "0066516b-87dd-5746-aadf-d97f1b1662a9",
  "8279063d-b290-5e29-a97f-e7b9ef6a7e2a",
  "63ee0850-d07b-5001-9007-7b8ec8242380"
)
prices <- read_table("/api/v1/exports/prices.csv", c(
  product_uuids = paste(products, collapse = ","),
  county_id = 47,
  market_type = "Wholesale",
  start_date = "2015-01-01",
  end_date = "2025-12-31"
))

per_kilogram <- subset(prices, currency == "KES" & base_unit == "kg")
months <- format(seq(as.Date("2015-01-01"), as.Date("2025-12-01"), by = "month"), "%Y-%m")
month <- factor(substr(per_kilogram$date, 1, 7), levels = months)
series <- data.frame(
  month = months,
  median = as.vector(tapply(per_kilogram$price_per_base_unit, month, median)),
  prices = as.vector(table(month))
)
write.csv(series, row.names = FALSE, na = "", quote = FALSE)
