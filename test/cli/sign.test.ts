import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import t from "tap";
import { curlOfSignedCall, signCall } from "../../src/cli/sign.ts";
import { SigningKey, signatureMatches } from "../../src/contract/credentials.ts";
import { publicKey, secretKey } from "../support/signed-request.ts";
import { runProcess } from "./run-script.ts";

const call = { method: "POST", path: "/api/v1/prices/search?x=1", body: '{"county_id":47}', key: secretKey };

t.test("a call is signed for the time it was given, or else for the clock's in whole seconds", async (t) => {
  const { headers } = await signCall({ ...call, timestamp: "1767225600" }, 0);
  t.same(headers, [
    ["X-API-Key", secretKey],
    ["X-Signature", "38a926277b93bfdf40f43dcdf15d4e403582bb552e80719e80497bbcd55adbc7"],
    ["X-Signature-Timestamp", "1767225600"],
  ]);
  t.same((await signCall(call, 1_767_225_600_999)).headers, headers);
});

t.test("the method may be written in small letters", async (t) => {
  const [small, capital] = [await signCall({ ...call, method: "post" }, 0), await signCall(call, 0)];
  t.same(small, capital);
});

t.test("a body in a file is signed byte for byte", async (t) => {
  const file = join(t.testdir({ body: Buffer.from([0xff, 0x00, 0x0a, 0x7c]) }), "body");
  const { headers } = await signCall(
    { ...call, path: "/api/v1/prices/search", body: `@${file}`, timestamp: "1767225600" },
    0,
  );
  t.equal(headers[1]?.[1], "b42f01e3e1cbdc0018851515a3142f86c90261f24080cb5478e4266951d69b0b");
});

const wrongUses: readonly (readonly [name: string, change: object, message: RegExp])[] = [
  ["a method that is no word", { method: "GE T" }, /^METHOD is "GE T", expected one like GET or POST$/],
  ["an empty method", { method: "" }, /^METHOD is ""/],
  ["a path without a slash", { path: "api/v1" }, /^PATH is "api\/v1", expected a path that begins with "\/"/],
  ["a whole address", { path: "http://h/api" }, /^PATH is/],
  ["a path with a space", { path: "/a b" }, /^PATH is "\/a b", expected special characters as %20/],
  ["a path beyond ASCII", { path: "/caf\u00e9" }, /^PATH is/],
  ["a path with a line break", { path: "/a\n" }, /^PATH is/],
  ["a path with a fragment", { path: "/a#b" }, /^PATH is/],
  ["a path with half an escape", { path: "/a%2" }, /^PATH is/],
  ["no key", { key: undefined }, /^no key: give a secret key with --key, or in the environment as SIGNING_KEY$/],
  ["an empty key", { key: "" }, /^no key/],
  ["a public key", { key: publicKey }, /^the key is a public key, expected a secret key/],
  ["a mistyped key", { key: `${secretKey.slice(0, -1)}0` }, /^the key is mistyped or not a key of this service/],
  ["a time with a fraction", { timestamp: "1.5" }, /^--timestamp is "1.5", expected whole seconds since 1970/],
  ["a time before 1970", { timestamp: "-1" }, /^--timestamp/],
  ["an empty time", { timestamp: "" }, /^--timestamp/],
  ["a body with GET", { method: "get" }, /^--body goes with a method that has a body, GET has none$/],
  ["an empty body with HEAD", { method: "HEAD", body: "" }, /^--body .* HEAD has none$/],
  ["a body from no file", { body: "@" }, /^--body is "@", expected @ and the path of a file$/],
  ["a body from standard input", { body: "@-" }, /^--body is "@-"/],
];

for (const [name, change, message] of wrongUses) {
  t.test(`${name} is wrong use, and no key is quoted`, async (t) => {
    const error: unknown = await signCall({ ...call, ...change }, 0).catch((reason: unknown) => reason);
    t.match(error, { name: "WrongUseError", message });
    t.notMatch(String(error), /svc_(pub|sec)_[0-9A-Za-z]/);
  });
}

t.test("a body file that cannot be read is refused by name", async (t) => {
  const file = join(t.testdir(), "none.json");
  await t.rejects(signCall({ ...call, body: `@${file}` }, 0), {
    name: "RefusedError",
    message: `${file}: the body cannot be read: ENOENT: no such file or directory, open '${file}'`,
  });
});

t.test("a curl command needs the beginning of an http address, with or without a slash at its end", async (t) => {
  const signed = await signCall({ method: "GET", path: "/api/v1/crops", key: secretKey }, 0);
  for (const baseUrl of ["http://h:1", "http://h:1/", "https://h/prices/"]) {
    const url = `${baseUrl.replace(/\/$/, "")}/api/v1/crops`;
    t.ok(curlOfSignedCall(signed, baseUrl).endsWith(` '${url}'`), baseUrl);
  }
  for (const baseUrl of [
    "",
    "h:1",
    "127.0.0.1:3000",
    "ftp://h",
    "http://",
    "http://h?x",
    "http://h#x",
    "http://h:x",
    "http://h i",
  ]) {
    t.throws(() => curlOfSignedCall(signed, baseUrl), { name: "WrongUseError", message: /^--base-url is / }, baseUrl);
  }
});

t.test("a body is announced as JSON, and nothing is announced without one", async (t) => {
  const json = "--header 'Content-Type: application/json'";
  t.match(curlOfSignedCall(await signCall(call, 0), "http://h"), json);
  t.notMatch(curlOfSignedCall(await signCall({ ...call, body: undefined }, 0), "http://h"), "Content-Type");
});

t.test("what curl sends is what was signed, whatever is in it", async (t) => {
  if ((await runProcess("curl", ["--version"], t.testdir()).catch(() => undefined))?.code !== 0) {
    t.pass("", { skip: "curl is not installed" });
    return;
  }
  const seen: boolean[] = [];
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    const { "x-api-key": key, "x-signature": signature, "x-signature-timestamp": timestamp } = headersOf(request);
    const { method = "", url = "" } = request;
    seen.push(
      signatureMatches(signature ?? "", new SigningKey(key ?? ""), {
        method,
        path: url,
        timestamp: timestamp ?? "",
        body,
      }),
    );
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.teardown(() => server.close());
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const folder = t.testdir({ "it's a body": Buffer.from([0xff, 0x00, 0x0d, 0x0a, 0x22]) });
  const calls = [
    { method: "GET", path: "/api/v1/products?search=caf%C3%A9&x=(a)*,'b';$HOME~!" },
    { method: "GET", path: "/api/v1/../products/./a" },
    { method: "HEAD", path: "/api/v1/crops" },
    { method: "POST", path: "/api/v1/prices/search" },
    { method: "POST", path: "/api/v1/prices/search", body: "" },
    { method: "POST", path: "/api/v1/prices/search", body: ` {"a":"it's \\"q\\"",\n"b":"$(date) \`x\` é"}\r\n` },
    { method: "POST", path: "/api/v1/prices/search", body: `@${join(folder, "it's a body")}` },
  ];
  for (const typed of calls) {
    const command = curlOfSignedCall(await signCall({ ...typed, key: secretKey }, Date.now()), baseUrl);
    const { code } = await runProcess("sh", ["-c", `${command} --silent --noproxy '*'`], folder);
    t.equal(code, 0, JSON.stringify(typed.path));
  }
  t.same(seen, Array(calls.length).fill(true));
});

function headersOf(request: IncomingMessage): Record<string, string> {
  return Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
}
