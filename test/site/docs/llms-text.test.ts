import t from "tap";
import { apiPrefix } from "../../../src/contract/paths.ts";
import { endpoints, endpointsWith } from "../../../src/service/http/endpoint-table.ts";
import { renderLlmsText } from "../../../src/site/docs/llms-text.ts";
import { bundledStore } from "../../support/bundled-data.ts";
import { publicKey, secretKey, signedHeaders } from "../../support/signed-request.ts";
import { startApp, startSeconds } from "../../support/start-app.ts";

const context = { endpoints, attribution: ["A source"], sources: {}, hasExplorer: true, code: "curl" } as const;

t.test("each of its ten requests is answered from the bundled data, and says what it needs", async (t) => {
  const store = await bundledStore();
  const app = await startApp(t, undefined, { deps: { currentStore: () => store } });
  const text = (await app.get("/llms.txt", { "X-API-Key": undefined })).text;
  const [, questions = ""] = /\n## Ten questions and their requests\n\n(.*?)\n\n/s.exec(text) ?? [];
  const lines = questions.split("\n");
  t.equal(lines.length, 10);
  for (const line of lines) {
    const request =
      /^- \[[^\]]+\?\]\(\/docs\/\S+\): `(GET|POST) (\S+)`(?: with the body `(.*)`)? \((signed|any key)\)$/.exec(line);
    t.ok(request, line);
    const [, method = "", path = "", body, needs] = request ?? [];
    const signed = signedHeaders({ method, path, body: body ?? "", key: secretKey, timestampSeconds: startSeconds });
    const keys = needs === "signed" ? signed : { "X-API-Key": publicKey };
    const type = body === undefined ? {} : { "Content-Type": "application/json" };
    const answer = await app.send({ method, path, headers: { ...keys, ...type }, ...(body !== undefined && { body }) });
    t.equal(answer.status, 200, line);
    t.ok(answer.text.length > 100, `${answer.text.length} characters`);
    if (needs !== "signed") continue;
    const refused = await app.send({
      method,
      path,
      headers: { "X-API-Key": publicKey, ...type },
      ...(body && { body }),
    });
    t.match(refused.body, { code: "INSUFFICIENT_PERMISSIONS" }, line);
  }
});

t.test("it has the form of llmstxt.org and every operation, with the access that holds", async (t) => {
  const text = renderLlmsText(context);
  t.match(text, /^# [^\n]+\n\n> [^\n]+\n\n- /);
  for (const line of text.split("\n").slice(4)) t.match(line, /^(?:$|## \S|- \S)/);
  const linked = text.split("\n## ").slice(3).join("\n");
  for (const { id, summary, path } of endpoints) {
    t.match(linked, `(/docs/reference/${path.split("/")[1]}#${id}): ${summary}; like \``);
    if (!path.includes(":")) t.match(text, `${apiPrefix}${path}`);
  }
  t.match(text, "## Sources of the data\n\n- A source\n");
  const line = (shown: string): string => shown.split("\n").find((found) => found.includes("#exportPricesCsv)")) ?? "";
  t.match(line(text), "(signed)");
  t.match(line(renderLlmsText({ ...context, endpoints: endpointsWith("public") })), "(any key)");
  t.notMatch(renderLlmsText({ ...context, attribution: [] }), "Sources of the data");
});
