import t from "tap";
import { publisherIn } from "../../../src/engine/snapshots/publisher-version.ts";

t.test("an announcement says which version has published the snapshot that it names", async (t) => {
  const publisher = { version: "1.2.0", commit: "0123456789abcdef0123456789abcdef01234567" };
  t.same(publisherIn({ publisher: { ...publisher, more: 1 } }), publisher);
  for (const wrong of [
    undefined,
    null,
    "1.2.0",
    ["1.2.0"],
    {},
    { version: "1.2.0" },
    { ...publisher, version: 1 },
    { ...publisher, version: "1.2.0\n\u001b[2Jnew" },
    { ...publisher, version: `1.2.0-${"a".repeat(60)}` },
    { ...publisher, commit: "main" },
    { ...publisher, commit: null },
  ]) {
    t.equal(publisherIn({ publisher: wrong }), undefined, JSON.stringify(wrong));
  }
});
