/** The site over a draft, for those who decide on it: each page is marked, and leads to the report on the draft. */
import { draftReportPath } from "../contract/paths.ts";
import type { PublicationReport } from "../contract/publication-report.ts";
import type { Document, DraftChanges, DraftSubject, ShownDraft, Site } from "../contract/site-values.ts";
import { findRowOf } from "../engine/model/ids.ts";
import { rowsOf } from "../engine/store/columns.ts";
import type { Store } from "../engine/store/store.ts";
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
    loadPages: async (endpoints) => createPages(endpoints, { draft: shownDraft(publication) }),
  };
}

/** The numbers that pages show of a draft. */
export function shownDraft(publication: PublicationReport): ShownDraft {
  const { store, before, changes, warnings } = publication;
  const { added, changed, gone } = changes?.rows.prices ?? { added: store.prices.rowCount, changed: 0, gone: 0 };
  return {
    against: before?.snapshot.id,
    added,
    corrected: changed,
    gone,
    warnings: warnings.total,
    changesOf: (subject) => changesOf(publication, subject),
  };
}

/** The numbers of prices that differ, by uuid, as `SnapshotChanges` counts those of the whole. */
function changesOf({ store, before, isSamePrice }: PublicationReport, subject: DraftSubject): DraftChanges {
  const rows = rowsOfSubject(store, subject);
  if (before === undefined) return { added: rows.length, corrected: 0, gone: 0 };
  let [added, corrected] = [0, 0];
  for (const row of rows) {
    const rowBefore = findRowOf(before.rowByUuid, before.prices.uuids, store.prices.uuids, row);
    if (rowBefore === undefined) added++;
    else if (isSamePrice?.(rowBefore, row) === false) corrected++;
  }
  const isGone = (row: number): boolean =>
    findRowOf(store.rowByUuid, store.prices.uuids, before.prices.uuids, row) === undefined;
  return { added, corrected, gone: rowsOfSubject(before, subject).filter(isGone).length };
}

/** Returns the rows of a product or market; none if the store lacks it. */
function rowsOfSubject({ catalogue, rowsByProduct, rowsByMarket }: Store, { kind, uuid }: DraftSubject): Uint32Array {
  const code = kind === "product" ? catalogue.productCodes.get(uuid) : catalogue.marketCodes.get(uuid);
  if (code === undefined) return new Uint32Array();
  return rowsOf(kind === "product" ? rowsByProduct : rowsByMarket, code);
}
