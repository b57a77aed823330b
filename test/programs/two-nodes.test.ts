/** The oldest Node that runs the project, and the project's own: the same answers, hashes and compiled stores. */
import { spawn, spawnSync } from "node:child_process";
import { join } from "node:path";
import t from "tap";
import { olderNode } from "../support/older-node.ts";
import { folderWithData, ServiceProcess, serviceEnvironment, untilListening } from "../support/start-process.ts";
import { projectFolder } from "../support/test-files.ts";

const node24 = olderNode("24.11.0");
const nodes = [node24.path, process.execPath];

t.test("golden answers, folded names, days and names in order are as in Node 24", { skip: node24.skip }, async (t) => {
  const files = [
    "test/golden/golden.test.ts",
    ...["folded-text", "calendar"].map((name) => `test/engine/model/${name}.test.ts`),
    "test/engine/compiled/read-compiled-store.test.ts",
  ];
  const env = { ...serviceEnvironment(projectFolder), PATH: process.env["PATH"] ?? "" };
  const tap = ["scripts/run.js", "node_modules/tap/dist/esm/run.mjs", ...files];
  const { status, stdout } = spawnSync(node24.path, tap, { cwd: projectFolder, env, encoding: "utf8" });
  t.equal(status, 0, stdout.slice(-2000));
  for (const file of files) t.match(stdout, `- ${file} #`);
});

t.test("each Node opens stores of the other, and verifies what that has hashed", { skip: node24.skip }, async (t) => {
  for (const [first, second] of [nodes, nodes.toReversed()] as [string, string][]) {
    const folder = await folderWithData(t);
    const env = serviceEnvironment(folder, { THREADS: "1" });
    for (const [node, origin] of [
      [first, "records"],
      [second, "compiled"],
    ] as const) {
      const child = spawn(node, [join(projectFolder, "src/main.ts")], { env, stdio: ["pipe", "pipe", "pipe"] });
      const service = new ServiceProcess(child);
      await untilListening(service);
      t.match(service.logged("snapshot loaded"), [{ origin }]);
      child.kill("SIGTERM");
      t.match(await service.ended, { code: 0 });
    }
    const verify = [join(projectFolder, "scripts/snapshot.ts"), "verify", "--data-dir", String(env["DATA_DIR"])];
    t.match(spawnSync(second, verify, { env, encoding: "utf8" }), { status: 0 });
  }
});
