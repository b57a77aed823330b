/**
 * Who may ask the admin port: raw bytes over a socket, because clients do not let one choose Host and Origin freely.
 */
import t, { type Test } from "tap";
import { valuesOf } from "../../support/fields-of.ts";
import { type RawAnswer, rawExchange } from "../../support/raw-exchange.ts";
import { serveAdmin } from "../../support/serve-admin.ts";
import { secretKey } from "../../support/signed-request.ts";

const loopback = "127.0.0.1";

/** An admin port on loopback that takes requests as one with this ADMIN_HOST and ADMIN_NAMES does. @returns Its port. */
async function portOf(t: Test, adminHost?: string, adminNames?: readonly string[]): Promise<number> {
  return (await serveAdmin(t, { adminHost, adminNames })).port;
}

async function ask(port: number, lines: readonly string[], start = "GET /live HTTP/1.1"): Promise<RawAnswer> {
  const head = [start, ...lines, "Content-Length: 0", "Connection: close"];
  const { answers } = await rawExchange(port, `${head.join("\r\n")}\r\n\r\n`);
  const [answer] = answers;
  if (answer === undefined) throw new Error(`no answer to ${lines.join(", ")}`);
  return answer;
}

/** Asks for each host, and reports which were taken. */
async function takenOf(port: number, hosts: readonly string[]): Promise<string[]> {
  const answers = await Promise.all(hosts.map((host) => ask(port, [`Host: ${host}`])));
  for (const { status } of answers) t.ok(status === 200 || status === 403, `${status}`);
  return hosts.filter((_host, at) => answers[at]?.status === 200);
}

const loopbackHosts = [
  ...["localhost", "LOCALHOST", "localhost.", "localhost:3001", "prices.localhost", "127.0.0.1", "127.0.0.1:3001"],
  ...["127.0.0.1:", "127.255.255.254:80", "[::1]", "[::1]:3001", "[0:0:0:0:0:0:0:1]", "[::ffff:127.0.0.1]"],
];
const malformedHosts = [
  ...["", ":3001", "[::1", "::1", "[127.0.0.1]", "[localhost]", "localhost:http", "localhost:3001:3001", "127.1"],
  ...["2130706433", "0x7f000001", "0x7f.1", "localhost/", "evil.example@localhost", "localhost evil.example", "*"],
];
const foreignHosts = [
  ...["evil.example", "evil.example:3001", "localhost.evil.example", "127.0.0.1.evil.example", "notlocalhost"],
  ...["1.127.0.0", "[::2]", "[::ffff:128.0.0.1]"],
];
const otherAddresses = ["10.0.0.5", "10.0.0.5:3001", "203.0.113.9", "[fd00::5]:3001", "0.0.0.0:3001", "[::]:3001"];
const allHosts = [...loopbackHosts, ...malformedHosts, ...foreignHosts, ...otherAddresses];

t.test("on loopback only its names and addresses are taken", async (t) => {
  t.strictSame(await takenOf(await portOf(t), allHosts), loopbackHosts);
  t.strictSame(await takenOf(await portOf(t, "::1"), allHosts), loopbackHosts);
});

t.test("another ADMIN_HOST is taken as well, a name or an address in any form", async (t) => {
  const byAddress = await portOf(t, "10.0.0.5");
  t.strictSame(await takenOf(byAddress, allHosts), [...loopbackHosts, "10.0.0.5", "10.0.0.5:3001"]);
  const byAddress6 = await portOf(t, "FD00:0::5%eth0");
  t.strictSame(await takenOf(byAddress6, [...allHosts, "[fd00::5%eth0]:1"]), [
    ...loopbackHosts,
    "[fd00::5]:3001",
    "[fd00::5%eth0]:1",
  ]);
  const byName = await portOf(t, "Admin.internal");
  t.strictSame(await takenOf(byName, [...allHosts, "admin.INTERNAL.:3001", "x.admin.internal"]), [
    ...loopbackHosts,
    "admin.INTERNAL.:3001",
  ]);
});

t.test("ADMIN_NAMES are taken with any port", async (t) => {
  const port = await portOf(t, loopback, ["farm_prices", "ops.Example.org", "10.0.0.5", "fd00::5"]);
  const named = ["farm_prices:9000", "OPS.example.org", "ops.example.org.:3001"];
  t.strictSame(await takenOf(port, [...allHosts, ...named]), [
    ...loopbackHosts,
    ...["10.0.0.5", "10.0.0.5:3001", "[fd00::5]:3001"],
    ...named,
  ]);
});

t.test("an ADMIN_HOST for every address takes every address, and names of ADMIN_NAMES alone", async (t) => {
  const addresses = [...loopbackHosts, "1.127.0.0", "[::2]", "[::ffff:128.0.0.1]", ...otherAddresses];
  for (const wildcard of ["0.0.0.0", "::", "0:0::0"]) {
    const port = await portOf(t, wildcard, ["farm-prices"]);
    const hosts = [...allHosts, "farm-prices:3001", "prices"];
    t.strictSame(await takenOf(port, hosts), [...addresses, "farm-prices:3001"], wildcard);
  }
});

t.test("without Host only HTTP/1.0 is taken, with several nothing", async (t) => {
  const port = await portOf(t);
  const statusOf = async (lines: readonly string[], start?: string) => (await ask(port, lines, start)).status;
  t.equal(await statusOf([], "GET /live HTTP/1.0"), 200);
  t.equal(await statusOf(["Host: evil.example"], "GET /live HTTP/1.0"), 403);
  t.equal(await statusOf([]), 400);
  t.equal(await statusOf(["Host: localhost", "Host: localhost"]), 400);
  t.equal(await statusOf(["Host: localhost", "Host: evil.example"]), 400);
});

t.test("another page's request is refused, one of the admin port's own is not", async (t) => {
  const port = await portOf(t, loopback, ["ops.example.org"]);
  for (const [lines, status] of [
    [["Origin: http://localhost:3001"], 200],
    [["Origin: HTTP://LocalHost:3001"], 200],
    [["Origin: https://localhost:3001"], 200],
    [["Origin: http://localhost:3001", "Sec-Fetch-Site: same-origin"], 200],
    [["Sec-Fetch-Site: none"], 200],
    [["Origin: null"], 403],
    [["Origin: "], 403],
    [["Origin: http://evil.example"], 403],
    [["Origin: http://localhost"], 403],
    [["Origin: http://localhost:8080"], 403],
    [["Origin: http://127.0.0.1:3001"], 403],
    [["Origin: http://ops.example.org"], 403],
    [["Origin: file://localhost:3001"], 403],
    [["Origin: http://localhost:3001", "Origin: http://evil.example"], 403],
    [["Sec-Fetch-Site: cross-site"], 403],
    [["Sec-Fetch-Site: same-site"], 403],
    [["Sec-Fetch-Site: something-new"], 403],
    [["Origin: http://localhost:3001", "Sec-Fetch-Site: cross-site"], 403],
  ] as const) {
    for (const start of ["GET /live HTTP/1.1", "POST /live HTTP/1.1"]) {
      const answer = await ask(port, ["Host: localhost:3001", ...lines], start);
      const wanted = status === 200 && start.startsWith("POST") ? 405 : status;
      t.equal(answer.status, wanted, `${start} ${lines.join(", ")}`);
    }
  }
  t.equal((await ask(port, ["Origin: http://evil.example"], "GET /live HTTP/1.0")).status, 403);
});

t.test("a refusal says what was found and what was expected, for every path", async (t) => {
  const port = await portOf(t);
  for (const start of ["POST /reload HTTP/1.1", "GET /metrics HTTP/1.1", "GET /nowhere HTTP/1.1"]) {
    const { status, text, headers } = await ask(port, ["Host: evil.example:3001"], start);
    t.equal(status, 403);
    t.strictSame(JSON.parse(text), {
      error: "forbidden",
      code: "FORBIDDEN",
      message: 'Host is "evil.example:3001", expected localhost, a loopback address, ADMIN_HOST or one of ADMIN_NAMES',
    });
    t.equal(headers["content-type"], "application/json");
  }
  const messageOf = async (lines: readonly string[]) => JSON.parse((await ask(port, lines)).text).message as string;
  t.equal(
    await messageOf(["Host: localhost:3001", "Origin: http://evil.example"]),
    'Origin is "http://evil.example", expected http://localhost:3001 or none',
  );
  t.equal(
    await messageOf(["Host: localhost", "Sec-Fetch-Site: cross-site"]),
    'Sec-Fetch-Site is "cross-site", expected same-origin or none',
  );
  t.match(await messageOf([`Host: ${secretKey}.example`]), /^Host is "svc_sec_….example", expected/);
  t.equal(await messageOf([]), "found 0 Host headers, expected one");
});

t.test("every answer says that its type is not to be guessed", async (t) => {
  const port = await portOf(t);
  const host = "Host: localhost";
  const answers = [
    await ask(port, [host]),
    await ask(port, [host], "GET /nowhere HTTP/1.1"),
    await ask(port, [host], "POST /live HTTP/1.1"),
    await ask(port, [host], "GET /ready HTTP/1.1"),
    await ask(port, [host, "Expect: the-unexpected"]),
    await ask(port, ["Host: evil.example"]),
    await ask(port, []),
    await ask(port, [host, "a header without a colon"]),
    await ask(port, [host, `X-Long: ${"x".repeat(20_000)}`]),
  ];
  t.strictSame(valuesOf(answers, "status"), [200, 404, 405, 503, 200, 403, 400, 400, 431]);
  for (const { status, headers, text } of answers) {
    t.equal(headers["x-content-type-options"], "nosniff", String(status));
    t.match(text, /^\{.*\}\n?$/);
  }
  const metrics = await fetch(`http://127.0.0.1:${port}/metrics`);
  t.equal(metrics.headers.get("X-Content-Type-Options"), "nosniff");
});

t.test("bytes behind the last request of a connection do not cost its answer", async (t) => {
  const port = await portOf(t);
  const { answers } = await rawExchange(port, "GET /live HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\nmore");
  t.strictSame(valuesOf(answers, "status"), [200]);
});
