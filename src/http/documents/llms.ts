/** `/llms.txt` (llmstxt.org): what there is, for language models, from the tables that the pages are made from. */
import { signatureWindowSeconds } from "../../auth/signature.ts";
import type { Endpoint } from "../endpoint.ts";
import { keylessPerMinute, listItemsMax, pageSizeMax, seriesPageSizeMax } from "../limits.ts";
import { groupsOf, guides, guideTarget, operationTarget } from "./menu.ts";
import type { PageContext } from "./page.ts";
import { askedQuestions } from "./questions.ts";
import { exampleRequest } from "./snippets.ts";

/** The whole text. */
export function renderLlmsText({ endpoints, attribution }: PageContext): string {
  return [
    "# Kenyan farm produce prices",
    "",
    "> A read-only HTTP service with prices of farm produce at Kenyan markets, statistics of them, and the products, " +
      "markets, counties, crops and units they refer to. It answers from one published snapshot at a time.",
    "",
    "- Send a key in the header X-API-Key; a key in the address is refused. Requests marked signed need a secret key " +
      "and X-Signature-Timestamp and X-Signature: HMAC-SHA256, in lower-case hexadecimal, of " +
      `METHOD|PATH|TIMESTAMP|BODY with the key, at most ${signatureWindowSeconds} seconds from the server's clock.`,
    '- Answers are JSON, { "data": …, "meta": … }; errors have "code" and "message". An unknown field is an error.',
    "- Products and markets are named by uuid: find them with listProducts and listMarkets first.",
    "- Prices are in Kenyan shillings per unit of sale; compare price_per_base_unit (detail=true). Keep market_type " +
      "apart: wholesale and retail are different prices. Days are days in Nairobi.",
    "- Counties go by county_id: 47 is Nairobi. ISO 3166-2 numbers counties otherwise.",
    "- Cite the data as GET /api/v1/dataset says.",
    "",
    section("Ten questions and their requests", askedQuestions(endpoints).map(questionLine)),
    section("Limits", [
      `- Lists have at most ${pageSizeMax} entries a page, series ${seriesPageSizeMax}; product_uuids at most ` +
        `${listItemsMax}. Exports have no limit of rows.`,
      "- RateLimit-Policy and RateLimit of an answer say how much the key may ask; after 429 or 503 wait Retry-After " +
        `seconds. Without a key an address has ${keylessPerMinute} requests a minute.`,
      "- ETag with If-None-Match asks whether an answer has changed. X-Snapshot-Id keeps pages to one snapshot.",
      "- No price is estimated: a month without prices is absent, what is unknown is null.",
    ]),
    section(
      "Guides",
      Object.entries(guides).map(([name, text]) => `- [${text}](${guideTarget(name)})`),
    ),
    ...groupsOf(endpoints).map((group) => section(group.name, group.endpoints.map(operationLine))),
    section("Optional", [
      "- [OpenAPI description](/openapi.json): all fields of all requests and answers",
      "- [Changelog](/docs/changelog)",
    ]),
    attribution.length === 0
      ? ""
      : section(
          "Sources of the data",
          attribution.map((source) => `- ${source}`),
        ),
  ]
    .join("\n")
    .trimEnd()
    .concat("\n");
}

function section(title: string, lines: readonly string[]): string {
  return `## ${title}\n\n${lines.join("\n")}\n`;
}

function questionLine({ question, endpoint }: ReturnType<typeof askedQuestions>[number]): string {
  const { method, path, body, isSigned } = exampleRequest(endpoint);
  const sent = `\`${method} ${path}\`${body === undefined ? "" : ` with the body \`${body}\``}`;
  return `- [${question}](${operationTarget(endpoint)}): ${sent} (${isSigned ? "signed" : "any key"})`;
}

function operationLine(endpoint: Endpoint): string {
  const { method, access, summary, task } = endpoint;
  const { path } = exampleRequest(endpoint);
  const [target = ""] = path.split("?");
  const needs = access === "secret" ? "signed" : "any key";
  return `- [${task}](${operationTarget(endpoint)}): ${summary}; like \`${method} ${target}\` (${needs})`;
}
