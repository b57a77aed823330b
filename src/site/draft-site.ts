/** The site over a draft, for those who decide on it: each page is marked, and leads to the report on the draft. */
import { draftReportPath } from "../contract/paths.ts";
import type { PublicationReport } from "../contract/publication-report.ts";
import type { Document, ShownDraft, Site } from "../contract/site-values.ts";
import { createPages } from "./explore/pages.ts";
import { collectReport } from "./report/collect-report.ts";
import { renderReport, reportPolicy } from "./report/render-report.ts";
import { site } from "./site.ts";

/** @param publication The draft beside what is served. Cost: that of its report. */
export function draftSite(publication: PublicationReport): Site {
  const text = renderReport(collectReport(publication), { isDraft: true, serviceUrl: "" });
  const report: Document = {
    path: draftReportPath,
    type: "text/html; charset=utf-8",
    policy: reportPolicy,
    formOf: () => "",
    render: () => text,
  };
  return {
    ...site,
    documents: (...described) => [...site.documents(...described), report],
    loadPages: async (endpoints) => createPages(endpoints, shownDraft(publication)),
  };
}

function shownDraft({ store, before, changes, warnings }: PublicationReport): ShownDraft {
  const { added, changed, gone } = changes?.rows.prices ?? { added: store.prices.rowCount, changed: 0, gone: 0 };
  return { against: before?.snapshot.id, added, corrected: changed, gone, warnings: warnings.total };
}
