import t from "tap";
import { requestedPage } from "../../../src/contract/schema.ts";
import { pageText } from "../../../src/service/http/answer/json-text.ts";

t.test("page 1 of 20 entries when nothing is said", async (t) => {
  t.strictSame(requestedPage({}), { page: 1, pageSize: 20 });
  t.strictSame(requestedPage({ page: 7 }), { page: 7, pageSize: 20 });
  t.strictSame(requestedPage({ page_size: 100 }), { page: 1, pageSize: 100 });
});

t.test("pages are counted up to the last that has an entry", async (t) => {
  const pages = (total: number, pageSize: number) =>
    (JSON.parse(pageText(1, pageSize, total)) as { total_pages: number }).total_pages;
  t.strictSame([pages(0, 20), pages(1, 20), pages(20, 20), pages(21, 20), pages(5, 1)], [0, 1, 1, 2, 5]);
  t.strictSame(
    JSON.parse(pageText(3, 20, 21)),
    { page: 3, page_size: 20, total: 21, total_pages: 2 },
    "also from beyond",
  );
});
