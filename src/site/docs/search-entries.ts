/** The parts of the documentation that its search finds: sections of guides, operations, codes of errors, files. */

import type { Endpoint } from "../../contract/endpoint.ts";
import { apiErrorCodes, apiErrors } from "../../contract/errors.ts";
import { apiPrefix, docsPath } from "../../contract/paths.ts";
import { describeFields } from "./describe-fields.ts";
import { readGuideSections } from "./guides.ts";
import { inlineText } from "./markdown.ts";
import { guideNames, guideTarget, operationTarget } from "./menu.ts";
import { questions } from "./reader-questions.ts";

/** A part of the documentation. */
export interface SearchEntry {
  /** Its address, with its anchor. */
  readonly target: string;
  readonly title: string;
  /** The kind of part, as a result names it: a guide by its title, an operation by its request, an error by status. */
  readonly kind: string;
  /** The words that it is about, beside those of its title. */
  readonly about: string;
  /** The title of the guide that it is in. */
  readonly guide?: string;
  /** Its text, of which a result shows one passage. */
  readonly passages: readonly string[];
  /** Texts that are searched and not shown. */
  readonly code?: string;
  /** The factor of its score. */
  readonly weight: number;
}

/** Guides answer questions; exports repeat the fields of operations, and NDJSON those of CSV. */
const weights = { guide: 2, operation: 1, export: 0.7, repeated: 0.4 } as const;

/** All parts. Cost: some milliseconds, and the first Markdown of a thread. @throws {RangeError} As `renderGuide`. */
export function searchEntries(endpoints: readonly Endpoint[]): SearchEntry[] {
  return [
    ...["start", ...guideNames].flatMap((name) => guideEntries(name, endpoints)),
    ...endpoints.map(operationEntry),
    ...errorEntries(),
    ...fileEntries,
  ];
}

function guideEntries(name: string, endpoints: readonly Endpoint[]): SearchEntry[] {
  const path = name === "start" ? docsPath : guideTarget(name);
  const { title: guide, sections } = readGuideSections(name, endpoints);
  return sections.map(({ title, id, passages, leads, code }) => ({
    target: id === "" ? path : `${path}#${id}`,
    title: title === "" ? guide : title,
    kind: `Guide: ${guide}`,
    about: leads.join("\n"),
    guide,
    passages,
    code: code.join("\n"),
    weight: weights.guide,
  }));
}

function operationEntry(endpoint: Endpoint): SearchEntry {
  const { id, method, path, task, summary, description, params, query, body, answer, form } = endpoint;
  const isRepeated = form.kind === "table" && form.isRows;
  const schemas = isRepeated ? [] : [params, query, body, answer];
  const fields = schemas.flatMap((schema) => describeFields(schema));
  const weight = form.kind === "table" ? weights.export : weights.operation;
  return {
    target: operationTarget(endpoint),
    title: task,
    kind: `${method} ${apiPrefix}${path}`,
    about: `${summary} ${id} ${path} ${questions[id] ?? ""}`,
    passages: [summary, description, ...fields.map((field) => `${field.name}: ${field.description}`)].map(inlineText),
    weight: isRepeated ? weights.repeated : weight,
  };
}

function errorEntries(): SearchEntry[] {
  return apiErrorCodes.map((code) => {
    const { status, message } = apiErrors[code];
    return {
      target: `/docs/errors#${code}`,
      title: code,
      kind: `Error ${status}`,
      about: `error ${status}`,
      passages: [message],
      weight: weights.operation,
    };
  });
}

/** The pages and files beside the guides. */
const fileEntries: readonly SearchEntry[] = [
  {
    target: "/docs/gaps",
    title: "What is not here",
    kind: "Page",
    about: "gaps missing coverage years months counties camps live animals livestock cattle vegetables retail",
    passages: [
      "The months of each year that have prices, by type and product, and the sought goods without a current price.",
    ],
    weight: weights.operation,
  },
  {
    target: "/docs/changelog",
    title: "Changelog",
    kind: "Page",
    about: "changes news release version",
    passages: ["The changes of the service that its users notice, newest first."],
    weight: weights.operation,
  },
  {
    target: "/openapi.json",
    title: "openapi.json",
    kind: "File",
    about: "OpenAPI Swagger Postman schema generator",
    passages: ["The description of the interface in OpenAPI, for generators of clients and other tools."],
    weight: weights.operation,
  },
  {
    target: "/llms.txt",
    title: "llms.txt",
    kind: "File",
    about: "language model machine-readable text",
    passages: ["The same for language models: operations, questions with their requests, and limits."],
    weight: weights.export,
  },
];
