import t from "tap";
import type { Context } from "../../src/http/context.ts";
import { answerIfUnchanged, etagOf, matchesTag } from "../../src/http/router.ts";

t.test("a tag is strong, short, and belongs to snapshot and target", async (t) => {
  const etag = etagOf("snapshot", "/a?b");
  t.match(etag, /^"[A-Za-z0-9_-]{27}"$/);
  t.equal(etagOf("snapshot", "/a?b"), etag);
  t.not(etagOf("snapshot", "/a?c"), etag);
  t.not(etagOf("snapshot2", "/a?b"), etag);
  t.not(etagOf("snapsho", "t/a?b"), etag, "the two do not run together");
});

t.test("a tag is found in a list, weak or strong; a star matches nothing", async (t) => {
  for (const list of ['"a"', 'W/"a"', '"b", "a"', '"b","a"', '"b" ,W/"a",']) t.ok(matchesTag(list, '"a"'), list);
  for (const list of ["", "*", "a", '"A"', 'w/"a"', '"ab"', '"b"', "W/", ",,"]) t.notOk(matchesTag(list, '"a"'), list);
});

t.test("an answer that the client has becomes 304, with the headers it had", async (t) => {
  const etag = etagOf("snapshot", "/a");
  for (const [sent, isUnchanged] of [
    [etag, true],
    ["", false],
  ] as const) {
    const headers: Record<string, string> = {};
    const ctx = { url: "/a", status: 404, get: () => sent, set: (given: object) => Object.assign(headers, given) };
    t.equal(answerIfUnchanged(ctx as unknown as Context, "snapshot"), isUnchanged);
    t.equal(ctx.status, isUnchanged ? 304 : 404);
    t.strictSame(headers, { ETag: etag, "Cache-Control": "private, no-cache", Vary: "Accept, Accept-Encoding" });
  }
});
