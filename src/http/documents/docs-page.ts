/** The reference: every endpoint with its fields, its answer, a request in four languages, and a real answer. */
import { signatureWindowSeconds } from "../../auth/signature.ts";
import type { SnapshotIdentity } from "../../domain/dataset.ts";
import { describeDataset } from "../../export/dataset-description.ts";
import { renderCodeBlock, renderDetails, renderHeading, renderParagraph } from "../../pages/elements.ts";
import type { Contents } from "../../pages/frame.ts";
import { joinMarkup, type Markup, type MarkupValue, markup } from "../../pages/markup.ts";
import { cellColumns, renderTable } from "../../pages/table.ts";
import type { Endpoint } from "../endpoint.ts";
import { apiPrefix } from "../endpoints.ts";
import { apiErrorCodes, apiErrors } from "../errors.ts";
import type { Keywords } from "../input/schema.ts";
import { operationGroups } from "../operation.ts";
import { describeFields } from "./describe-fields.ts";
import { errorsByStatus } from "./error-responses.ts";
import { exampleOf } from "./examples.ts";
import { renderGuide } from "./guides.ts";
import { renderInline, renderMarkdown } from "./markdown.ts";
import { renderPage } from "./page.ts";
import { snippetsOf } from "./snippets.ts";

/** Endpoints that the page shows under one heading. */
interface Group {
  readonly name: string;
  readonly description: string;
  readonly endpoints: readonly Endpoint[];
}

/**
 * The whole page.
 *
 * @param attribution Sources of the data, one a line.
 * @param hasExplorer See `renderPage`.
 * @param sources What the snapshot says of each source.
 */
export function renderDocsPage(
  endpoints: readonly Endpoint[],
  attribution: readonly string[],
  hasExplorer: boolean,
  sources: SnapshotIdentity["sources"] = {},
): string {
  const groups = Object.entries(operationGroups)
    .map(([name, description]) => ({
      name,
      description,
      endpoints: endpoints.filter(({ operation }) => operation.group === name),
    }))
    .filter((group) => group.endpoints.length > 0);
  const { title, content } = renderGuide("reference", { windowSeconds: signatureWindowSeconds });
  const page = markup`${content}
${groups.map(renderGroup)}
${renderErrors()}
${attribution.length > 0 && renderAttribution(attribution)}`;
  const contents = contentsOf(groups, attribution);
  const structuredData = describeDataset({ sources }) as object;
  return renderPage({ path: "/docs", title, contents, content: page, structuredData }, hasExplorer);
}

function contentsOf(groups: readonly Group[], attribution: readonly string[]): Contents {
  return {
    label: "On this page",
    entries: [
      { id: "start", text: "Start" },
      ...groups.map(({ name, endpoints }) => ({
        id: name,
        text: name,
        entries: endpoints.map(({ operation: { id } }) => ({ id, text: id })),
      })),
      { id: "errors", text: "Errors" },
      ...(attribution.length === 0 ? [] : [{ id: "sources", text: "Sources" }]),
    ],
  };
}

function renderGroup({ name, description, endpoints }: Group): Markup {
  return markup`${renderHeading(2, name, name)}
${renderParagraph(renderInline(description))}
${endpoints.map(renderEndpoint)}`;
}

function renderEndpoint(endpoint: Endpoint): Markup {
  const { method, path, access, summary } = endpoint;
  const { id, description } = endpoint.operation;
  return markup`${renderHeading(3, id, summary)}
<p><span class="method">${method}</span> <code>${apiPrefix}${path}</code> <span class="badge">${access} key</span>
<span class="badge">${id}</span></p>
${renderParagraph(renderInline(description))}
${renderInputs(endpoint)}
<h4>Request</h4>
${snippetsOf(endpoint).map(({ language, text }, at) =>
  renderDetails(language, renderCodeBlock(text), { group: id, isOpen: at === 0 }),
)}
<h4>Answer</h4>
${renderExample(endpoint)}
${renderDetails("Fields of the answer", renderAnswerFields(endpoint))}
${renderErrorCodes(endpoint)}
`;
}

function renderInputs({ params, query, body }: Endpoint): Markup {
  const rows = Object.entries({ path: params, query, body }).flatMap(([part, schema]) =>
    describeFields(schema as Keywords).map(({ name, values, unit, description, isRequired }) => [
      markup`<code>${name}</code>`,
      isRequired ? `${part}, required` : part,
      values,
      renderInline(unit === "" ? description : `${description} Unit: ${unit}.`),
    ]),
  );
  if (rows.length === 0) return renderParagraph("No fields.", "quiet");
  return renderTable(cellColumns(["Field", "In", "Value", "Meaning"]), rows);
}

function renderExample(endpoint: Endpoint): Markup {
  const example = exampleOf(endpoint);
  const isFile = typeof example === "string";
  const cut = isFile ? "the file is" : "lists are";
  return markup`${renderCodeBlock(isFile ? example : JSON.stringify(example, null, 2))}
${renderParagraph(`From the data that the project ships with; ${cut} cut to the first entries.`, "quiet")}`;
}

/** The fields of a record; what a file has is said in words. */
function renderAnswerFields({ answer, exportForm, operation: { mediaTypes } }: Endpoint): Markup {
  const hasFields = exportForm === undefined ? mediaTypes === undefined : exportForm.isRows;
  const schema = answer as Keywords;
  if (!hasFields) return renderMarkdown(schema.description ?? "");
  const rows = describeFields(schema).map(({ name, values, unit, description, isRequired }) => [
    markup`<code>${name}</code>`,
    isRequired ? values : `${values}; may be absent`,
    renderInline(unit),
    renderInline(description),
  ]);
  return renderTable(cellColumns(["Field", "Value", "Unit", "Meaning"]), rows);
}

function renderErrorCodes(endpoint: Endpoint): Markup {
  const links = errorsByStatus(endpoint)
    .flatMap(([, codes]) => codes)
    .map((code) => markup`<a href="#${code}">${code}</a>`);
  return renderParagraph(markup`Errors: ${joinMarkup(links, ", ")}.`, "quiet");
}

function renderErrors(): Markup {
  const { title, content } = renderGuide("errors");
  const rows = apiErrorCodes.map((code): MarkupValue[] => [
    markup`<code id="${code}">${code}</code>`,
    apiErrors[code].status,
    apiErrors[code].message,
  ]);
  return markup`${renderHeading(2, "errors", title)}
${content}
${renderTable(cellColumns(["Code", "Status", "Meaning"]), rows)}`;
}

function renderAttribution(attribution: readonly string[]): Markup {
  const sources = attribution.map((source) => markup`<li>${source}</li>\n`);
  return markup`${renderHeading(2, "sources", "Sources of the data")}
<ul>
${sources}</ul>
`;
}
