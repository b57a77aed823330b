/** Requests that come on one connection before the answers to those before them. */
import { once } from "node:events";
import { connect } from "node:net";
import t from "tap";
import { publicKey } from "../../support/signed-request.ts";
import { startApp } from "../../support/start-app.ts";

t.test("a connection has one request answered in a turn of the event loop, so that others have theirs", async (t) => {
  const app = await startApp(t);
  const count = 50;
  let answered = 0;
  app.server.on("request", (_request, response) => response.once("close", () => answered++));
  const socket = connect(app.port, "127.0.0.1").resume();
  t.teardown(() => socket.destroy());
  await once(socket, "connect");
  socket.write(`GET /api/v1/crops HTTP/1.1\r\nHost: a\r\nX-API-Key: ${publicKey}\r\n\r\n`.repeat(count));
  let mostInTurn = 0;
  for (let before = 0; answered < count; before = answered) {
    await new Promise((resolve) => setImmediate(resolve));
    mostInTurn = Math.max(mostInTurn, answered - before);
  }
  t.ok(mostInTurn <= 2, `${mostInTurn} answers in one turn`);
});
