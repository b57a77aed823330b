/** Pictures of the running service: what their process takes, and what happens to it, is nothing to the service. */
import { readdirSync, readFileSync } from "node:fs";
import t from "tap";
import { readPng } from "../../support/read-png.ts";
import { folderWithData, holdsWithin, type RunningService, startProcess } from "../../support/start-process.ts";

const skip = process.platform === "linux" ? false : "it reads /proc";

/** Pictures of the memory test: several processes draw them. */
const pictureCount = 60;

const mebibyte = 2 ** 20;

/** The processes that a process has started. */
function childrenOf(parent: number): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => /^PPid:\s+(\d+)$/m.exec(statusOf(pid))?.[1] === String(parent));
}

/** Empty for a process that has ended. */
function statusOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, "utf8");
  } catch {
    return "";
  }
}

function residentBytes(pid: number): number {
  return 1024 * Number(/^VmRSS:\s+(\d+) kB$/m.exec(statusOf(pid))?.[1] ?? 0);
}

let sent = 0;

/** A picture of months that no other request of these tests has, from an address of its own. */
function fetchPicture({ baseUrl }: RunningService, product: string): Promise<Response> {
  sent++;
  const [from, to] = [2000 + (sent % 25), 2026].map((year) => `${year}-${String((sent % 12) + 1).padStart(2, "0")}`);
  const address = `10.${sent % 250}.${Math.floor(sent / 250)}.1`;
  return fetch(`${baseUrl}${product}?from=${from}&to=${to}&picture=${sent % 2 === 0 ? "card" : "months"}`, {
    headers: { "X-Forwarded-For": address, Accept: "image/png,*/*" },
  });
}

async function productOf({ baseUrl }: RunningService): Promise<string> {
  const page = await (await fetch(`${baseUrl}/explore`)).text();
  return /\/explore\/products\/[0-9a-f-]{36}/.exec(page)?.[0] ?? "";
}

t.jobs = 2;

const variables = { EXPLORER: "on", TRUST_PROXY: "1", THREADS: "2", ANSWER_CACHE_MB: "0" };

t.test("a process that is killed or hangs costs the picture that it draws", { skip, buffered: true }, async (t) => {
  const service = await startProcess(t, await folderWithData(t), variables);
  const { pid } = service.process;
  const product = await productOf(service);
  t.equal((await fetchPicture(service, product)).status, 200);
  for (const end of ["SIGKILL", "SIGSTOP"] as const) {
    const [child] = childrenOf(pid);
    process.kill(child as number, "SIGSTOP");
    const waiting = fetchPicture(service, product);
    t.equal((await fetch(`${service.baseUrl}${product}`)).status, 200, "pages go on meanwhile");
    // Stopped, it draws nothing; killed, it never will.
    if (end === "SIGKILL") setTimeout(() => process.kill(child as number, "SIGKILL"), 500);
    const answer = await waiting;
    t.equal(answer.status, 503, end);
    t.ok(answer.headers.get("retry-after"));
    t.match(await answer.json(), { code: "SERVICE_UNAVAILABLE", message: /^The picture could not be made; / });
    t.notOk(childrenOf(pid).includes(child as number), "it has ended");
    const next = await fetchPicture(service, product);
    t.equal(next.status, 200);
    t.ok(readPng(Buffer.from(await next.arrayBuffer())).width > 700);
  }
  const [child] = childrenOf(pid);
  process.kill(pid, "SIGKILL");
  t.ok(await holdsWithin(2000, () => statusOf(child as number) === ""), "it ends with the service, however that ends");
});

t.test(
  `${pictureCount} different pictures add less than 120 MiB, and nothing to the service itself`,
  { skip, buffered: true },
  async (t) => {
    const service = await startProcess(t, await folderWithData(t), variables);
    const { pid } = service.process;
    const product = await productOf(service);
    const children = new Set<number>();
    let own = 0;
    let most = 0;
    for (let count = 0; count < pictureCount; count++) {
      const answer = await fetchPicture(service, product);
      t.equal(answer.status, 200);
      await answer.arrayBuffer();
      // Pages have warmed the service up by then.
      if (count === 20) own = residentBytes(pid);
      for (const child of childrenOf(pid)) {
        children.add(child);
        most = Math.max(most, residentBytes(child));
      }
    }
    t.ok(most < 120 * mebibyte, `the process has taken ${Math.round(most / mebibyte)} MiB`);
    t.ok(children.size >= 2, `${children.size} processes have drawn them`);
    const grown = residentBytes(pid) - own;
    t.ok(grown < 40 * mebibyte, `the service has grown by ${Math.round(grown / mebibyte)} MiB`);
  },
);
