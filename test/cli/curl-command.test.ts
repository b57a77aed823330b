import fc from "fast-check";
import t from "tap";
import { curlCommand, shellQuoted } from "../../src/cli/curl-command.ts";
import { lacksPosix } from "../support/why-skipped.ts";
import { runProcess } from "./run-script.ts";

t.test("a GET needs no method, a HEAD is asked with --head, others by name", async (t) => {
  const request = { url: "http://127.0.0.1:3000/api/v1/counties", headers: [["X-API-Key", "k"]] } as const;
  const rest = "--header 'X-API-Key: k' 'http://127.0.0.1:3000/api/v1/counties'";
  t.equal(curlCommand({ ...request, method: "GET" }), `curl ${rest}`);
  t.equal(curlCommand({ ...request, method: "HEAD" }), `curl --head ${rest}`);
  t.equal(curlCommand({ ...request, method: "POST" }), `curl --request POST ${rest}`);
});

t.test("a body is sent as it is, from the line or from a file", async (t) => {
  const request = { method: "POST", url: "http://h/", headers: [] };
  t.equal(
    curlCommand({ ...request, body: { text: "@it's" } }),
    "curl --request POST --data-raw '@it'\\''s' 'http://h/'",
  );
  t.equal(
    curlCommand({ ...request, body: { file: "my body.json" } }),
    "curl --request POST --data-binary '@my body.json' 'http://h/'",
  );
});

t.test("dots in a path are left to the service", async (t) => {
  const command = curlCommand({ method: "GET", url: "http://h/api/../x", headers: [] });
  t.equal(command, "curl --path-as-is 'http://h/api/../x'");
});

t.test("a shell gives back any text that was quoted for it", { skip: lacksPosix }, async (t) => {
  const nasty = [
    "",
    "'",
    "''",
    "a'b\"c",
    "$(date) `date` $HOME !! \\ \\n",
    "line\nbreak\r\n",
    "-n",
    "é 👩‍🌾",
    "*?[a]{b,c} ~ # & ; | < >",
  ];
  const random = fc.sample(fc.string({ unit: "grapheme" }), 200);
  const texts = [...nasty, ...random].filter((text) => !text.includes("\0"));
  const script = texts.map((text) => `printf '%s\\001' ${shellQuoted(text)}`).join("\n");
  const { code, stdout } = await runProcess("sh", ["-c", script], t.testdir());
  t.equal(code, 0);
  t.same(stdout.split("\u0001").slice(0, -1), texts);
});
