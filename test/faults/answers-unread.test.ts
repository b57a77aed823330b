/** Clients that ask for the longest answers and do not read them. */
import { readFile } from "node:fs/promises";
import type { Socket } from "node:net";
import { join } from "node:path";
import t, { type Test } from "tap";
import type { Instant } from "../../src/engine/model/calendar.ts";
import { issueKey } from "../../src/service/auth/keys-file.ts";
import { askWithoutReading, longTarget, readSlowly } from "../support/long-answer.ts";
import { marketRow, priceRow, productRow, testUuid } from "../support/snapshot-files.ts";
import { folderWithData, holdsWithin, type RunningService, startProcess } from "../support/start-process.ts";

const productCount = 100;
const marketCount = 460;
const memoryMebibytesMax = 600;

/** A price of every product at every market, so that the newest of them all are 46,000 prices, 8.6 MB. */
async function folderWithLongAnswers(t: Test): Promise<string> {
  const products = Array.from({ length: productCount }, (_, at) => productRow({ uuid: testUuid(1000 + at) }));
  const markets = Array.from({ length: marketCount }, (_, at) => marketRow({ uuid: testUuid(5000 + at) }));
  const prices = products.flatMap(({ uuid: product_uuid }, product) =>
    markets.map(({ uuid: market_uuid }, market) =>
      priceRow({ uuid: testUuid(100_000 + product * marketCount + market), product_uuid, market_uuid }),
    ),
  );
  return folderWithData(t, { tables: { products, markets, prices } });
}

/** Memory of a process as the system counts it; undefined where it does not say. */
async function residentMebibytes({ process: { child } }: RunningService): Promise<number | undefined> {
  const status = await readFile(`/proc/${child.pid}/status`, "utf8").catch(() => "");
  const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
  return kibibytes === undefined ? undefined : Number(kibibytes) / 1024;
}

t.test(
  "300 clients that do not read hold little memory, until they are disconnected; others are answered",
  async (t) => {
    const folder = await folderWithLongAnswers(t);
    const keysFile = join(folder, "keys.json");
    const { key } = await issueKey(keysFile, { kind: "public", label: "reader" }, () => Date.now() as Instant);
    const service = await startProcess(t, folder, { KEYS_FILE: keysFile, THREADS: "2" });
    const port = Number(new URL(service.baseUrl).port);
    const headers = { "X-API-Key": key };
    const whole = await (await fetch(service.baseUrl + longTarget, { headers })).text();
    t.ok(whole.length > 8_000_000, `${whole.length} bytes`);

    const patient = await askWithoutReading(port, longTarget, { key });
    let patientBytes = 0;
    let patientEnd = "";
    const takeChunk = (chunk: Buffer): void => {
      patientBytes += chunk.length;
      patientEnd = (patientEnd + chunk.toString("latin1")).slice(-5);
    };
    // 240 kB/s: on loopback the send buffer of the kernel empties in lumps of a third of 4 MB, and shows nothing
    // between.
    const stops = [readSlowly(patient, 24_000, 100, takeChunk)];
    // Ten addresses, so that the limit of each is not what holds them back.
    const ask = (count: number): Promise<Socket[]> =>
      Promise.all(
        Array.from({ length: count }, (_, at) =>
          askWithoutReading(port, longTarget, { key, localAddress: `127.0.0.${2 + (at % 10)}` }),
        ),
      );
    const sockets = await ask(300);
    stops.push(...sockets.slice(0, 5).map((socket) => readSlowly(socket, 600, 100)));
    let mostMebibytes = 0;
    for (let round = 0; round < 40; round++) {
      mostMebibytes = Math.max(mostMebibytes, (await residentMebibytes(service)) ?? 0);
      const response = await fetch(`${service.baseUrl}/api/v1/prices/${testUuid(100_000 + round)}`, { headers });
      t.equal(response.status, 200);
      await response.arrayBuffer();
    }
    t.ok(mostMebibytes < memoryMebibytesMax, `${Math.round(mostMebibytes)} MiB at most`);
    const metrics = async (name: string): Promise<number> => {
      const text = await (await fetch(`${service.adminUrl}/metrics`)).text();
      return Number(new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1]);
    };
    const held = (): Promise<number> => metrics("http_long_answers");
    // So many at once are an overload, in which some are refused; others ask until enough are accepted.
    const isHeld = await holdsWithin(20_000, async () => {
      if ((await held()) > 100) return true;
      sockets.push(...(await ask(20)));
      return false;
    });
    t.ok(isHeld, "more than 100 answers are unread");

    t.ok(await holdsWithin(100_000, async () => (await held()) === 0), "all are disconnected or served");
    t.equal(await (await fetch(service.baseUrl + longTarget, { headers })).text(), whole);
    // The last chunk of a chunked body is empty.
    t.ok(await holdsWithin(60_000, () => patientEnd === "0\r\n\r\n"), "one that is quick enough gets its whole answer");
    t.ok(patientBytes > whole.length, `${patientBytes} bytes`);
    for (const stop of stops) stop();
    for (const socket of [patient, ...sockets]) socket.destroy();
  },
);
