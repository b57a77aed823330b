/**
 * The pages for people over one store, for this machine alone: a port of its own on loopback, without keys. Nothing
 * that it answers may be kept by a browser, and it answers no page of another site (`admin-access.ts`).
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { explorerPath } from "../../contract/paths.ts";
import type { Site } from "../../contract/site-values.ts";
import type { Store } from "../../engine/store/store.ts";
import { KeyRing } from "../auth/key-ring.ts";
import { Admission, admissionLimits, createPlaceFigures } from "../http/admission/admission.ts";
import { createApp } from "../http/app.ts";
import { createHttpServer } from "../http/connection/create-server.ts";
import { endpoints } from "../http/endpoint-table.ts";
import { adminAccess, loopbackConnections } from "./admin-access.ts";
import { readGeneralCard } from "./card-files.ts";
import { DownloadFiles } from "./download-files.ts";
import { type ListenVariables, listen } from "./ports.ts";
import { publicationList, publicationsIn } from "./published-snapshots.ts";

const host = "127.0.0.1";

const variables: ListenVariables = { host: "the host", port: "--port" };

export interface PreviewOptions {
  readonly store: Store;
  readonly dataDirectory: string;
  readonly site: Site;
  /** 0 lets the system choose. */
  readonly port: number;
  /** Called with what fails; the request is answered all the same. */
  readonly onFailure: (fields: object, message: string) => void;
}

export interface Preview {
  /** Address of the first page. */
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * Serves the pages until it is stopped.
 *
 * @throws {ListenError} when the port cannot be bound.
 */
export async function startPreview(options: PreviewOptions): Promise<Preview> {
  const { store, dataDirectory, site, port, onFailure } = options;
  const keys = new KeyRing([]);
  const publications = publicationsIn(dataDirectory);
  const deps = {
    currentStore: () => store,
    currentKeys: () => keys,
    now: Date.now,
    log: { info() {}, error: onFailure },
    admission: new Admission(admissionLimits(1), createPlaceFigures(1), 1),
    connectionCounts: loopbackConnections(),
    site,
    explorer: {
      pages: await site.loadPages(endpoints),
      listPublications: publicationList(dataDirectory, publications),
      readCard: async () => ({ png: readGeneralCard(), isGeneral: true }),
    },
    downloads: new DownloadFiles(dataDirectory, publications),
  };
  const access = adminAccess(host, []);
  const answer = createApp(deps);
  const { server } = createHttpServer((request, response) => {
    const refusal = access(request);
    if (refusal === undefined) return answer(request, withoutCaching(response));
    response
      .writeHead(refusal.status, { "Content-Type": "text/plain", "Cache-Control": "no-store", Connection: "close" })
      .end(refusal.message);
    return undefined;
  }, deps);
  const baseUrl = await listen(server, host, port, variables);
  return {
    url: baseUrl + explorerPath,
    async stop() {
      const { promise, resolve } = Promise.withResolvers<void>();
      server.close(() => resolve());
      server.closeAllConnections();
      await promise;
    },
  };
}

/** A response that no cache stores, whatever its headers say otherwise. The app calls `writeHead` with a flat list. */
function withoutCaching(response: ServerResponse<IncomingMessage>): ServerResponse<IncomingMessage> {
  const writeHead = response.writeHead.bind(response);
  const writeNoStore = (status: number, headers: readonly string[]): ServerResponse<IncomingMessage> => {
    const at = headers.indexOf("Cache-Control");
    const others = at === -1 ? headers : headers.toSpliced(at, 2);
    return writeHead(status, [...others, "Cache-Control", "no-store"]);
  };
  return Object.assign(response, { writeHead: writeNoStore });
}
