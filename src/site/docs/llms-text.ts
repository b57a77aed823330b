/**
 * `/llms.txt` (llmstxt.org): what there is, for language models; the text of `guides/llms.md` with lists from the
 * tables that the pages are made from.
 */

import { signatureWindowSeconds } from "../../contract/credentials.ts";
import type { Endpoint } from "../../contract/endpoint.ts";
import { keylessPerMinute, listItemsMax, pageSizeMax, seriesPageSizeMax } from "../../contract/limits.ts";
import type { PageContext } from "./docs-page.ts";
import { readGuide } from "./guides.ts";
import { fillIn } from "./markdown.ts";
import { groupsOf, guides, guideTarget, type OperationGroup, operationTarget } from "./menu.ts";
import { readerQuestions } from "./reader-questions.ts";
import { exampleRequest } from "./snippets.ts";

/** The whole text. */
export function renderLlmsText({ endpoints, attribution }: PageContext): string {
  const sources = attribution.map((source) => `- ${source}`);
  const values = {
    windowSeconds: signatureWindowSeconds,
    pageSizeMax,
    seriesPageSizeMax,
    listItemsMax,
    keylessPerMinute,
    questions: readerQuestions(endpoints).map(questionLine).join("\n"),
    guides: Object.entries(guides)
      .map(([name, text]) => `- [${text}](${guideTarget(name)})`)
      .join("\n"),
    operations: groupsOf(endpoints).map(groupSection).join("\n\n"),
    sources: sources.length === 0 ? "" : ["## Sources of the data", "", ...sources].join("\n"),
  };
  // A list item and the quotation are one line each; in the file, indented lines continue them.
  return `${fillIn(readGuide("llms").replaceAll("\n  ", " "), values).trimEnd()}\n`;
}

function groupSection({ name, endpoints }: OperationGroup): string {
  return [`## ${name}`, "", ...endpoints.map(operationLine)].join("\n");
}

function questionLine({ question, endpoint }: ReturnType<typeof readerQuestions>[number]): string {
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
