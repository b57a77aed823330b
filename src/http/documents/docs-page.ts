/** The OpenAPI document as a page for people: one HTML text, no scripts, nothing loaded from elsewhere. */

import type { TObject } from "typebox";
import { signatureWindowSeconds } from "../../auth/signature.ts";
import type { Endpoint } from "../endpoint.ts";
import { apiPrefix } from "../endpoints.ts";
import { apiErrorCodes, apiErrors, fieldErrorCodes } from "../errors.ts";
import { type Keywords, requiredFields } from "../schema.ts";

const style = `
  :root { color-scheme: light dark; }
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
  h2 { margin: 2.5rem 0 0.25rem; font-size: 1.1rem; }
  h2 .method { display: inline-block; min-width: 3.5em; color: #2e7d32; }
  .access { font-size: 0.85rem; border: 1px solid; border-radius: 0.75em; padding: 0 0.6em; opacity: 0.8; }
  code, pre { font-family: ui-monospace, monospace; font-size: 0.92em; }
  pre { padding: 0.75rem 1rem; overflow-x: auto; border: 1px solid #8884; border-radius: 0.4rem; }
  table { border-collapse: collapse; margin: 0.5rem 0; }
  th, td { text-align: left; vertical-align: top; padding: 0.2rem 1.2rem 0.2rem 0; }
  th { font-weight: 600; border-bottom: 1px solid #8886; }
`;

/**
 * The whole page.
 *
 * @param attribution Sources of the data, one a line.
 */
export function renderDocsPage(endpoints: readonly Endpoint[], attribution: readonly string[]): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Kenyan farm produce prices</title>
<style>${style}</style>
</head>
<body>
<h1>Kenyan farm produce prices</h1>
<p>Prices of farm produce at Kenyan markets, with the products, markets, counties, crops and units they refer to.
The same in a form for programs: <a href="/openapi.json">/openapi.json</a>.</p>
<p>Send your key with every request:</p>
<pre>GET ${apiPrefix}/prices/latest?limit=1
X-API-Key: svc_pub_…</pre>
<p>Requests with a secret key are signed: <code>X-Signature</code> is the HMAC-SHA256 of
<code>METHOD|PATH|TIMESTAMP|BODY</code> with the secret key, in lower-case hexadecimal, and
<code>X-Signature-Timestamp</code> the Unix time in seconds, at most ${signatureWindowSeconds} seconds from the server’s.</p>
${endpoints.map(renderEndpoint).join("\n")}
<h2>Errors</h2>
<p>Every error has the same body: <code>error</code>, <code>message</code>, <code>code</code>, <code>request_id</code>,
and, when fields of the request are wrong (${fieldErrorCodes.map(codeText).join(", ")}), <code>details</code> with one entry
for each. <code>X-Snapshot-Id</code> in a request asks for the snapshot of an earlier answer, so that pages of two snapshots
never mix; where another is served, the answer is ${codeText("SNAPSHOT_CHANGED")} with <code>requested</code> and
<code>current</code> in <code>details</code>.</p>
${renderTable(
  ["Code", "Status", "Meaning"],
  apiErrorCodes.map((code) => [codeText(code), String(apiErrors[code].status), escapeText(apiErrors[code].message)]),
)}
${renderAttribution(attribution)}</body>
</html>
`;
}

function renderAttribution(attribution: readonly string[]): string {
  if (attribution.length === 0) return "";
  const sources = attribution.map((source) => `<li>${escapeText(source)}</li>`);
  return `<h2>Sources of the data</h2>\n<ul>\n${sources.join("\n")}\n</ul>\n`;
}

function renderEndpoint({ method, path, access, summary, params, query, body }: Endpoint): string {
  const rows = [...renderFields(params, "path"), ...renderFields(query, "query"), ...renderFields(body, "body")];
  return `<h2><span class="method">${method}</span> <code>${apiPrefix}${path}</code> <span class="access">${access} key</span></h2>
<p>${escapeText(summary)}.</p>
${rows.length === 0 ? "" : renderTable(["Field", "In", "Value", "Meaning"], rows)}`;
}

function renderFields(object: TObject, place: string): string[][] {
  return Object.entries(object.properties).map(([name, schema]) => {
    const { description = "" }: Keywords = schema;
    const isRequired = requiredFields(object).includes(name);
    return [
      codeText(name),
      isRequired ? `${place}, required` : place,
      escapeText(valueText(schema)),
      escapeText(description),
    ];
  });
}

function valueText(schema: Keywords): string {
  const { type = "", format, enum: texts, minimum, maximum, items } = schema;
  const fallback = schema.default === undefined ? "" : `, default ${schema.default}`;
  if (texts !== undefined) return texts.join(", ") + fallback;
  if (items !== undefined) return `list of ${valueText(items)}`;
  if (format === "uuid") return "UUID";
  if (format === "date") return "YYYY-MM-DD";
  if (minimum === undefined) return (type === "string" ? "text" : type) + fallback;
  const isBounded = maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER;
  return `${type} ${isBounded ? `${minimum} to ${maximum}` : `from ${minimum}`}${fallback}`;
}

function renderTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = (tag: string, row: readonly string[]): string => row.map((cell) => `<${tag}>${cell}</${tag}>`).join("");
  const lines = rows.map((row) => `<tr>${cells("td", row)}</tr>`);
  return `<table>\n<tr>${cells("th", head)}</tr>\n${lines.join("\n")}\n</table>`;
}

function codeText(text: string): string {
  return `<code>${escapeText(text)}</code>`;
}

function escapeText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
