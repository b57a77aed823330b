/** What the log says of many refusals: the first of a client as any request, then their number. */
import { EventEmitter } from "node:events";
import t from "tap";
import type { ApiErrorCode } from "../../../src/contract/errors.ts";
import type { RingEntry } from "../../../src/service/auth/key-ring.ts";
import { RequestRecorder } from "../../../src/service/http/handle-request.ts";
import { Client } from "../../../src/service/http/request/client-address.ts";
import type { Context } from "../../../src/service/http/request/context.ts";
import { newRequest } from "../../../src/service/http/request/read-request.ts";

t.test("of the refusals of a client in a second, the first has a line and the others are counted", (t) => {
  const lines: object[] = [];
  const write = (fields: object, msg: string): number => lines.push({ ...fields, msg });
  const due: (() => void)[] = [];
  const counted: (ApiErrorCode | undefined)[] = [];
  const recorder = new RequestRecorder(
    { log: { info: write, error: write }, countRequest: (_endpoint, { code }) => counted.push(code) },
    (run) => due.push(run),
  );

  /** Lets a request end. @returns The lines that were written with it. */
  function end(address: string, code: ApiErrorCode | undefined, key?: string): object[] {
    const before = lines.length;
    const req = { headers: {}, method: "GET", url: "/api/v1/crops" } as Context["req"];
    const res = Object.assign(new EventEmitter(), { headersSent: true, statusCode: 429, writableFinished: true });
    const state = newRequest(req, new Client(address), undefined);
    state.errorCode = code;
    state.isRefused = code !== undefined;
    if (key !== undefined) state.principal = { id: key } as RingEntry;
    recorder.follow({ req, res, state } as unknown as Context);
    res.emit("close");
    return lines.slice(before);
  }
  const aSecondLater = (): object[] => {
    const before = lines.length;
    for (const run of due.splice(0)) run();
    return lines.slice(before);
  };

  t.match(end("203.0.113.1", "RATE_LIMITED", "key_a"), [{ code: "RATE_LIMITED", key: "key_a", msg: "request" }]);
  for (let again = 0; again < 3; again++) t.strictSame(end("203.0.113.1", "RATE_LIMITED", "key_a"), []);
  t.equal(end("203.0.113.1", undefined, "key_a").length, 1, "what is answered has a line");
  t.equal(end("203.0.113.1", "SERVICE_UNAVAILABLE", "key_a").length, 1, "another code");
  t.equal(end("203.0.113.1", "RATE_LIMITED", "key_b").length, 1, "another key");
  t.equal(end("203.0.113.2", "RATE_LIMITED", "key_a").length, 1, "another address");
  t.equal(due.length, 1, "one timer for all");
  const line = { code: "RATE_LIMITED", key: "key_a", client: "203.0.113.1", refused: 3, msg: "requests refused" };
  t.strictSame(aSecondLater(), [line]);
  t.strictSame(end("203.0.113.1", "RATE_LIMITED", "key_a"), [], "still counted in the next second");
  t.equal(end("203.0.113.2", "RATE_LIMITED", "key_a").length, 1, "forgotten after a second without others");
  t.strictSame(aSecondLater(), [{ ...line, refused: 1 }]);
  t.strictSame([...aSecondLater(), ...aSecondLater()], []);
  t.equal(due.length, 0, "no timer while there are no refusals");
  t.equal(end("203.0.113.1", "RATE_LIMITED", "key_a").length, 1);
  t.equal(counted.filter((code) => code === "RATE_LIMITED").length, 9, "the figures have each");
  t.end();
});
