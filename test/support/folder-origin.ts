/** A static file server over a dataset directory, as a replica's origin, which can be made to misbehave. */
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Test } from "tap";

/** Answers a request in place of the file server; false lets that answer. */
export type Misbehaviour = (request: IncomingMessage, response: ServerResponse, file: string) => boolean | undefined;

export interface FolderOrigin {
  readonly url: string;
  /** The paths that were requested, with their ranges. */
  readonly requests: string[];
  misbehave: Misbehaviour;
  /** No connection is accepted while it is away. */
  isAway: boolean;
}

export async function startFolderOrigin(t: Test, folder: string): Promise<FolderOrigin> {
  const origin = { url: "", requests: [] as string[], misbehave: (): undefined => undefined, isAway: false };
  const server = createServer(async (request, response) => {
    const path = request.url ?? "";
    const { range } = request.headers;
    origin.requests.push(range === undefined ? path : `${path} ${range}`);
    const file = join(folder, path.slice(1));
    if ((origin as FolderOrigin).misbehave(request, response, file)) return;
    if (origin.isAway) {
      request.socket.destroy();
      return;
    }
    const stats = await stat(file).catch(() => undefined);
    if (stats?.isFile() !== true) {
      response.writeHead(404).end("not here");
      return;
    }
    const etag = `"${stats.mtimeMs}-${stats.size}"`;
    if (request.headers["if-none-match"] === etag) {
      response.writeHead(304).end();
      return;
    }
    const from = Number(/^bytes=(\d+)-$/.exec(range ?? "")?.[1] ?? 0);
    if (from > 0 && from >= stats.size) {
      response.writeHead(416).end();
      return;
    }
    response.writeHead(from > 0 ? 206 : 200, {
      etag,
      "content-length": stats.size - from,
      ...(from > 0 ? { "content-range": `bytes ${from}-${stats.size - 1}/${stats.size}` } : {}),
    });
    createReadStream(file, { start: from }).pipe(response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  origin.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return origin;
}
