import t from "tap";
import { matchesTag, tagsOf, textTags } from "../../../src/service/http/answer/representation.ts";

const tagOf = tagsOf("1");
const etagOf = (snapshot: string, target: string) => tagOf(snapshot, target, "identity");

t.test("a tag is strong, short, and belongs to snapshot and target", async (t) => {
  const etag = etagOf("snapshot", "/a?b");
  t.match(etag, /^"[A-Za-z0-9_-]{27}"$/);
  t.equal(etagOf("snapshot", "/a?b"), etag);
  t.not(etagOf("snapshot", "/a?c"), etag);
  t.not(etagOf("snapshot2", "/a?b"), etag);
  t.equal(etagOf("snapshot", "/a?b"), etag, "also after another snapshot");
  t.not(etagOf("snapsho", "t/a?b"), etag, "the two do not run together");
  t.not(tagsOf("2")("snapshot", "/a?b", "identity"), etag, "another version of the code");
});

t.test("each coding has a tag of its own", async (t) => {
  const codings = ["identity", "gzip", "br", "zstd"] as const;
  t.equal(new Set(codings.map((coding) => tagOf("snapshot", "/a", coding))).size, codings.length);
  t.equal(new Set(codings.map(textTags("text"))).size, codings.length);
});

t.test("a tag is found in a list, weak or strong; a star matches nothing", async (t) => {
  for (const list of ['"a"', 'W/"a"', '"b", "a"', '"b","a"', '"b" ,W/"a",']) t.ok(matchesTag(list, '"a"'), list);
  for (const list of ["", "*", "a", '"A"', 'w/"a"', '"ab"', '"b"', "W/", ",,"]) t.notOk(matchesTag(list, '"a"'), list);
});
