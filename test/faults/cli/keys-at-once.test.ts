/** Several `keys` commands at once, beside a service that follows the keys file. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import t from "tap";
import { followKeys } from "../../../src/service/auth/follow-keys.ts";
import { keysDocumentText } from "../../../src/service/auth/keys-document.ts";
import { readKeysFile } from "../../../src/service/auth/keys-file.ts";
import { runScript } from "../../cli/run-script.ts";
import { holdsWithin } from "../../support/start-process.ts";

t.test("eight commands at once beside a service lose no key, and the service learns them all", async (t) => {
  const folder = t.testdir();
  const path = join(folder, "keys.json");
  writeFileSync(path, keysDocumentText([]));
  const follower = await followKeys(path, { onChange() {}, onProblem: (error) => t.fail(error.message) });
  t.teardown(() => follower.close());
  const labels = Array.from({ length: 8 }, (_, index) => `client ${index}`);
  const issued = await Promise.all(
    labels.map((label) => runScript("keys", ["issue", "--kind", "public", "--label", label, "--json"], folder)),
  );
  const records = await readKeysFile(path);
  t.same(records.map(({ label }) => label).sort(), labels);
  t.equal(new Set(records.map(({ id }) => id)).size, 8);
  for (const { stdout } of issued) {
    const { id, key } = JSON.parse(stdout);
    t.ok(await holdsWithin(1000, () => follower.current().find(key)?.id === id));
  }
  // Before the folder is removed.
  follower.close();
});
