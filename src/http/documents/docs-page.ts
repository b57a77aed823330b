/** The reference: every endpoint with its fields, its answer, a request in four languages, and a real answer. */
import { signatureWindowSeconds } from "../../auth/signature.ts";
import type { Endpoint } from "../endpoint.ts";
import { apiPrefix } from "../endpoints.ts";
import { apiErrorCodes, apiErrors, fieldErrorCodes } from "../errors.ts";
import type { Keywords } from "../input/schema.ts";
import { operationGroups } from "../operation.ts";
import { describeFields } from "./describe-fields.ts";
import { exampleOf } from "./examples.ts";
import {
  codeText,
  escapeText,
  renderBlock,
  renderHeading,
  renderInline,
  renderPage,
  renderTable,
  renderText,
} from "./html.ts";
import { errorsByStatus } from "./openapi.ts";
import { snippetsOf } from "./snippets.ts";

/**
 * The whole page.
 *
 * @param attribution Sources of the data, one a line.
 */
export function renderDocsPage(endpoints: readonly Endpoint[], attribution: readonly string[]): string {
  const groups = Object.entries(operationGroups)
    .map(([group, description]) => ({
      group,
      description,
      members: endpoints.filter((endpoint) => endpoint.operation.group === group),
    }))
    .filter(({ members }) => members.length > 0);
  const aside = `<ul>
<li><a href="#start">Start</a></li>
${groups
  .map(
    ({ group, members }) => `<li><a href="#${group}">${group}</a><ul>
${members.map((member) => `<li><a href="#${member.operation.id}">${member.operation.id}</a></li>`).join("\n")}
</ul></li>`,
  )
  .join("\n")}
<li><a href="#errors">Errors</a></li>
${attribution.length === 0 ? "" : '<li><a href="#sources">Sources</a></li>'}
</ul>`;
  return renderPage({
    path: "/docs",
    title: "Kenyan farm produce prices",
    aside,
    content: `${renderStart()}
${groups
  .map(
    ({ group, description, members }) => `${renderHeading(2, group, group)}
<p>${renderInline(description)}</p>
${members.map(renderEndpoint).join("\n")}`,
  )
  .join("\n")}
${renderErrors()}
${renderAttribution(attribution)}`,
  });
}

function renderStart(): string {
  return `<p>Prices of farm produce at Kenyan markets with statistics over years, and the products, markets, counties, crops and
units they refer to. Read-only. The same in a form for programs: <a href="/openapi.json">/openapi.json</a>; with a public key in the
browser: <a href="/docs/try">try it</a>.</p>
${renderHeading(2, "start", "Start")}
<p>Send your key with every request. The examples read the address of the service and the keys from the environment:</p>
${renderBlock(`export BASE_URL=…            # scheme, host and port of this service
export PUBLIC_KEY=svc_pub_…  # reads public data
export SIGNING_KEY=svc_sec_… # for what is marked secret; stays on your server
curl -sS -H "X-API-Key: $PUBLIC_KEY" "$BASE_URL${apiPrefix}/prices/latest?limit=1"`)}
${renderText(`
- **Keys.** A public key suffices for what is marked “public key”. What is marked “secret key” needs a secret key, and every request with one is [signed](/docs/signing), at most ${signatureWindowSeconds} seconds from the server’s clock.
- **Answers** are \`{ "data": … }\`, with \`meta\` where there is something to count. Every documented field is there; what is unknown is null. Fields may be added, so ignore those you do not know.
- **Nothing is ignored.** An unknown field or a value outside its range is an error that names the field.
- **Snapshots.** \`X-Snapshot-Id\` of an answer names the snapshot. Send it back with the requests for further pages: where another one is served meanwhile, the answer is \`SNAPSHOT_CHANGED\`, never a page of the other one.
- **Caching.** GET answers have an \`ETag\`; with \`If-None-Match\` an answer that is still right costs next to nothing. \`Accept-Encoding\` with zstd, br or gzip makes it a fifth.
- **Limits.** \`RateLimit-Policy\` and \`RateLimit\` say how much a key may ask, where it has a limit; after 429 or 503 wait for \`Retry-After\` seconds.
- **Which prices are there?** See [series](/docs/series). **For a data frame** take [exports](/docs/exports) or [statistics](/docs/statistics), not pages of a search. **Per bag or per kilogram?** [Units](/docs/units).
`)}`;
}

function renderEndpoint(endpoint: Endpoint): string {
  const { method, path, access, summary, params, query, body, answer, exportForm } = endpoint;
  const { id, description, mediaTypes } = endpoint.operation;
  const inputs = [
    ...renderInputs(params as Keywords, "path"),
    ...renderInputs(query as Keywords, "query"),
    ...renderInputs(body as Keywords, "body"),
  ];
  const example = exampleOf(endpoint);
  const fields =
    exportForm?.isRows === true || (exportForm === undefined && mediaTypes === undefined)
      ? renderTable(
          ["Field", "Value", "Unit", "Meaning"],
          describeFields(answer as Keywords).map((field) => [
            codeText(field.name),
            escapeText(field.isRequired ? field.values : `${field.values}; may be absent`),
            renderInline(field.unit),
            renderInline(field.description),
          ]),
        )
      : renderText((answer as Keywords).description?.replace(/\n- /, "\n\n- ") ?? "");
  return `${renderHeading(3, id, escapeText(summary))}
<p class="target"><span class="method">${method}</span> <code>${apiPrefix}${path}</code> <span class="badge">${access} key</span>
<span class="badge">${id}</span></p>
<p>${renderInline(description)}</p>
${inputs.length === 0 ? '<p class="quiet">No fields.</p>' : renderTable(["Field", "In", "Value", "Meaning"], inputs)}
<h4>Request</h4>
${snippetsOf(endpoint)
  .map(
    ({ language, text }, at) =>
      `<details name="${id}"${at === 0 ? " open" : ""}><summary>${language}</summary>${renderBlock(text)}</details>`,
  )
  .join("\n")}
<h4>Answer</h4>
${renderBlock(typeof example === "string" ? example : JSON.stringify(example, null, 2))}
<p class="quiet">From the data that the project ships with; ${typeof example === "string" ? "the file is" : "lists are"} cut to the first entries.</p>
<details><summary>Fields of the answer</summary>
${fields}</details>
<p class="quiet">Errors: ${errorsByStatus(endpoint)
    .flatMap(([, codes]) => codes)
    .map((code) => `<a href="#${code}">${code}</a>`)
    .join(", ")}.</p>`;
}

function renderInputs(schema: Keywords, place: string): string[][] {
  return describeFields(schema).map(({ name, values, unit, description, isRequired }) => [
    codeText(name),
    isRequired ? `${place}, required` : place,
    escapeText(values),
    renderInline(unit === "" ? description : `${description} Unit: ${unit}.`),
  ]);
}

function renderErrors(): string {
  return `${renderHeading(2, "errors", "Errors")}
<p>Every error has the same body: <code>error</code>, <code>message</code>, <code>code</code>, <code>request_id</code>,
and, when fields of the request are wrong (${fieldErrorCodes.map(codeText).join(", ")}), <code>details</code> with one entry
for each: <code>field</code>, <code>message</code> and <code>received</code>. <code>details</code> of
${codeText("SNAPSHOT_CHANGED")} has <code>requested</code> and <code>current</code>.</p>
${renderTable(
  ["Code", "Status", "Meaning"],
  apiErrorCodes.map((code) => [
    `<code id="${code}">${code}</code>`,
    String(apiErrors[code].status),
    escapeText(apiErrors[code].message),
  ]),
)}`;
}

function renderAttribution(attribution: readonly string[]): string {
  if (attribution.length === 0) return "";
  const sources = attribution.map((source) => `<li>${escapeText(source)}</li>`);
  return `${renderHeading(2, "sources", "Sources of the data")}\n<ul>\n${sources.join("\n")}\n</ul>\n`;
}
