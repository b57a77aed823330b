import { readFileSync } from "node:fs";
import { join } from "node:path";
import t from "tap";
import { type ApiErrorCode, apiErrors } from "../src/http/errors.ts";
import {
  bodyBytesMax,
  headerBytesMax,
  keepAliveMilliseconds,
  retryAfterSeconds,
  targetCharactersMax,
} from "../src/http/limits.ts";
import { stopMillisecondsMax } from "../src/serve/drain-server.ts";

const folder = join(import.meta.dirname, "../scripts/deploy");
const nginx = readText("farm-prices.nginx.conf");

function readText(name: string): string {
  return readFileSync(join(folder, name), "utf8");
}

/** The number behind a name, the first one in a text. */
function numberOf(text: string, name: RegExp): number {
  return Number(new RegExp(`${name.source}(\\d+)`, "m").exec(text)?.[1]);
}

t.test("nginx closes idle connections to the service well before the service does", async (t) => {
  const [upstream = ""] = /^upstream [^}]*\}/m.exec(nginx) ?? [];
  const seconds = numberOf(upstream, /keepalive_timeout /);
  t.ok(seconds > 0 && seconds * 1000 <= keepAliveMilliseconds - 5000, `${seconds} s`);
});

t.test("nginx lets the service answer what is too large", async (t) => {
  t.ok(numberOf(nginx, /large_client_header_buffers 4 /) * 1024 > Math.max(headerBytesMax, targetCharactersMax));
  t.ok(numberOf(nginx, /client_max_body_size /) * 2 ** 20 > bodyBytesMax);
});

t.test("the errors of nginx itself have the status, category and code of the registry", async (t) => {
  const rows = [...nginx.matchAll(/^ {2}(\d{3}|default) '(\{.*\})';$/gm)];
  t.ok(rows.length > 5);
  for (const [, status = "", text = ""] of rows) {
    const { code, error } = JSON.parse(text) as { code: ApiErrorCode; error: string };
    t.match(
      { status: status === "default" ? 503 : Number(status), error },
      { status: apiErrors[code].status, error: apiErrors[code].error },
    );
  }
  t.match(nginx, new RegExp(`^ {2}503 ${retryAfterSeconds};$`, "m"));
});

t.test("systemd waits longer than the service takes to stop", async (t) => {
  const drain = numberOf(readText("farm-prices.env"), /^DRAIN_SECONDS=/);
  t.ok(
    numberOf(readText("farm-prices@.service"), /^TimeoutStopSec=/) * 1000 >= drain * 1000 + stopMillisecondsMax + 5000,
  );
});
