/** The reference: the operations of a group with their fields, an example request, its answer, and their errors. */

import type { Endpoint } from "../../contract/endpoint.ts";
import { apiPrefix } from "../../contract/paths.ts";
import {
  cellColumns,
  renderCodeBlock,
  renderDetails,
  renderHeading,
  renderParagraph,
  renderTable,
} from "../pages/elements.ts";
import { joinMarkup, type Markup, markup } from "../pages/markup.ts";
import { renderCodeChoice } from "./code-choice.ts";
import { describeFields } from "./describe-fields.ts";
import { type PageContext, renderPage } from "./docs-page.ts";
import { exampleOf } from "./examples.ts";
import { inlineText, renderInline, renderMarkdown } from "./markdown.ts";
import { groupsOf } from "./menu.ts";
import { errorsByStatus, errorsOfAll } from "./openapi-error-responses.ts";
import { type CodeLanguage, exampleRequest, snippetIn } from "./snippets.ts";

/**
 * The page of a group.
 *
 * @throws {RangeError} When no group with operations has this path.
 */
export function renderReferencePage(path: string, context: PageContext): string {
  const group = groupsOf(context.endpoints).find((known) => known.path === path);
  if (group === undefined) throw new RangeError(`No operations are at ${path}, expected the path of a group`);
  const content = markup`${renderParagraph(renderInline(group.description))}
${group.endpoints.map((endpoint) => renderEndpoint(endpoint, path, context.code))}`;
  return renderPage({ path, title: group.name, description: inlineText(group.description), content }, context);
}

/** @param path The path of the page. */
function renderEndpoint(endpoint: Endpoint, path: string, code: CodeLanguage): Markup {
  const { id, method, access, task, summary, description } = endpoint;
  return markup`${renderHeading(2, id, task)}
<p><span class="method">${method}</span> <code>${apiPrefix}${endpoint.path}</code>
<span class="badge">${access} key</span> <span class="badge">${id}</span></p>
${renderParagraph(`${summary}.`)}
${renderParagraph(renderInline(description))}
${renderInputs(endpoint)}
<h3>Request</h3>
${renderCodeChoice(path, `code-${id}`, code)}
${renderCodeBlock(snippetIn(code, exampleRequest(endpoint)))}
<h3>Answer</h3>
${renderExample(endpoint)}
${renderDetails("Fields of the answer", renderAnswerFields(endpoint))}
${renderErrorCodes(endpoint)}
`;
}

function renderInputs({ params, query, body }: Endpoint): Markup {
  const rows = Object.entries({ path: params, query, body }).flatMap(([part, schema]) =>
    describeFields(schema).map(({ name, values, unit, description, isRequired }) => [
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
function renderAnswerFields({ answer, form }: Endpoint): Markup {
  const hasFields = form.kind === "table" ? form.isRows : form.kind !== "file";
  const schema = answer;
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
    .filter((code) => !errorsOfAll.includes(code))
    .map((code) => markup`<a href="/docs/errors#${code}">${code}</a>`);
  const ofAll = markup`<a href="/docs/errors">those of every request</a>`;
  return renderParagraph(markup`Errors: ${joinMarkup([...links, ofAll], ", ")}.`, "quiet");
}
