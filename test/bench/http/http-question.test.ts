import t from "tap";
import { httpQuestionNames, makeHttpQuestions } from "../../../bench/http/http-question.ts";
import { requestBytes } from "../../../bench/http/request-headers.ts";
import { generateDataset } from "../../../bench/sample/generate-dataset.ts";
import { canonicalText, SigningKey, signatureMatches } from "../../../src/contract/credentials.ts";

const dataset = generateDataset({ prices: 3000, seed: 5 });
const questions = makeHttpQuestions(dataset);

t.test("there is every question, with requests that vary, the same in every run", async (t) => {
  t.same(
    questions.map(({ name }) => name),
    httpQuestionNames,
  );
  t.same(makeHttpQuestions(dataset), questions);
  const different = questions.map(({ requests }) => new Set(requests.map(({ target, body }) => target + body)).size);
  t.ok(Math.min(...different) >= 6, `${different}`);
});

t.test("the mixed load has its shares", async (t) => {
  const { requests = [] } = questions.at(-1) ?? {};
  const share = (part: string): number =>
    requests.filter(({ target }) => target.includes(part)).length / requests.length;
  t.ok(Math.abs(share("/prices/search") - 0.2) < 0.05);
  t.ok(Math.abs(share("/prices/statistics") - 0.1) < 0.05);
  t.ok(Math.abs(share("/prices/latest") - 0.35) < 0.05);
  t.equal(share("/products"), 0);
});

t.test("a request is whole HTTP with key, and signed where it must be", async (t) => {
  const keys = { publicKey: "public", secretKey: "secret" };
  for (const { requests } of questions) {
    for (const request of requests.slice(0, 5)) {
      const [head = "", body = ""] = requestBytes(request, keys, 80).toString().split("\r\n\r\n");
      const [line, ...fields] = head.split("\r\n");
      const headers = Object.fromEntries(fields.map((field) => field.split(": ")));
      t.equal(line, `${request.method} ${request.target} HTTP/1.1`);
      t.equal(headers["X-API-Key"], request.access);
      t.equal(headers["Content-Length"] ?? "0", String(body.length));
      if (request.access === "public") continue;
      const { method, target: path } = request;
      const signed = { method, path, timestamp: headers["X-Signature-Timestamp"] ?? "", body: Buffer.from(body) };
      t.ok(
        signatureMatches(headers["X-Signature"] ?? "", new SigningKey("secret"), signed),
        canonicalText(signed).toString(),
      );
    }
  }
});
