import t from "tap";
import { commandLine } from "../../src/contract/command-line.ts";

t.test("a command line is what its reader types", async (t) => {
  t.equal(commandLine("keys"), "npm run keys --", "this is a clone");
  t.equal(commandLine("sign", { isPiped: true }), "npm run --silent sign --");
  t.equal(commandLine("import wfp", { by: "clone" }), "npm run import:wfp --");
  t.equal(commandLine("import wfp", { by: "package" }), "kenya-farm-prices import wfp");
  t.equal(commandLine("snapshot", { isPiped: true, by: "npx" }), "npx kenya-farm-prices snapshot");
});
