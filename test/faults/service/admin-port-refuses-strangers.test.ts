/** The admin port of a real service: taken from its own machine, refused to web pages. */
import { networkInterfaces } from "node:os";
import t from "tap";
import { runCommand } from "../../cli/run-command.ts";
import { rawExchange } from "../../support/raw-exchange.ts";
import { folderWithData, startProcess } from "../../support/start-process.ts";
import { prepareService, startPrepared } from "../../support/start-threads.ts";

const hasIpv6 = Object.values(networkInterfaces()).some((group) => group?.some(({ family }) => family === "IPv6"));

interface Served {
  readonly adminUrl: string;
}

function adminPort({ adminUrl }: Served): number {
  return Number(new URL(adminUrl).port);
}

async function statusOf(service: Served, start: string, lines: readonly string[]): Promise<number | undefined> {
  const head = [`${start} HTTP/1.1`, ...lines, "Content-Length: 0", "Connection: close"].join("\r\n");
  const { answers } = await rawExchange(adminPort(service), `${head}\r\n\r\n`);
  return answers[0]?.status;
}

t.test("a page of another site can neither reload nor read, the machine itself can", async (t) => {
  const folder = await folderWithData(t);
  const service = await startProcess(t, folder, { ADMIN_NAMES: "farm-prices" });
  const own = `Host: 127.0.0.1:${adminPort(service)}`;
  const form = ["Origin: http://evil.example", "Sec-Fetch-Site: cross-site"];
  t.equal(await statusOf(service, "POST /reload", [own, ...form]), 403);
  const snapshot = await (await fetch(`${service.adminUrl}/snapshot`)).json();
  t.equal((snapshot as { last_reload: unknown }).last_reload, null, "nothing was reloaded");
  t.equal(await statusOf(service, "GET /snapshot", [`Host: evil.example:${adminPort(service)}`]), 403, "rebound name");
  t.equal(await statusOf(service, "GET /ready", ["Host: farm-prices:3001"]), 200);
  t.equal(await statusOf(service, "POST /reload", [own]), 200);
});

for (const adminHost of ["127.0.0.1", "0.0.0.0", "localhost", ...(hasIpv6 ? ["::", "::1"] : [])]) {
  t.test(`npm run reload and a scrape work with ADMIN_HOST ${adminHost}`, async (t) => {
    const folder = await folderWithData(t);
    const service = await startPrepared(t, prepareService(folder, { adminHost }));
    const env = { ADMIN_HOST: adminHost, ADMIN_PORT: String(adminPort(service)) };
    t.match(await runCommand("reload", [], folder, env), {
      code: 0,
      stdout: /^the service serves .* already/,
      stderr: "",
    });
    t.equal((await fetch(`${service.adminUrl}/metrics`)).status, 200);
  });
}
