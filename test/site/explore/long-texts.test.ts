/** Texts as long as records may have them, and far beyond: what they cost on pages, charts, cards, exports and feeds. */
import t, { type Test } from "tap";
import { tableNames, withTable } from "../../../src/engine/export/select-table.ts";
import { tableParquet } from "../../../src/engine/export/table-parquet.ts";
import { tableText, textFormats } from "../../../src/engine/export/table-text.ts";
import { type Records, recordFormats } from "../../../src/engine/model/records.ts";
import { shortened } from "../../../src/engine/model/text-lengths.ts";
import { mapRecordTexts } from "../../../src/engine/snapshots/check-record.ts";
import { describeRefusedTexts } from "../../../src/engine/snapshots/refused-texts.ts";
import type { TableKind } from "../../../src/engine/snapshots/snapshot-layout.ts";
import { tableRecords } from "../../../src/engine/snapshots/table-records.ts";
import type { Store } from "../../../src/engine/store/store.ts";
import { publicationReport } from "../../../src/publishing/publish/read-publication-report.ts";
import { endpoints } from "../../../src/service/http/endpoint-table.ts";
import { documentsOf } from "../../../src/site/docs/documents.ts";
import { shownStore } from "../../../src/site/pages/shown-store.ts";
import { collectReport } from "../../../src/site/report/collect-report.ts";
import { renderReport } from "../../../src/site/report/render-report.ts";
import { answerOf } from "../../support/explorer-pages.ts";
import { farBeyond, greatestLengths, type Lengths, openLongSnapshot } from "../../support/long-texts.ts";
import { processorMilliseconds } from "../../support/processor-time.ts";
import { testUuid } from "../../support/snapshot-files.ts";

const texts: Readonly<Record<string, Lengths>> = {
  "of the greatest length": greatestLengths,
  "of 27,000 bytes of letters": farBeyond(["M"]),
  "of 27,000 bytes of blanks, marks and surrogate pairs": farBeyond(["a", " ", " ", "\u0301", "\u0316", "👩"]),
};

/** Milliseconds of processor time that one page, table or file may take: work that grows with the square takes minutes. */
const millisecondsMax = 1000;
/** Bytes of a page: names are cut, so that rows of a table do not each carry 30,000 letters. */
const pageBytesMax = 1_500_000;

const product = `/products/${testUuid(10)}`;
const market = `/markets/${testUuid(20)}`;
const pagePaths = [
  ...["", "?q=name", "/data", product, `${product}?type=Retail`, `${product}?county=47`, market, "/counties/47"],
  ...[`${product}?market=${testUuid(20)}`, `/compare?series=${testUuid(10)}:Retail&series=${testUuid(11)}:Retail`],
];

for (const [name, lengths] of Object.entries(texts)) {
  t.test(
    `pages, charts, exports and feeds with texts ${name} take little processor time`,
    { timeout: 240_000 },
    async (t) => {
      const { store } = await measure(t, "load", () => openLongSnapshot(t, lengths));
      const drawn = new Map<string, number>();
      for (const path of pagePaths) for (const part of formsOf(path)) await draw(t, store, path, part, drawn);
      t.ok([...drawn.keys()].some((target) => target.includes("chart=")));
      for (const document of documentsOf(endpoints, true, "http://a.example")) {
        const text = await measure(t, document.path, () => document.render(store, "q=name"));
        t.ok(text.length < pageBytesMax, `${document.path}: ${text.length}`);
      }
      await measure(t, "report", () => renderReport(collectReport(publicationReport(store, undefined, ""))));
      for (const table of tableNames) await exportTable(t, store, table);
      const warning = await measure(t, "warning", () => describeRefusedTexts(store));
      const isFar = lengths !== greatestLengths;
      if (isFar) t.match(warning, /^manifest\.json: "note" is "notes .*…, \d+ characters, expected .*, and \d+ more$/);
      else t.equal(warning, undefined);
      const shown = shownStore(store);
      t.equal(shown === store, !isFar, "a store with nothing to cut is shown as it is");
      const { units: _, ...cut } = tableRecords(shown.catalogue);
      for (const kind of keysOf(cut)) checkCut(t, kind, cut[kind]);
    },
  );
}

function keysOf<Value extends object>(value: Value): (keyof Value)[] {
  return Object.keys(value) as (keyof Value)[];
}

function checkCut<Kind extends TableKind>(t: Test, kind: Kind, records: readonly object[]): void {
  t.ok(records.length > 0, kind);
  for (const record of records as readonly Records[Kind][]) {
    t.same(mapRecordTexts<Records[Kind]>(recordFormats[kind], record, shortened), record, `texts of ${kind} are cut`);
  }
}

function formsOf(path: string): string[] {
  return [path, "part=requests", "part=results", "feed=1", "embed=1"];
}

/** Draws a page in a form, and all tables, charts that it leads to. */
async function draw(t: Test, store: Store, path: string, part: string, drawn: Map<string, number>): Promise<void> {
  // Tables and charts differ in words alone.
  for (const language of part === path ? (["en", "sw"] as const) : (["en"] as const)) {
    const target = part === path ? path : `${path}${path.includes("?") ? "&" : "?"}${part}`;
    if (drawn.has(`${language} ${target}`)) continue;
    const { text } = await measure(t, `${language} ${target}`, () => answerOf(store, target, { language }));
    drawn.set(`${language} ${target}`, text.length);
    t.ok(text.length < pageBytesMax, `${target}: ${text.length}`);
    const files = new Set(text.matchAll(/[?;&](?:amp;)?((?:table|chart)=[\w-]+)/g).map(([, file]) => file));
    if (part === path) for (const file of files) await draw(t, store, path, file as string, drawn);
  }
}

async function exportTable(t: Test, store: Store, table: (typeof tableNames)[number]): Promise<void> {
  for (const format of textFormats) {
    await measure(t, `${table}.${format}`, () =>
      withTable(store, table, {}, (columns, blocks) => {
        for (const _ of tableText(store, columns, blocks, format));
      }),
    );
  }
  await measure(t, `${table}.parquet`, () =>
    withTable(store, table, {}, (columns, blocks, partOf) => {
      for (const _ of tableParquet(store, columns, blocks, partOf));
    }),
  );
}

async function measure<Result>(t: Test, what: string, work: () => Result | Promise<Result>): Promise<Result> {
  const begun = processorMilliseconds();
  const result = await work();
  const milliseconds = processorMilliseconds() - begun;
  t.ok(milliseconds < millisecondsMax, `${what}: ${milliseconds} ms`);
  return result;
}
