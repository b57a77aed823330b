/** What is equal for all endpoints, by their table: codings, tags, HEAD, 304, named snapshots, cached answers. */
import t, { type Test } from "tap";
import { answerChunkBytes } from "../../src/contract/limits.ts";
import { compressedBytesMin } from "../../src/service/http/answer/representation.ts";
import { askQuestion, type EndpointQuestion, listsDataset, questionToEachEndpoint } from "../support/every-endpoint.ts";
import { expectError, expectSuccess } from "../support/expect-answer.ts";
import { publicKey } from "../support/signed-request.ts";
import { essenceOf, type ReceivedAnswer, type RunningApp, startApp } from "../support/start-app.ts";
import { startCached } from "../support/start-cached.ts";

const codings = ["identity", "gzip", "br", "zstd"] as const;
const vary = "Accept, Accept-Encoding, X-Snapshot-Id";

t.test("every endpoint in every coding", async (t) => {
  const made = await startApp(t, listsDataset(), { deps: { exportAccess: "public" } });
  const { app: cached, searches } = await startCached(t, listsDataset(), { exportAccess: "public" });
  let compressedCount = 0;
  for (const [index, question] of questionToEachEndpoint().entries()) {
    const { name, method } = question;
    const plain = await askQuestion(made, question);
    t.strictSame([plain.status, plain.headers["content-encoding"]], [200, undefined], name);
    const isCompressed = plain.text.length >= compressedBytesMin;
    const isLong = plain.text.length > answerChunkBytes;
    const tags = new Set([plain.headers.etag]);
    for (const [at, coding] of codings.entries()) {
      const headers = { "Accept-Encoding": coding };
      const answer = coding === "identity" ? plain : await askQuestion(made, question, headers);
      const isCoded = isCompressed && coding !== "identity";
      if (isCoded) compressedCount++;
      t.equal(answer.text, plain.text, `${name} in ${coding}`);
      t.equal(answer.headers["content-encoding"], isCoded ? coding : undefined);
      t.ok(isCoded ? answer.bytes.length < plain.bytes.length : answer.bytes.equals(plain.bytes));
      t.equal(answer.headers["content-length"], isLong ? undefined : String(answer.bytes.length));
      t.equal(answer.headers.vary, method === "POST" && coding === "identity" ? undefined : vary);
      tags.add(answer.headers.etag);
      if (method === "GET") await checkWithoutBody(t, made, question, coding, answer);
      if (at > 0 && at !== 1 + (index % 3)) continue;
      searches.length = 0;
      const found = [await askQuestion(cached, question, headers), await askQuestion(cached, question, headers)];
      for (const one of found) t.strictSame(essenceOf(one), essenceOf(answer), `${name} in ${coding}, from the cache`);
      const isCached = !/^GET .*:uuid$|^GET \/exports\//.test(name);
      if (isCached) t.equal(found[1]?.headers["content-length"], String(answer.bytes.length));
      t.strictSame(searches, isCached ? [false, true] : []);
    }
    t.equal(tags.size, method === "GET" && isCompressed ? codings.length : 1, `tags of ${name}`);
    t.equal(tags.has(undefined), method === "POST");
  }
  t.ok(compressedCount >= codings.length * 6, `${compressedCount} answers were long enough`);
});

/** The headers of an answer that HEAD has as well. */
function lasting({ headers }: ReceivedAnswer): object {
  const { date, "x-request-id": id, "transfer-encoding": chunked, ...rest } = headers;
  return rest;
}

/** HEAD has the headers of GET, and a client that has the answer gets 304. */
async function checkWithoutBody(
  t: Test,
  app: RunningApp,
  { name, path }: EndpointQuestion,
  coding: string,
  answer: ReceivedAnswer,
): Promise<void> {
  const headers = { "X-API-Key": publicKey, "Accept-Encoding": coding };
  const head = await app.send({ method: "HEAD", path, headers });
  t.strictSame([head.status, head.text], [200, ""], name);
  if (path.includes("/exports/")) {
    // No rows are made, so what depends on them is left out; all else is the same.
    t.match(lasting(answer), lasting(head), path);
    for (const header of ["content-length", "etag", "x-citation"])
      t.notOk(header in head.headers, `${path}: ${header}`);
  } else {
    t.strictSame(lasting(head), lasting(answer), path);
  }
  const known = await app.get(path, { ...headers, "If-None-Match": String(answer.headers.etag) });
  t.strictSame(
    [known.status, known.text, known.headers.etag, known.headers.vary],
    [304, "", answer.headers.etag, vary],
  );
  t.equal(known.headers["content-encoding"], undefined);
}

t.test("every endpoint answers the same when its snapshot is named, and 409 when another is", async (t) => {
  const app = await startApp(t, listsDataset());
  const current = listsDataset().snapshot.id;
  const other = "20260302T083000Z-0123456789ac";
  for (const question of questionToEachEndpoint()) {
    const plain = await askQuestion(app, question);
    const pinned = await askQuestion(app, question, { "X-Snapshot-Id": current });
    t.strictSame([pinned.status, pinned.text], [200, plain.text], question.name);
    if (plain.body !== undefined) expectSuccess(t, question.name, pinned);
    t.equal(pinned.headers.etag, plain.headers.etag);
    const refused = await askQuestion(app, question, { "X-Snapshot-Id": other });
    const snapshots = { requested: other, current };
    const { message } = expectError(t, refused, { code: "SNAPSHOT_CHANGED", snapshots }, question.name);
    t.equal(message, `X-Snapshot-Id asks for ${other}, but ${current} is served; start reading again.`);
    t.equal(refused.headers["x-snapshot-id"], current, "so that the client knows where to start");
  }
});
