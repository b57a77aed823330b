/** The first cases of `npm run fuzz -- --requests 2000 --files 160 --seed 1`. */
import t from "tap";
import { runFileFuzz } from "./files/run-file-fuzz.ts";
import { runFuzz } from "./run-fuzz.ts";

t.test("broken and odd requests get documented answers, and leave the service as it was", async (t) => {
  const { failures, statuses } = await runFuzz({ requests: 2000, seed: 1 });
  t.strictSame(failures, []);
  for (const status of ["200", "400", "401", "404", "405", "413", "414", "415", "431", "none"]) {
    t.ok((statuses.get(status) ?? 0) > 0, `${status} is among the answers`);
  }
});

t.test("spoilt files are read as a naive reader reads them, or refused", async (t) => {
  const { failures, outcomes } = await runFileFuzz({ files: 160, seed: 1 });
  t.strictSame(failures, []);
  t.ok(outcomes.size >= 13, "files of each kind were accepted and refused");
});
