import t from "tap";
import { checkEnvironment } from "../src/check-environment.ts";
import { variables } from "../src/config.ts";

const known = Object.keys(variables.properties);

function check(environment: Readonly<Record<string, string>>) {
  return checkEnvironment(environment, known);
}

/** Every name that one slip of the finger makes of another: a letter left out, doubled, swapped or wrong. */
function slips(name: string): string[] {
  return [...name].flatMap((letter, at) => {
    const [before, after] = [name.slice(0, at), name.slice(at + 1)];
    const next = after[0] ?? "";
    return [
      before + after,
      before + letter + letter + after,
      before + next + letter + after.slice(1),
      `${before}X${after}`,
    ];
  });
}

t.test("every slip in a name of five or more letters is found, and names a variable", async (t) => {
  for (const name of known.filter(({ length }) => length >= 5)) {
    for (const slip of slips(name).filter((one) => !known.includes(one))) {
      const isSwap = slip.length === name.length && [...slip].sort().join() === [...name].sort().join();
      // A swap is two letters; short names allow one.
      if (isSwap && name.length < 8) continue;
      const [finding] = check({ [slip]: "x" });
      t.match(finding?.message, name, `${slip} for ${name}`);
    }
  }
});

t.test("abbreviations, beginnings, plurals and other case are found", async (t) => {
  for (const [name, meant] of [
    ["RATE_LIMIT_PER_MIN", "RATE_LIMIT_PER_MINUTE"],
    ["RATE_LIMIT", "RATE_LIMIT_PER_MINUTE"],
    ["DRAIN_SECS", "DRAIN_SECONDS"],
    ["LOGLEVEL", "LOG_LEVEL"],
    ["DATADIR", "DATA_DIR"],
    ["ANSWER_CACHE", "ANSWER_CACHE_MB"],
    ["TRUST_PROXIES", "TRUST_PROXY"],
    ["trust_proxy", "TRUST_PROXY"],
    ["KEYS_FILES", "KEYS_FILE"],
    ["MAX_CONNECTION", "MAX_CONNECTIONS"],
    ["ORIGN", "ORIGIN"],
    ["ADMIN_PORTS", "ADMIN_PORT"],
  ] as const) {
    t.match(check({ [name]: "1" })[0]?.message, meant, name);
  }
});

t.test("names of other programs are left alone", async (t) => {
  const names =
    "HOME HOSTNAME PATH PWD OLDPWD SHELL USER LOGNAME TERM LANG LC_ALL TMPDIR EDITOR DISPLAY MAIL SHLVL NODE_OPTIONS " +
    "NODE_PATH NODE_EXTRA_CA_CERTS NODE_COMPILE_CACHE PUBLIC_KEY SIGNING_KEY AWS_REGION AWS_ACCESS_KEY_ID S3_ENDPOINT " +
    "XDG_DATA_DIRS CI GITHUB_SHA KUBERNETES_PORT INVOCATION_ID JOURNAL_STREAM STATE_DIRECTORY MALLOC_ARENA_MAX " +
    "npm_lifecycle_event npm_config_cache NODE_EXE STOP_WITH_PARENT TZ DEBUG FORCE_COLOR UV_THREADPOOL_SIZE LOGS_DIRECTORY";
  t.same(check(Object.fromEntries(names.split(" ").map((name) => [name, "1"]))), []);
  t.same(check({ "LOG_LEVEL\n": "x", "LOG_LEVEL\u001b": "x" }), [], "names that no shell can set are not printed");
  t.same(check({ RATE_LIMIT_PER_MIN: "" }), [], "an empty variable counts as absent");
  t.same(check({ Trust_Proxy: "1", TRUST_PROXY: "1" }), [], "Windows has one variable under both names");
});

t.test("a misspelt limit or source of data is refused, unless the right name is set as well", async (t) => {
  t.same(check({ ORIGINS: "https://prices.example" }), [
    { message: "ORIGINS is set and ORIGIN is not, expected ORIGIN or neither", isRefused: true },
  ]);
  t.same(check({ TRUST_PROXIES: "1", TRUST_PROXY: "1" }), [
    { message: "TRUST_PROXIES is no variable of this service; did you mean TRUST_PROXY?", isRefused: false },
  ]);
  t.match(check({ LOG_LEVELS: "debug" }), [{ isRefused: false }]);
  for (const name of ["NODE_EVN", "DATADIR", "EXPLORE", "RATE_LIMIT_PER_MIN", "MAX_CONNECTION"]) {
    t.match(check({ [name]: "1" }), [{ isRefused: true }], name);
  }
  for (const name of ["EXPORTER", "META_DIR", "DATA_DISK", "NODE_DEV", "ADMIN_HOME"]) {
    t.match(check({ [name]: "1" }), [{ isRefused: false }], `${name} may be meant for another program`);
  }
});

t.test("NODE_ENV that nearly means production is refused, another unknown one is a line", async (t) => {
  for (const value of ["prod", "Production", "PRODUCTION", "producton", " production ", "production2"]) {
    t.match(
      check({ NODE_ENV: value }),
      [{ message: /^NODE_ENV is ".*", expected "production"/, isRefused: true }],
      value,
    );
  }
  for (const value of ["staging", "live", "dev\u001b"])
    t.match(check({ NODE_ENV: value }), [{ isRefused: false }], value);
  for (const value of ["production", "development", "test", ""]) t.same(check({ NODE_ENV: value }), [], value);
});

t.test("settings of a replica without an origin are a line; its key alone is refused", async (t) => {
  t.same(check({ ORIGIN_KEEP: "5", ORIGIN_POLL_SECONDS: "60" }), [
    { message: "ORIGIN_KEEP changes nothing without ORIGIN", isRefused: false },
    { message: "ORIGIN_POLL_SECONDS changes nothing without ORIGIN", isRefused: false },
  ]);
  t.match(check({ ORIGIN_PUBLIC_KEY: "x" }), [{ message: /^ORIGIN_PUBLIC_KEY is set and ORIGIN/, isRefused: true }]);
  t.same(check({ ORIGIN_PUBLIC_KEY: "x", SNAPSHOT_KEY_FILE: "x.pem" }), []);
  const replica = {
    ORIGIN: "https://prices.example",
    ORIGIN_PUBLIC_KEY: "x",
    ORIGIN_KEEP: "5",
    ORIGIN_POLL_SECONDS: "9",
  };
  t.same(check(replica), []);
});
