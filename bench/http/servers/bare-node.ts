import { createServer, type Server } from "node:http";
import { type PreparedBodies, plainHeaders, preparedKey, readText } from "./prepared-bodies.ts";

/** What Node's own HTTP costs: bodies are read, prepared bodies are sent, and nothing is checked. */
export function createBareNode(bodies: PreparedBodies): Server {
  return createServer(async (request, response) => {
    const target = request.url ?? "";
    const body = request.method === "POST" ? await readText(request) : "";
    const prepared = bodies.get(preparedKey({ target, body }));
    if (prepared === undefined) {
      response.writeHead(404).end();
      return;
    }
    const length = String(Buffer.byteLength(prepared.text));
    response.writeHead(200, { ...plainHeaders(prepared), "Content-Length": length }).end(prepared.text);
  });
}
