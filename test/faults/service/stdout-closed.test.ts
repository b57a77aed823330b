import t from "tap";
import { folderWithData, holdsWithin, spawnService } from "../../support/start-process.ts";

t.test("a service whose stdout has lost its reader starts, and says so in its log", async (t) => {
  const service = spawnService(t, await folderWithData(t), { THREADS: "1" });
  service.child.stdout?.destroy();
  t.ok(await holdsWithin(20_000, () => service.logged("stdout cannot be written").length > 0 || hasEnded()));
  t.ok(await holdsWithin(20_000, () => service.logged("listening").length > 0 || hasEnded()));
  const url = String(service.logged("listening")[0]?.["admin_url"]);
  t.equal((await fetch(`${url}/ready`)).status, 200);
  service.child.kill("SIGTERM");
  t.strictSame(await service.ended, { code: 0, signal: null });

  function hasEnded(): boolean {
    return service.child.exitCode !== null;
  }
});
