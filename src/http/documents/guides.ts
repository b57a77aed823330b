/** The pages that explain: signing, units, series, statistics, exports. Their numbers are those of the example answers. */
import { apiPrefix } from "../endpoints.ts";
import { exampleNamed } from "./examples.ts";
import { codeText, escapeText, renderBlock, renderHeading, renderPage, renderTable, renderText } from "./html.ts";

interface LatestExample {
  readonly data: readonly {
    readonly product: { readonly name: string };
    readonly prices: readonly {
      readonly market: { readonly name: string };
      readonly price: number;
      readonly unit: string;
      readonly price_per_base_unit: number;
      readonly base_unit: string;
    }[];
  }[];
}

/** Prices per bag become prices per kilogram. */
export function renderUnitsPage(): string {
  const [group] = exampleNamed<LatestExample>("GET /prices/latest").data as [LatestExample["data"][number]];
  const rows = group.prices.map(({ market, price, unit, price_per_base_unit: perBase, base_unit: base }) => [
    escapeText(market.name),
    `${price} KES per ${escapeText(unit)}`,
    `${price} ÷ ${Math.round((price / perBase) * 1e6) / 1e6}`,
    `${perBase} KES per ${escapeText(base)}`,
  ]);
  return renderPage({
    path: "/docs/units",
    title: "Units",
    content: `${renderText(`
A price is recorded per unit of sale: per 90 kg bag at a wholesale market, per kg, per litre, per bunch. Every unit has a base unit and a factor: how many base units are one of it. [\`/reference/units\`](/docs#listUnits) lists all.

**The price per base unit is the price divided by the factor.** It is what can be compared between markets and years.
`)}
<h2>Example</h2>
<p>${escapeText(group.product.name)}, the newest wholesale prices, with <code>detail=true</code>:</p>
${renderTable(["Market", "As recorded", "Price ÷ factor", "price_per_base_unit"], rows)}
<h2>Where which unit is</h2>
${renderText(`
- [Search](/docs#searchPrices), [latest prices](/docs#getLatestPrices) and [one price](/docs#getPrice) give \`price\` and \`unit\` as recorded. \`detail\` of the first two adds \`price_per_base_unit\` and \`base_unit\`.
- [Series](/docs#listSeries) give both for the latest price. Two units at one market are two series.
- [Statistics](/docs/statistics) give all figures in one unit, \`product.unit\`: the base unit of the product’s first common unit that its prices convert to. \`unit\` asks for another of the same base, for example \`90 kg bag\`.
- [Exports](/docs/exports) of prices have both, in columns of their own.

A bunch or a head has no fixed weight: such units are their own base and convert to nothing. In statistics of a product that is sold by weight such prices are left out and counted in \`meta.excluded_samples\`. Prices in another currency are left out likewise; nothing is converted between currencies.

\`min_price\` and \`max_price\` of a search compare the price as recorded, whatever its unit.
`)}`,
  });
}

interface SeriesExample {
  readonly data: readonly {
    readonly product: { readonly name: string };
    readonly market: { readonly name: string };
    readonly unit: string;
    readonly price_count: number;
    readonly first_recorded_at: string;
    readonly last_recorded_at: string;
    readonly longest_gap_days: number;
  }[];
  readonly meta: { readonly total: number };
}

/** Which prices there are. */
export function renderSeriesPage(): string {
  const { data, meta } = exampleNamed<SeriesExample>("GET /prices/series");
  const rows = data.map((series) => [
    escapeText(series.product.name),
    escapeText(series.market.name),
    escapeText(series.unit),
    String(series.price_count),
    series.first_recorded_at.slice(0, 7),
    series.last_recorded_at.slice(0, 7),
    `${series.longest_gap_days} days`,
  ]);
  return renderPage({
    path: "/docs/series",
    title: "Series",
    content: `${renderText(`
A series is the prices of one product at one market in one unit and currency: prices that can be compared without converting anything. Look at the series before you take statistics: they say which prices there are, from when to when, and how long nothing was recorded.
`)}
<h2>Example: wholesale maize in Nairobi</h2>
<p>One produce can be recorded under several products: sources change their names over the years. So first find the products, by a word of
their English or Swahili name:</p>
${renderBlock(`curl -sS -H "X-API-Key: $PUBLIC_KEY" "$BASE_URL${apiPrefix}/products?search=maize"`)}
<p>Then list the series of those that fit, the ones with the newest prices first:</p>
${renderBlock(`curl -sS -H "X-API-Key: $PUBLIC_KEY" \\
  "$BASE_URL${apiPrefix}/prices/series?product_uuids=8279063d-b290-5e29-a97f-e7b9ef6a7e2a,63ee0850-d07b-5001-9007-7b8ec8242380&county_id=47&market_type=Wholesale&sort=last_recorded_at"`)}
<p>The first ${rows.length} of ${meta.total}:</p>
${renderTable(["Product", "Market", "Unit", "Prices", "From", "To", "Longest gap"], rows)}
${renderText(`
“Maize (white)” seems to end in 2020; it goes on as “Maize (white, dry)”, at another market. A long series is made of both: [export the statistics](/docs/exports) of both products in one request, and keep in mind that the market changed. “Maize”, of any colour, has prices until 2022, also of the months between: add its uuid where the colour does not matter.

- \`longest_gap_days\` is the longest time between two neighbouring prices. Monthly prices have gaps of about 31 days; more means months without a price.
- \`recorded_since\` leaves out series that ended before a day, \`unit\` and \`market_type\` those of another kind.
- Wholesale and retail prices are different prices. Never join their series.
`)}`,
  });
}

interface StatisticsExample {
  readonly data: {
    readonly product: { readonly name: string; readonly unit: string };
    readonly statistics: readonly {
      readonly period: string;
      readonly median_price: number;
      readonly sample_count: number;
      readonly std_deviation: number;
    }[];
  };
  readonly meta: { readonly currency: string; readonly converted_samples: number; readonly excluded_samples: number };
}

/** What the figures are, and what they are not. */
export function renderStatisticsPage(): string {
  const { data, meta } = exampleNamed<StatisticsExample>("POST /prices/statistics");
  const rows = data.statistics.map((row) => [
    row.period,
    String(row.median_price),
    String(row.sample_count),
    String(row.std_deviation),
  ]);
  return renderPage({
    path: "/docs/statistics",
    title: "Statistics",
    content: `${renderText(`
[Statistics](/docs#getPriceStatistics) summarise the prices of one product between two days, by day, ISO week, month, market or county. They need a secret key; for several products in one request see [exports](/docs/exports).

- **Days** are days in Nairobi; both ends of the range are included.
- **Mean and median** are over the recorded prices, never means of means. The median of an even count is the mean of the two middle prices.
- **std_deviation** is that of a sample (n − 1), as \`std\` of pandas and \`sd\` of R; 0 where there is one price.
- **One unit, one currency:** see [units](/docs/units). \`meta.converted_samples\` and \`meta.excluded_samples\` count what was converted and left out.
- **Periods without a price are absent**, so a gap is a missing row and never a 0.
- **A date may stand for a month.** A source that gives one price a month writes some day of it: all prices of WFP are dated on the 15th. [\`sources\`](/docs#getDataset) of the dataset have a \`period\` where it is known. Group such prices by month or by place; by day or week, \`meta.coarser_samples\` counts the prices that stand for a longer time than a period of the answer.
- **Observed or averaged:** \`price_flag\` is what the source says of how a price was made: \`actual\` (observed), \`aggregate\` (an average of several), \`actual_aggregate\` (both) or \`forecast\`; null where it says nothing. Search, statistics and exports filter by it, \`detail\` and the exports of prices show it. Of the prices of WFP a third are aggregates.
- **Mixtures show:** \`meta.market_types\` counts the samples by type of market, in exports the column \`market_types\` those of each row: \`Wholesale:4; Retail:8\`. Ask with \`market_type\` unless you want the mixture.
- **Arithmetic** is compensated (Neumaier) and rounded to 6 decimals.
`)}
<h2>Example: white maize, wholesale</h2>
${renderBlock(`POST ${apiPrefix}/prices/statistics
{"product_uuid": "8279063d-b290-5e29-a97f-e7b9ef6a7e2a", "start_date": "2020-01-01", "end_date": "2020-03-31",
 "market_type": "Wholesale"}`)}
<p>The first ${rows.length} months of ${escapeText(data.product.name)} in ${escapeText(meta.currency)} per ${escapeText(data.product.unit)};
${meta.converted_samples} prices were converted, ${meta.excluded_samples} left out:</p>
${renderTable(["period", "median_price", "sample_count", "std_deviation"], rows)}
<h2>Ten years in a data frame, gaps included</h2>
<p>Python with pandas. Two products, because <a href="/docs/series">the series goes on under another name</a>:</p>
${renderBlock(seriesInPandas)}
<p>R with httr2:</p>
${renderBlock(seriesInR)}`,
  });
}

const seriesPath = `${apiPrefix}/exports/statistics.csv?product_uuids=8279063d-b290-5e29-a97f-e7b9ef6a7e2a,63ee0850-d07b-5001-9007-7b8ec8242380&start_date=2015-01-01&end_date=2025-12-31&county_id=47&market_type=Wholesale`;

/** Runs as it is; a test does so where pandas is there. */
export const seriesInPandas = `import hashlib, hmac, os, time, urllib.request
import pandas as pd

path = (
    "${seriesPath.replaceAll("&", '"\n    "&')}"
)
key, now = os.environ["SIGNING_KEY"], str(int(time.time()))
signature = hmac.new(key.encode(), f"GET|{path}|{now}|".encode(), hashlib.sha256).hexdigest()
request = urllib.request.Request(os.environ["BASE_URL"] + path, headers={
    "X-API-Key": key, "X-Signature-Timestamp": now, "X-Signature": signature,
})
table = pd.read_csv(urllib.request.urlopen(request))
months = pd.period_range("2015-01", "2025-12", freq="M").astype(str)
median = table.pivot(index="period", columns="product", values="median_price").reindex(months)
print(median)                                  # NaN where there is no price
print(median.isna().all(axis=1).sum(), "months without a price")`;

const seriesInR = `library(httr2)

path <- paste0(
  "${seriesPath.replaceAll("&", '",\n  "&')}"
)
key <- Sys.getenv("SIGNING_KEY")
now <- format(floor(as.numeric(Sys.time())), scientific = FALSE)
signature <- as.character(openssl::sha256(paste("GET", path, now, "", sep = "|"), key = key))
text <- request(paste0(Sys.getenv("BASE_URL"), path)) |>
  req_headers("X-API-Key" = key, "X-Signature-Timestamp" = now, "X-Signature" = signature) |>
  req_perform() |>
  resp_body_string()
table <- read.csv(text = text)
months <- format(seq(as.Date("2015-01-01"), as.Date("2025-12-01"), by = "month"), "%Y-%m")
gaps <- setdiff(months, table$period)          # months without a price`;

/** Runs once the bundled snapshot has its downloads. */
const medianInDuckDb = `import hashlib, hmac, os, time, urllib.request
import duckdb

path = "${apiPrefix}/downloads/${exampleNamed<DownloadsExample>("GET /downloads").data[0]?.snapshot}/prices.parquet"
key, now = os.environ["SIGNING_KEY"], str(int(time.time()))
signature = hmac.new(key.encode(), f"GET|{path}|{now}|".encode(), hashlib.sha256).hexdigest()
headers = {"X-API-Key": key, "X-Signature-Timestamp": now, "X-Signature": signature}
request = urllib.request.Request(os.environ["BASE_URL"] + path, headers=headers)
with urllib.request.urlopen(request) as response, open("prices.parquet", "wb") as file:
    file.write(response.read())
print(duckdb.sql("""
    SELECT date_trunc('month', date) AS month, median(price_per_base_unit) AS median_price, count(*) AS prices
    FROM 'prices.parquet'
    WHERE product LIKE 'Maize (white%' AND market_type = 'Wholesale' AND county_id = 47
      AND currency = 'KES' AND base_unit = 'kg' AND date BETWEEN '2015-01-01' AND '2025-12-31'
    GROUP BY month ORDER BY month
"""))`;

interface DownloadsExample {
  readonly data: readonly {
    readonly snapshot: string;
    readonly files: readonly { name: string; table: string | null; rows: number | null; bytes: number }[];
  }[];
}

/** Writes a file named by the service into the current folder. */
export const exportWithCurl = `TARGET='${apiPrefix}/exports/prices.csv?product_uuid=8279063d-b290-5e29-a97f-e7b9ef6a7e2a&county_id=47&market_type=Wholesale'
TIME=$(date +%s)
SIGNATURE=$(printf '%s' "GET|$TARGET|$TIME|" | openssl dgst -sha256 -hmac "$SIGNING_KEY" | sed 's/.* //')
curl -sS --compressed -H "X-API-Key: $SIGNING_KEY" -H "X-Signature-Timestamp: $TIME" -H "X-Signature: $SIGNATURE" \\
  -OJ "$BASE_URL$TARGET"`;

/** Whole tables as files. */
export function renderExportsPage(): string {
  const prices = exampleNamed<string>("GET /exports/prices.csv");
  const downloads = exampleNamed<DownloadsExample>("GET /downloads");
  return renderPage({
    path: "/docs/exports",
    title: "Exports and downloads",
    content: `${renderText(`
Both are whole tables. An [export](#exports) is made for you, with your filters. A [download](#downloads) is a file with all rows, made once: nothing is faster, and the same bytes can be downloaded again later.
`)}
${renderHeading(2, "exports", "Exports")}
${renderText(`
An export is a whole table in one answer, however long: \`prices\`, \`statistics\`, \`series\`, \`products\` and \`markets\`, each as \`.csv\` and \`.ndjson\`. It is made while it leaves, from one snapshot to its end; where that cannot be, the connection is reset, and no answer ends as if it were complete.

- **Access.** Series, products and markets need any key. Prices and statistics need a signed request, unless the operator has opened them; the badge in the [reference](/docs#Exports) says which holds here.
- **Filters** of prices and statistics are those of [search](/docs#searchPrices) and [statistics](/docs#getPriceStatistics), as query parameters, with up to 100 \`product_uuids\`.
- **CSV** is RFC 4180 in UTF-8 with one header line; null is an empty cell. Columns are only ever added at the end, so read them by name.
- **Spreadsheets** take a text that begins with =, +, -, @, a tab or a carriage return for a formula. Such a text gets an apostrophe in front; \`formulas=raw\` leaves it as it is, for programs.
- **NDJSON** is one JSON object a line, with the same names and null as null.
- **Citing:** \`X-Citation\` of an answer cites the sources of the prices that the filter selects: publisher, address, licence, the snapshot, its day of publication in Kenya, and \`<date>\` for the day of your access, in at most 300 characters. Decode it as a part of a URL (\`decodeURIComponent\`, \`urllib.parse.unquote\`). \`Link\` with \`rel="license"\` has the licences. For a download, \`citation\` and \`sources\` are in \`metadata.json\`, and in the metadata of Parquet files.
- **Again later:** \`ETag\` and \`If-None-Match\` work as everywhere; the name of the file, in \`Content-Disposition\`, holds the snapshot.
- **Few at a time** are made by a thread of the service; further ones are 503 with \`Retry-After\`. While others want one, a key has one at a time, and an export that is read at less than 256 KiB/s is reset.
`)}
<h2>Example: all wholesale prices of white maize in Nairobi</h2>
${renderBlock(exportWithCurl)}
<p>The file begins:</p>
${renderBlock(prices)}
<p>The columns, with their units: <a href="/docs#exportPricesCsv">prices</a>, <a href="/docs#exportStatisticsCsv">statistics</a>,
<a href="/docs#exportSeriesCsv">series</a>, <a href="/docs#exportProductsCsv">products</a>, <a href="/docs#exportMarketsCsv">markets</a>.
${codeText("date")} is the day in Kenya, ${codeText("recorded_at")} the time in UTC.</p>
<p>In a data frame: <a href="/docs/statistics">ten years of maize, gaps included</a>.</p>
${renderHeading(2, "downloads", "Downloads")}
${renderText(`
[The list](/docs#listDownloads) has, for every snapshot that is kept: \`prices.parquet\`, \`prices.csv.gz\`, \`series.csv\`, \`products.csv\`, \`markets.csv\` and \`metadata.json\`, which says what each column means, whose data it is and how to cite it.

- **Access** is as for exports of prices.
- **The first request makes them**, where the publisher has not. Until they are there, \`state\` in the list is \`being_made\`, and a file is 503 with \`Retry-After\`, for which \`curl --fail --retry 9 -o FILE\` waits. Seconds for the snapshot that the project ships with, minutes for ten million prices. \`problem\` says why they could not be made.
- **Reproducible:** a file never changes. Its \`ETag\` is its SHA-256; note the snapshot with a result, and compute it again from the same file.
- **In parts:** \`Range\` asks for some bytes, so a broken download goes on where it ended (with \`If-Match\`, 412 where the file is another one by now), and DuckDB reads only the products and columns of a question.
- **Parquet** has typed columns, times as instants, and its row groups by product. Prices per base unit are in it.
`)}
<p>With DuckDB, here with a secret key and a <a href="/docs/signing">signature</a>; where the operator has opened the downloads, a
public key in ${codeText("X-API-Key")} is enough:</p>
${renderBlock(medianInDuckDb)}
<p>The files of the snapshot that the project ships with begin like this in the list:</p>
${renderTable(
  ["File", "Table", "Rows", "Bytes"],
  (downloads.data[0]?.files ?? []).map(({ name, table, rows, bytes }) => [
    codeText(name),
    escapeText(table ?? ""),
    String(rows ?? ""),
    String(bytes),
  ]),
)}`,
  });
}
