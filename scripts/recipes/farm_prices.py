"""Signed requests to the service, in one file with Python's standard library. Copy it beside your own scripts.

    import farm_prices

    farm_prices.ask("/api/v1/products", search="mahindi")["data"]                    # a JSON answer
    farm_prices.ask("/api/v1/prices/statistics", {"product_uuid": "…", …})["data"]   # POST, where a body is given
    list(farm_prices.pages("/api/v1/prices/series", county_id=47))                   # the entries of all pages
    farm_prices.rows("/api/v1/exports/prices.csv", county_id=47)                     # an export: a dict of texts a row
    farm_prices.frame("/api/v1/exports/prices.csv", county_id=47)                    # the same as a pandas data frame

BASE_URL is the service. SIGNING_KEY, a secret key, signs each request; without it PUBLIC_KEY is sent.
"""

import csv
import hashlib
import hmac
import io
import json
import os
import time
import urllib.error
import urllib.parse
import urllib.request


class ServiceError(Exception):
    """What the service refused: status, code such as "INVALID_SIGNATURE", and its message."""

    def __init__(self, status, code, message):
        super().__init__(f"{status} {code}: {message}")
        self.status, self.code = status, code


def sign(key, method, target, body, timestamp):
    """Signature of a request: HMAC-SHA256 with the whole key, in lower-case hexadecimal."""
    return hmac.new(key.encode(), f"{method}|{target}|{timestamp}|{body}".encode(), hashlib.sha256).hexdigest()


def send(method, target, body="", headers=None):
    """Text and headers of an answer. The target is signed as it is sent, with its query."""
    secret = os.environ.get("SIGNING_KEY")
    sent = {"X-API-Key": secret or os.environ["PUBLIC_KEY"], **(headers or {})}
    if secret:
        timestamp = str(int(time.time()))
        sent["X-Signature-Timestamp"] = timestamp
        sent["X-Signature"] = sign(secret, method, target, body, timestamp)
    if body:
        sent["Content-Type"] = "application/json"
    url = os.environ.get("BASE_URL", "http://127.0.0.1:3000") + target
    request = urllib.request.Request(url, method=method, headers=sent, data=body.encode() or None)
    try:
        with urllib.request.urlopen(request) as answer:
            return answer.read().decode(), answer.headers
    except urllib.error.HTTPError as error:
        text = error.read().decode(errors="replace")
        try:
            refused = json.loads(text)
        except ValueError:
            refused = {}
        raise ServiceError(error.code, refused.get("code"), refused.get("message", text)) from None


def target_of(path, query):
    """Path with its query: lists joined by commas, truth values as in JSON; None is no parameter."""
    def text(value):
        if isinstance(value, (list, tuple)):
            return ",".join(map(text, value))
        return str(value).lower() if isinstance(value, bool) else str(value)

    query = urllib.parse.urlencode({name: text(value) for name, value in query.items() if value is not None})
    return f"{path}?{query}" if query else path


def ask(path, body=None, **query):
    """A JSON answer. With a body, a dict, the request is a POST."""
    method, text = ("GET", "") if body is None else ("POST", json.dumps(body))
    return json.loads(send(method, target_of(path, query), text)[0])


def pages(path, body=None, page_size=100, **query):
    """The entries of all pages, of one snapshot: ServiceError SNAPSHOT_CHANGED where another is served meanwhile."""
    page, page_count, headers = 1, 1, {}
    while page <= page_count:
        if body is None:
            asked = send("GET", target_of(path, {**query, "page": page, "page_size": page_size}), headers=headers)
        else:
            fields = {**body, "page": page, "page_size": page_size}
            asked = send("POST", target_of(path, query), json.dumps(fields), headers)
        answer = json.loads(asked[0])
        headers = {"X-Snapshot-Id": asked[1]["X-Snapshot-Id"]}
        page, page_count = page + 1, answer["meta"]["total_pages"]
        yield from answer["data"]


def rows(path, **query):
    """The rows of an export as CSV: a dict of texts each, an empty text for null."""
    return list(csv.DictReader(io.StringIO(send("GET", target_of(path, query))[0], newline="")))


def frame(path, **query):
    """An export as CSV as a data frame of pandas, dates and times as such."""
    import pandas

    table = pandas.read_csv(io.StringIO(send("GET", target_of(path, query))[0]))
    for name in table.columns:
        if name == "date" or name.endswith("_at"):
            table[name] = pandas.to_datetime(table[name])
    return table
