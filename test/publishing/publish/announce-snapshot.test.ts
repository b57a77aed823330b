import { join } from "node:path";
import t from "tap";
import { announceSnapshot } from "../../../src/publishing/publish/announce-snapshot.ts";
import { createPublisherKey, parsePublicKey, signatureFault } from "../../../src/publishing/transfer/publisher-key.ts";
import { publishedData } from "../../support/published-data.ts";

t.test("an unsigned announcement is signed once a key is set, and by another key once that is set", async (t) => {
  const root = t.testdir({});
  const { data, ids } = await publishedData(root, 1);
  const unsigned = await announceSnapshot({ dataDirectory: data });
  t.match(unsigned, { snapshot: ids[0], signature: null });
  t.same(await announceSnapshot({ dataDirectory: data }), unsigned, "without a key it is there already");
  let { sequence } = unsigned;
  for (const name of ["key", "other"]) {
    const signingKeyFile = join(root, name);
    const publicKey = parsePublicKey(await createPublisherKey(signingKeyFile)) ?? null;
    const signed = await announceSnapshot({ dataDirectory: data, signingKeyFile });
    t.not(publicKey, null);
    t.equal(signatureFault(signed, publicKey), undefined, name);
    t.match(signed, { snapshot: ids[0], sequence: ++sequence });
    t.same(await announceSnapshot({ dataDirectory: data, signingKeyFile }), signed, "it is there already");
    t.same(await announceSnapshot({ dataDirectory: data }), signed, "without a key it stays");
  }
});
