#!/bin/sh
# With curl, openssl and jq. README.md says what it prints.
set -eu
: "${BASE_URL:=http://127.0.0.1:3000}" "${SIGNING_KEY:?expected a secret key, svc_sec_…}"

products=0066516b-87dd-5746-aadf-d97f1b1662a9,8279063d-b290-5e29-a97f-e7b9ef6a7e2a,63ee0850-d07b-5001-9007-7b8ec8242380
filters="product_uuids=$products&county_id=47&market_type=Wholesale&start_date=2015-01-01&end_date=2025-12-31"
target="/api/v1/exports/prices.ndjson?$filters"

timestamp=$(date +%s)
signature=$(printf 'GET|%s|%s|' "$target" "$timestamp" | openssl dgst -sha256 -hmac "$SIGNING_KEY" -r | cut -d ' ' -f 1)

rows=$(mktemp)
trap 'rm -f "$rows"' EXIT
# The headers come by standard input, so that the list of processes does not show the key.
printf 'X-API-Key: %s\nX-Signature: %s\nX-Signature-Timestamp: %s\n' "$SIGNING_KEY" "$signature" "$timestamp" |
  curl --fail-with-body --silent --show-error --compressed --header @- --output "$rows" "$BASE_URL$target" || {
  cat "$rows" >&2
  exit 1
}

jq --raw-output --slurp '
  def median: sort | if length % 2 == 1 then .[length / 2 | floor] else (.[length / 2 - 1] + .[length / 2]) / 2 end;
  ( map(select(.currency == "KES" and .base_unit == "kg"))
    | group_by(.date[0:7])
    | map({ key: .[0].date[0:7], value: map(.price_per_base_unit) })
    | from_entries ) as $prices
  | "month,median,prices",
    ( range(2015; 2026) as $year
      | range(1; 13)
      | "\($year)-\("0\(.)"[-2:])"
      | . as $month
      | $prices[$month]
      | if . == null then "\($month),,0" else "\($month),\(median),\(length)" end )
' "$rows"
