/** The pages of the documentation, in the order in which they list each other. */

import type { Endpoint } from "../../contract/endpoint.ts";
import { docsPath } from "../../contract/paths.ts";
import { capitalized } from "../../engine/model/snake-case.ts";
import type { Contents, ContentsEntry, NavigationLink } from "../pages/frame.ts";

/** Guides by task, with what the menu calls them. */
export const quickStarts = {
  "price-now": "What does it cost now?",
  "monthly-prices": "Monthly price in a data frame",
  spreadsheets: "Excel, Sheets, R, pandas",
  "keep-a-copy": "Keep a copy up to date",
} as const;

/** Guides that explain. */
export const explanations = {
  signing: "Signing",
  client: "TypeScript client",
  units: "Units",
  series: "Series",
  statistics: "Statistics",
  "comparable-prices": "Comparable prices",
  anomalies: "Is it unusual?",
  exports: "Exports and downloads",
  errors: "Errors",
  deprecation: "Deprecation",
} as const;

/** All guides: titles by the names of their files. */
export const guides = { ...quickStarts, ...explanations } as const;

export type GuideName = keyof typeof guides;

export const guideNames = Object.keys(guides) as readonly GuideName[];

/** The links of every page behind those of the site; the menu beside it has the others. */
export const pageLinks: readonly NavigationLink[] = [
  { target: "/docs/search", text: "Search" },
  { target: "/openapi.json", text: "openapi.json" },
  { target: "/llms.txt", text: "llms.txt" },
];

/** The groups of operations, in the order of the documents. */
export const operationGroups = {
  Prices: "Prices as recorded, the newest ones, statistics of them, and which series there are.",
  Products: "The catalogue of products.",
  Markets: "Trading centres.",
  Counties: "Counties with their sub-counties and wards.",
  Crops: "Crops and their categories.",
  Reference: "Units of measurement and types of markets.",
  Exports: "Whole tables as files, with no limit of rows, for data frames and spreadsheets.",
  Downloads: "Files that hold the whole of a snapshot and never change: Parquet, CSV, and a description of them.",
  Dataset: "The snapshot that is served: whose data it is, how much, how fresh, and how to cite it.",
} as const;

/** The group of an operation, by the first segment of its path. */
export function groupOf({ path }: Pick<Endpoint, "path">): string {
  return capitalized(path.split("/")[1] ?? "");
}

/** Operations that have a page together. */
export interface OperationGroup {
  readonly name: string;
  readonly path: string;
  readonly description: string;
  readonly endpoints: readonly Endpoint[];
}

/** Paths of the pages of all groups. */
export const groupPaths: readonly string[] = Object.keys(operationGroups).map(groupPath);

function groupPath(name: string): string {
  return `/docs/reference/${name.toLowerCase()}`;
}

/** The groups that have operations. */
export function groupsOf(endpoints: readonly Endpoint[]): OperationGroup[] {
  return Object.entries(operationGroups)
    .map(([name, description]) => ({
      name,
      path: groupPath(name),
      description,
      endpoints: endpoints.filter((endpoint) => groupOf(endpoint) === name),
    }))
    .filter((group) => group.endpoints.length > 0);
}

/** The address of the description of an operation. */
export function operationTarget(endpoint: Endpoint): string {
  return `${groupPath(groupOf(endpoint))}#${endpoint.id}`;
}

export function guideTarget(name: string): string {
  return `/docs/${name}`;
}

/**
 * The menu beside a page.
 *
 * @param path The path of the page, whose own entry is marked.
 * @param sections The sections of the page, which its entry has.
 */
export function menuOf(path: string, endpoints: readonly Endpoint[], sections: readonly ContentsEntry[]): Contents {
  const guideEntries = (listed: Readonly<Record<string, string>>): ContentsEntry[] =>
    Object.entries(listed).map(([name, text]) => entryTo(guideTarget(name), text));
  const entryTo = (target: string, text: string): ContentsEntry =>
    target === path ? { target, text, isCurrent: true, entries: sections } : { target, text };
  return {
    label: "Contents",
    entries: [
      entryTo(docsPath, "Start"),
      { target: "/docs#quick-starts", text: "Quick starts", entries: guideEntries(quickStarts) },
      { target: "/docs#guides", text: "Guides", entries: guideEntries(explanations) },
      {
        target: "/docs#operations",
        text: "Reference",
        entries: groupsOf(endpoints).map((group) => entryTo(group.path, group.name)),
      },
      entryTo(guideTarget("gaps"), "What is not here"),
      entryTo("/docs/changelog", "Changelog"),
    ],
  };
}
