/** What the start of a systemd unit waits for. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import t from "tap";
import { freePort } from "../../../scripts/deploy/trial.ts";
import { projectFolder } from "../../support/test-files.ts";

t.test("a start ends with its service, not after the wait, and waits for a service that goes on", async (t) => {
  const program = join(projectFolder, "scripts/deploy/check-ready.ts");
  const { pid: ended } = spawnSync(process.execPath, ["--version"]);
  const port = await freePort();
  const check = (mainProcess: number, wait: string): { status: number | null; stderr: string; seconds: number } => {
    const begin = performance.now();
    const environment = { ADMIN_PORT: String(port), MAINPID: String(mainProcess), PATH: process.env["PATH"] };
    const { status, stderr } = spawnSync(process.execPath, [program, "--wait", wait], {
      encoding: "utf8",
      env: environment,
    });
    return { status, stderr, seconds: (performance.now() - begin) / 1000 };
  };
  const refused = check(ended, "60");
  t.match(refused, { status: 1, stderr: `http://127.0.0.1:${port}/ready: the service has ended, its log says why\n` });
  t.ok(refused.seconds < 30, `${refused.seconds} s`);
  t.match(check(process.pid, "1"), { status: 1, stderr: /ECONNREFUSED/ });
});
