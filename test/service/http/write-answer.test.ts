import { createServer } from "node:http";
import Koa from "koa";
import t, { type Test } from "tap";
import { type ByteText, byteText } from "../../../src/contract/byte-text.ts";
import { answerChunkBytes, answerSliceMilliseconds } from "../../../src/contract/limits.ts";
import type { AnswerBody } from "../../../src/contract/reply-body.ts";
import type { Admission } from "../../../src/service/http/admission/admission.ts";
import type { ContentCoding } from "../../../src/service/http/answer/representation.ts";
import { sendReply } from "../../../src/service/http/answer/send-reply.ts";
import { Client } from "../../../src/service/http/request/client-address.ts";
import type { Context, RequestState } from "../../../src/service/http/request/context.ts";
import { newRequest } from "../../../src/service/http/request/read-request.ts";
import { listenOn } from "../../support/listen-on.ts";
import { placesOf, testAdmission } from "../../support/test-admission.ts";

/** Pieces of which each takes longer than a slice. */
function* slowPieces(): Generator<ByteText> {
  for (const piece of ["[1", ",2", ",3]"]) {
    const end = performance.now() + 2 * answerSliceMilliseconds;
    while (performance.now() < end);
    yield byteText(piece);
  }
}

t.test("a short answer that takes several slices is sent whole, with its length, and is no long answer", async (t) => {
  const admission = testAdmission({ answers: { total: 0, forSecretKeys: 0 } });
  const url = await serve(t, admission, "identity", slowPieces);
  for (const method of ["GET", "HEAD"]) {
    const response = await fetch(url, { method });
    t.equal(response.status, 200);
    t.equal(response.headers.get("content-length"), "7", method);
    t.equal(await response.text(), method === "GET" ? "[1,2,3]" : "");
  }
  t.strictSame(placesOf(admission, "answers"), { held: 0, refused: 0 });
});

t.test("an answer is the same around the length of a chunk, whole or in pieces, in each coding", async (t) => {
  const admission = testAdmission();
  let body: () => AnswerBody = () => byteText("");
  const urls = [await serve(t, admission, "identity", () => body()), await serve(t, admission, "gzip", () => body())];
  for (const length of [0, answerChunkBytes - 1, answerChunkBytes, answerChunkBytes + 1]) {
    // Its last characters have two bytes each.
    const text = length === 0 ? "" : `${"x".repeat(length - 4)}éé`;
    const bytes = byteText(text);
    const half = length >> 1;
    const inPieces = ["", text.slice(0, half), text.slice(half), ""].map(byteText);
    for (const make of [() => bytes, () => [bytes], () => inPieces]) {
      body = make;
      for (const url of urls) {
        const response = await fetch(url);
        t.equal(response.status, 200);
        t.ok((await response.text()) === text, `${length} bytes`);
        const announced = (await fetch(url, { method: "HEAD" })).headers.get("content-length");
        t.equal(announced, response.headers.get("content-length"));
        if (length < answerChunkBytes) t.ok(announced !== null);
        if (url === urls[0] && announced !== null) t.equal(Number(announced), Buffer.byteLength(text));
      }
    }
  }
  t.equal(placesOf(admission, "answers").held, 0);
});

/** Serves an answer, made for each request. @returns Its address. */
async function serve(t: Test, admission: Admission, coding: ContentCoding, body: () => AnswerBody): Promise<string> {
  const app = new Koa<RequestState>();
  app.use((ctx) => {
    const client = new Client("127.0.0.1");
    ctx.state = newRequest(ctx.req, client, undefined);
    ctx.state.place = admission.placeFor(undefined, client);
    ctx.res.on("close", () => ctx.state.place?.leave());
    ctx.req.headers["accept-encoding"] = coding;
    const reply = { status: 200, type: "application/json", headers: [], body };
    return sendReply(ctx as Context, reply);
  });
  return `http://127.0.0.1:${await listenOn(t, createServer(app.callback()))}/`;
}
