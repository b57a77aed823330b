# Signed requests to the service, in one file: R with its packages curl and openssl; for JSON and errors also jsonlite.
# Copy it beside your own scripts, and source("farm-prices.R").
#
#   fp_frame("/api/v1/exports/prices.csv", county_id = 47)     # an export as a data frame
#   fp_ask("/api/v1/products", search = "mahindi")$data        # a JSON answer
#   fp_pages("/api/v1/prices/series", county_id = 47)          # the entries of all pages, as a data frame
#
# BASE_URL is the service. SIGNING_KEY, a secret key, signs each request; without it PUBLIC_KEY is sent. Requests are
# GET, as base R sends no other; what POST answers is in exports as well (search in prices, statistics in statistics).

# Signature of a request: HMAC-SHA256 with the whole key, in lower-case hexadecimal.
fp_sign <- function(key, method, target, body, timestamp) {
  as.character(openssl::sha256(paste(method, target, timestamp, body, sep = "|"), key = key))
}

# Path with its query: percent-encoded, lists joined by commas, truth values as in JSON.
fp_target <- function(path, ...) {
  query <- list(...)
  if (length(query) == 0) return(path)
  text <- function(value) {
    joined <- paste(if (is.logical(value)) tolower(value) else format_number(value), collapse = ",")
    utils::URLencode(enc2utf8(joined), reserved = TRUE)
  }
  format_number <- function(value) if (is.numeric(value)) format(value, scientific = FALSE, trim = TRUE) else value
  paste0(path, "?", paste(names(query), sapply(query, text), sep = "=", collapse = "&"))
}

# The text of an answer. The target is signed as it is sent, with its query. What the service refuses is an error with
# the status and the message of the service.
fp_text <- function(target, headers = character()) {
  key <- Sys.getenv("SIGNING_KEY")
  sent <- c("X-API-Key" = if (nzchar(key)) key else Sys.getenv("PUBLIC_KEY"), headers)
  if (nzchar(key)) {
    timestamp <- format(floor(as.numeric(Sys.time())), scientific = FALSE)
    sent <- c(sent, "X-Signature-Timestamp" = timestamp, "X-Signature" = fp_sign(key, "GET", target, "", timestamp))
  }
  handle <- curl::new_handle(accept_encoding = "gzip")
  curl::handle_setheaders(handle, .list = as.list(sent))
  answer <- curl::curl_fetch_memory(paste0(Sys.getenv("BASE_URL", "http://127.0.0.1:3000"), target), handle)
  text <- rawToChar(answer$content)
  Encoding(text) <- "UTF-8"
  if (answer$status_code != 200) {
    refused <- tryCatch(jsonlite::fromJSON(text), error = function(error) list(message = text))
    stop(paste0(answer$status_code, " ", refused$code, ": ", refused$message), call. = FALSE)
  }
  text
}

# An export as CSV as a data frame; null is NA, truth values are logical.
fp_frame <- function(path, ...) {
  table <- read.csv(text = fp_text(fp_target(path, ...)), encoding = "UTF-8", na.strings = "")
  is_truth <- sapply(table, function(column) is.character(column) && all(column %in% c("true", "false", NA)))
  table[is_truth] <- lapply(table[is_truth], function(column) column == "true")
  table
}

# A JSON answer as lists and data frames.
fp_ask <- function(path, ..., headers = character()) {
  jsonlite::fromJSON(fp_text(fp_target(path, ...), headers), flatten = TRUE)
}

# The entries of all pages as a data frame, of the snapshot that is served at the start: an error (409) where another
# one is served meanwhile.
fp_pages <- function(path, ..., page_size = 100) {
  snapshot <- c("X-Snapshot-Id" = fp_ask("/api/v1/dataset")$data$snapshot)
  found <- list()
  repeat {
    answer <- fp_ask(path, ..., page = length(found) + 1, page_size = page_size, headers = snapshot)
    found <- c(found, list(answer$data))
    if (length(found) >= answer$meta$total_pages) break
  }
  do.call(rbind, found)
}
