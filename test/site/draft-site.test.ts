import assert from "node:assert/strict";
import fc from "fast-check";
import t from "tap";
import type { DraftChanges, DraftSubject, ShownDraft } from "../../src/contract/site-values.ts";
import { buildStore } from "../../src/engine/store/build-store.ts";
import type { Store } from "../../src/engine/store/store.ts";
import { publicationReport } from "../../src/publishing/publish/read-publication-report.ts";
import { shownDraft } from "../../src/site/draft-site.ts";
import { runsOf } from "../support/fixed-seed.ts";
import { randomDataset } from "../support/random-dataset.ts";

function draftOf(store: Store, before: Store | undefined): ShownDraft {
  return shownDraft(publicationReport(store, before, ""));
}

/** The sum over all products or markets of two stores. */
function sumOver(draft: ShownDraft, kind: DraftSubject["kind"], stores: readonly Store[]): DraftChanges {
  const uuids = stores.flatMap(({ catalogue: { products, markets } }) =>
    (kind === "product" ? products : markets).map(({ record }) => record.uuid),
  );
  const all = [...new Set(uuids)].map((uuid) => draft.changesOf({ kind, uuid }));
  const sum = (name: keyof DraftChanges): number => all.reduce((total, changes) => total + changes[name], 0);
  return { added: sum("added"), corrected: sum("corrected"), gone: sum("gone") };
}

t.test("the changes of all products, and of all markets, add up to those of the draft", async () => {
  fc.assert(
    fc.property(randomDataset(), randomDataset(), fc.boolean(), (dataset, other, isCompared) => {
      const store = buildStore(dataset);
      const before = isCompared ? buildStore(other) : undefined;
      const draft = draftOf(store, before);
      const { added, corrected, gone } = draft;
      const stores = before === undefined ? [store] : [store, before];
      for (const kind of ["product", "market"] as const) {
        assert.deepEqual(sumOver(draft, kind, stores), { added, corrected, gone }, kind);
      }
    }),
    { numRuns: runsOf(40) },
  );
});
