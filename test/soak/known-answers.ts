/** Questions whose answer to each snapshot is known: a quiet app of that snapshot alone has been asked before. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { pino } from "pino";
import { loadManifestDataset } from "../../src/engine/snapshots/load-dataset.ts";
import { readManifest } from "../../src/engine/snapshots/manifest.ts";
import { buildStore } from "../../src/engine/store/build-store.ts";
import { createApp } from "../../src/service/http/app.ts";
import { site } from "../../src/site/site.ts";
import { noDownloads } from "../support/no-downloads.ts";
import { publicKey, secretKey, signedHeaders, testKeys } from "../support/signed-request.ts";
import { testAdmission } from "../support/test-admission.ts";

export interface SoakQuestion {
  readonly method: "GET" | "POST";
  /** With query string. */
  readonly path: string;
  /** Empty for GET. */
  readonly body: string;
  readonly isSecret: boolean;
}

/** Questions that any snapshot answers, and some about a product of it. */
export function questionsAbout(productUuid: string): readonly SoakQuestion[] {
  const get = (path: string): SoakQuestion => ({ method: "GET", path: `/api/v1${path}`, body: "", isSecret: false });
  const post = (path: string, body: object): SoakQuestion => ({
    ...{ method: "POST", path: `/api/v1${path}`, body: JSON.stringify(body), isSecret: true },
  });
  const days = { start_date: "2018-01-01", end_date: "2026-12-31" };
  return [
    get("/products?page_size=100"),
    get("/markets?page=2"),
    get("/prices/latest?limit=2"),
    get(`/prices/latest?product_uuids=${productUuid}&one_per_market=true&limit=500`),
    get(`/products/${productUuid}`),
    post("/prices/search", { page: 3, page_size: 100 }),
    post("/prices/search", { product_uuid: productUuid, min_price: 10, ...days }),
    post("/prices/statistics", { product_uuid: productUuid, ...days, group_by: "week" }),
    post("/prices/statistics", { product_uuid: productUuid, ...days, group_by: "market" }),
  ];
}

/** What a snapshot answers to questions. @returns Bodies, in the order of the questions. */
export async function answersOf(snapshotFolder: string, questions: readonly SoakQuestion[]): Promise<string[]> {
  const manifest = await readManifest(snapshotFolder);
  const store = buildStore(await loadManifestDataset(snapshotFolder, manifest));
  const keys = testKeys();
  const handle = createApp({
    currentStore: () => store,
    currentKeys: () => keys.current(),
    now: Date.now,
    admission: testAdmission(),
    log: pino({ level: "silent" }),
    site,
    downloads: noDownloads,
  });
  const server = createServer(handle).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const answers: string[] = [];
  for (const { method, path, body, isSecret } of questions) {
    const headers = isSecret ? signedHeaders({ method, path, body, key: secretKey }) : { "X-API-Key": publicKey };
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: { ...headers, ...(body !== "" && { "Content-Type": "application/json" }) },
      ...(body !== "" && { body }),
    });
    answers.push(`${response.status} ${await response.text()}`);
  }
  server.closeAllConnections();
  server.close();
  return answers;
}
