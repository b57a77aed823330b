/** `/docs`: the first requests, and where everything else is. */

import type { Endpoint } from "../../contract/endpoint.ts";
import { apiErrorCodes } from "../../contract/errors.ts";
import { apiPrefix, docsPath } from "../../contract/paths.ts";
import { describeDataset } from "../../engine/export/dataset-description.ts";
import { renderHeading, renderParagraph } from "../pages/elements.ts";
import { joinMarkup, type Markup, type MarkupValue, markup } from "../pages/markup.ts";
import { type PageContext, renderPage } from "./docs-page.ts";
import { renderGuide } from "./guides.ts";
import { renderInline } from "./markdown.ts";
import { explanations, groupsOf, guideTarget, type OperationGroup, operationTarget, quickStarts } from "./menu.ts";
import { readerQuestions } from "./reader-questions.ts";
import { renderSearchForm } from "./search-page.ts";

/** The page; each operation, group and error has an anchor on it, from which its own page is one step away. */
export function renderStartPage(context: PageContext): string {
  const { endpoints, attribution, sources, publicUrl } = context;
  const { title, description, content } = renderGuide("start", docsPath, context);
  const page = markup`${renderSearchForm(context)}
${content}
${renderHeading(2, "quick-starts", "Quick starts")}
${renderGuideList(quickStarts)}
${renderHeading(2, "questions", "Questions and their requests")}
${renderQuestions(endpoints)}
${renderHeading(2, "guides", "Guides")}
${renderGuideList(explanations)}
${renderHeading(2, "operations", "Reference")}
${groupsOf(endpoints).map(renderGroup)}
${renderHeading(2, "errors", markup`Codes of errors`)}
${renderErrorCodes()}
${attribution.length > 0 && renderAttribution(attribution)}`;
  return renderPage(
    {
      path: docsPath,
      title,
      description,
      content: page,
      structuredData: describeDataset({ sources }, publicUrl) as object,
    },
    context,
  );
}

function renderList(items: readonly MarkupValue[]): Markup {
  return markup`<ul>\n${items.map((item) => markup`<li>${item}</li>\n`)}</ul>\n`;
}

function renderGuideList(guides: Readonly<Record<string, string>>): Markup {
  return renderList(Object.entries(guides).map(([name, text]) => markup`<a href="${guideTarget(name)}">${text}</a>`));
}

function renderQuestions(endpoints: readonly Endpoint[]): Markup {
  return renderList(
    readerQuestions(endpoints).map(
      ({ question, endpoint }) => markup`<a href="${operationTarget(endpoint)}">${question}</a>`,
    ),
  );
}

function renderGroup({ name, path, description, endpoints }: OperationGroup): Markup {
  const items = endpoints.map(
    (endpoint) => markup`<li id="${endpoint.id}"><a href="${operationTarget(endpoint)}">${endpoint.task}</a>
<span class="quiet">${endpoint.method} <code>${apiPrefix}${endpoint.path}</code></span></li>\n`,
  );
  return markup`<h3 id="${name}"><a href="${path}">${name}</a></h3>
${renderParagraph(renderInline(description), "quiet")}
<ul>\n${items}</ul>\n`;
}

function renderErrorCodes(): Markup {
  const links = apiErrorCodes.map((code) => markup`<a id="${code}" href="/docs/errors#${code}">${code}</a>`);
  return renderParagraph(joinMarkup(links, ", "));
}

function renderAttribution(attribution: readonly string[]): Markup {
  return markup`${renderHeading(2, "sources", "Sources of the data")}\n${renderList(attribution)}`;
}
