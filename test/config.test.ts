import { generateKeyPairSync } from "node:crypto";
import t from "tap";
import { ConfigError, logLevels, readConfig, variables } from "../src/config.ts";
import { wantedBy } from "../src/engine/model/check-value.ts";

t.test("without variables the configuration is the documented default", async (t) => {
  const { threadCount, ...config } = readConfig({});
  t.strictSame(config, {
    host: "127.0.0.1",
    port: 3000,
    adminHost: "127.0.0.1",
    adminPort: 3001,
    adminNames: [],
    dataDirectory: "data",
    keysFile: "keys.json",
    answerCacheBytes: 64 * 2 ** 20,
    rollupTextBytes: 32 * 2 ** 20,
    exportAccess: "secret",
    servesExplorer: true,
    publicUrl: undefined,
    notices: [],
    ratePerMinute: 0,
    trustedProxies: { hops: 0 },
    connectionsMax: undefined,
    connectionsPerAddressMax: undefined,
    origin: undefined,
    storeBytesMax: undefined,
    logLevel: "info",
    drainMilliseconds: 0,
    isProduction: false,
  });
  t.ok(Number.isInteger(threadCount) && threadCount >= 1 && threadCount <= 256);
  t.throws(() => Object.assign(readConfig({}), { port: 1 }), TypeError, "nothing changes it afterwards");
});

t.test("an empty variable counts as absent", async (t) => {
  const empty = Object.fromEntries(Object.keys(variables.properties).map((name) => [name, ""]));
  t.strictSame(readConfig(empty), readConfig({}));
});

t.test("every variable is read", async (t) => {
  const config = readConfig({
    HOST: "::1",
    PORT: "65535",
    ADMIN_HOST: "127.0.0.2",
    ADMIN_PORT: "0",
    ADMIN_NAMES: "farm-prices, ops.example.org,10.0.0.5,fd00::5",
    DATA_DIR: "/srv/data",
    KEYS_FILE: "/etc/keys.json",
    THREADS: "256",
    ANSWER_CACHE_MB: "0",
    ROLLUP_TEXT_MB: "8",
    EXPORT_ACCESS: "public",
    EXPLORER: "off",
    PUBLIC_URL: "https://Prices.Example.org:443/",
    MAX_CONNECTIONS: "8",
    MAX_CONNECTIONS_PER_ADDRESS: "1000000",
    RATE_LIMIT_PER_MINUTE: "100000000",
    TRUST_PROXY: "10.0.0.0/8,::1",
    DRAIN_SECONDS: "300",
    MAX_STORE_MB: "2048",
    LOG_LEVEL: "debug",
    NODE_ENV: "production",
  });
  t.strictSame(config, {
    host: "::1",
    port: 65_535,
    adminHost: "127.0.0.2",
    adminPort: 0,
    adminNames: ["farm-prices", "ops.example.org", "10.0.0.5", "fd00::5"],
    dataDirectory: "/srv/data",
    keysFile: "/etc/keys.json",
    threadCount: 256,
    answerCacheBytes: 0,
    rollupTextBytes: 8 * 2 ** 20,
    exportAccess: "public",
    servesExplorer: false,
    publicUrl: "https://prices.example.org",
    notices: [],
    ratePerMinute: 100_000_000,
    trustedProxies: { addresses: ["10.0.0.0/8", "::1"] },
    connectionsMax: 8,
    connectionsPerAddressMax: 1_000_000,
    logLevel: "debug",
    drainMilliseconds: 300_000,
    origin: undefined,
    storeBytesMax: 2 ** 31,
    isProduction: true,
  });
});

t.test("an origin is an address, with a key, a pause and a number of snapshots", async (t) => {
  const address = "https://prices.example/data/";
  t.match(readConfig({ ORIGIN: address }).origin, {
    address,
    folder: { url: "https://prices.example/data" },
    publicKey: null,
    pollMilliseconds: 5000,
    keep: 3,
  });
  const publicKey = generateKeyPairSync("ed25519").publicKey.export({ format: "jwk" }).x as string;
  const settings = { ORIGIN_PUBLIC_KEY: publicKey, ORIGIN_POLL_SECONDS: "60", ORIGIN_KEEP: "1" };
  t.throws(() => readConfig({ ORIGIN_PUBLIC_KEY: publicKey }), {
    message: /^ORIGIN_PUBLIC_KEY is set and ORIGIN is not/,
  });
  const { origin } = readConfig({ ORIGIN: address, ...settings });
  t.match(origin, { pollMilliseconds: 60_000, keep: 1 });
  t.equal(origin?.publicKey?.asymmetricKeyType, "ed25519");
  const access = { AWS_ACCESS_KEY_ID: "id", AWS_SECRET_ACCESS_KEY: "secret" };
  t.equal(
    readConfig({ ORIGIN: "s3://prices/kenya", ...access, AWS_REGION: "af-south-1" }).origin?.folder.url,
    "https://prices.s3.af-south-1.amazonaws.com/kenya",
  );
  t.equal(
    readConfig({ ORIGIN: "s3://prices/kenya", ...access, S3_ENDPOINT: "http://127.0.0.1:9000/" }).origin?.folder.url,
    "http://127.0.0.1:9000/prices/kenya",
  );
  for (const ORIGIN of [
    "prices.example",
    "ftp://prices.example",
    "https://u:p@prices.example",
    "https://a/?b=1",
    "s3://b",
  ]) {
    t.throws(() => readConfig({ ORIGIN }), { message: /^ORIGIN is ".*", expected http\(s\):/ }, ORIGIN);
  }
  t.throws(
    () => readConfig({ ORIGIN_KEEP: "0" }),
    new ConfigError('ORIGIN_KEEP is "0", expected a whole number from 1 to 1000000'),
    "a wrong variable is refused where it has no effect as well",
  );
  t.throws(() => readConfig({ ORIGIN: address, ORIGIN_PUBLIC_KEY: "abc" }), { message: /^ORIGIN_PUBLIC_KEY is "abc"/ });
});

t.test("every log level is accepted, and only `production` is production", async (t) => {
  for (const level of logLevels) t.equal(readConfig({ LOG_LEVEL: level }).logLevel, level);
  for (const name of ["development", "test", "staging"]) t.equal(readConfig({ NODE_ENV: name }).isProduction, false);
});

t.test("what the environment says and nobody would read is a line at the start, or refused", async (t) => {
  t.same(readConfig({ NODE_ENV: "staging", LOGLEVEL: "debug" }).notices, [
    "LOGLEVEL is no variable of this service; did you mean LOG_LEVEL?",
    'NODE_ENV is "staging", which changes nothing; only "production" does',
  ]);
  const message =
    "RATE_LIMIT_PER_MIN is set and RATE_LIMIT_PER_MINUTE is not, expected RATE_LIMIT_PER_MINUTE or neither";
  t.throws(() => readConfig({ RATE_LIMIT_PER_MIN: "60" }), new ConfigError(message));
});

t.test("production drains for five seconds unless DRAIN_SECONDS says otherwise", async (t) => {
  t.equal(readConfig({ NODE_ENV: "production" }).drainMilliseconds, 5000);
  t.equal(readConfig({ NODE_ENV: "production", DRAIN_SECONDS: "0" }).drainMilliseconds, 0);
});

t.test("a wrong variable is named with what was found and what was wanted", async (t) => {
  const port = "expected a whole number from 0 to 65535";
  const threads = "expected a whole number from 1 to 256";
  const names = "expected host names or IP addresses without ports, separated by commas";
  const rates = "expected a whole number from 0 to 100000000";
  const proxies =
    "expected a number of proxies from 0 to 32, or IP addresses and networks (10.0.0.0/8), separated by commas";
  const wrong: readonly (readonly [name: string, value: string, wanted: string])[] = [
    ["PORT", "abc", port],
    ["PORT", "65536", port],
    ["PORT", "70000", port],
    ["PORT", "-1", port],
    ["PORT", "3000.5", port],
    ["PORT", "3e3", port],
    ["PORT", "0x50", port],
    ["PORT", " 3000", port],
    ["PORT", "3000\n", port],
    ["PORT", "9999999999", port],
    ["PORT", "http://127.0.0.1:3000", port],
    ["ADMIN_PORT", "65536", port],
    ["ADMIN_PORT", "three", port],
    ["ADMIN_NAMES", "ops.example.org:3001", names],
    ["ADMIN_NAMES", "http://ops.example.org", names],
    ["ADMIN_NAMES", "ops,", names],
    ["ADMIN_NAMES", " ", names],
    ["ADMIN_NAMES", "*", names],
    ["ADMIN_NAMES", "*.example.org", names],
    ["ADMIN_NAMES", "ops example", names],
    ["ADMIN_NAMES", "-ops", names],
    ["ADMIN_NAMES", "[::1]", names],
    ["ADMIN_NAMES", "10.0.5", names],
    ["ADMIN_NAMES", "a".repeat(64), names],
    ["THREADS", "0", threads],
    ["THREADS", "257", threads],
    ["THREADS", "auto", threads],
    ["DRAIN_SECONDS", "301", "expected a whole number from 0 to 300"],
    ["DRAIN_SECONDS", "5s", "expected a whole number from 0 to 300"],
    ["RATE_LIMIT_PER_MINUTE", "100000001", rates],
    ["RATE_LIMIT_PER_MINUTE", "off", rates],
    ["TRUST_PROXY", "true", proxies],
    ["TRUST_PROXY", "10.0.0.0/33", proxies],
    ["TRUST_PROXY", "33", proxies],
    ["EXPLORER", "yes", "expected one of on, off, public, admin"],
    ["LOG_LEVEL", "loud", "expected one of fatal, error, warn, info, debug, trace, silent"],
    ["LOG_LEVEL", "INFO", "expected one of fatal, error, warn, info, debug, trace, silent"],
  ];
  for (const [name, value, wanted] of wrong) {
    const expected = new ConfigError(`${name} is ${JSON.stringify(value)}, ${wanted}`);
    t.throws(() => readConfig({ [name]: value }), expected, `${name}=${value}`);
  }
});

t.test("the public address is https, or http on this machine alone, and has no path", async (t) => {
  const accepted = {
    "https://prices.example.org": "https://prices.example.org",
    "https://prices.example.org/": "https://prices.example.org",
    "HTTPS://prices.example.org:8443": "https://prices.example.org:8443",
    "https://bücher.example": "https://xn--bcher-kva.example",
    "http://127.0.0.1:3000": "http://127.0.0.1:3000",
    "http://127.9.9.9": "http://127.9.9.9",
    "http://localhost:3000/": "http://localhost:3000",
    "http://[::1]:3000": "http://[::1]:3000",
  };
  for (const [address, publicUrl] of Object.entries(accepted)) {
    t.equal(readConfig({ PUBLIC_URL: address }).publicUrl, publicUrl, address);
  }
  const refused = [
    ...[
      "prices.example.org",
      "//prices.example.org",
      "https:prices.example.org",
      "https://",
      "ftp://prices.example.org",
    ],
    ...["http://prices.example.org", "http://127.example.org", "http://localhost.example.org", "http://10.0.0.1"],
    ...["https://prices.example.org/farm", "https://prices.example.org?a", "https://prices.example.org/?"],
    ...["https://prices.example.org#a", "https://user@prices.example.org", "https://prices.example.org\\a"],
    ...["https://prices.example.org:99999", "https://a b", " https://prices.example.org", "https://a,https://b"],
    ...["https://prices.example.org\n", "javascript://prices.example.org", "https://<b>"],
  ];
  for (const address of refused) {
    const message = `PUBLIC_URL is ${JSON.stringify(address)}, expected ${wantedBy(variables.properties.PUBLIC_URL)}`;
    t.throws(() => readConfig({ PUBLIC_URL: address }), new ConfigError(message), address);
  }
});
