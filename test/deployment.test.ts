import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import t from "tap";
import { type ApiErrorCode, apiErrors } from "../src/contract/errors.ts";
import {
  bodyBytesMax,
  headerBytesMax,
  keepAliveMilliseconds,
  retryAfterSeconds,
  targetCharactersMax,
} from "../src/contract/limits.ts";
import { stopMillisecondsMax } from "../src/service/serve/drain-server.ts";

const projectFolder = join(import.meta.dirname, "..");
const folder = join(projectFolder, "scripts/deploy");
const jobs = join(folder, "jobs");
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

t.test("no answer of the interface is in a cache that clients share, and the manual says so", async (t) => {
  t.notMatch(nginx, /^\s*(?:proxy|fastcgi|uwsgi|scgi)_cache(?:_path)?\s/m);
  t.match(readText("README.md"), /No `proxy_cache` under `\/api\/`/);
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

t.test("every error that nginx answers itself has a body of its own", async (t) => {
  const pages = [...nginx.matchAll(/^ {2}error_page ([\d ]+?)(?: =(\d+))? \/\.nginx-error;$/gm)];
  const statuses = pages.flatMap(([, from = "", to]) => from.split(" ").map((status) => to ?? status));
  const covered = pages.flatMap(([, from = ""]) => from.split(" ").map(Number));
  t.same(covered.sort(), [400, 404, 405, 408, 413, 414, 494, 495, 496, 497, 500, 501, 502, 503, 504, 505]);
  // The row of 503 is the default.
  for (const status of statuses.filter((status) => status !== "503")) t.match(nginx, `\n  ${status} '{"error"`, status);
});

t.test("one address cannot take the connections of nginx, as the installation sets them", async (t) => {
  const script = join(folder, "raise-nginx-connections.sh");
  const file = join(
    t.testdir({ "nginx.conf": "user www-data;\nevents {\n\tworker_connections 768;\n}\n" }),
    "nginx.conf",
  );
  for (const time of ["once", "again"]) {
    execFileSync(script, [file]);
    const raised = "worker_rlimit_nofile 32768;\nuser www-data;\nevents {\n\tworker_connections 8192;\n}\n";
    t.equal(readFileSync(file, "utf8"), raised, time);
  }
  const perAddress = [...readText("farm-prices.nft").matchAll(/ct count over (\d+)/g)].map(([, count]) =>
    Number(count),
  );
  t.equal(perAddress.length, 2);
  for (const count of perAddress) t.ok(count <= 8192 / 8, `${count}`);
  t.equal(numberOf(nginx, /client_header_timeout /), 5);
});

t.test("a configuration of nginx without the line that is to be raised is refused by name, and stays", async (t) => {
  const text = "events {}\n";
  const file = join(t.testdir({ "nginx.conf": text }), "nginx.conf");
  const { status, stderr } = spawnSync(join(folder, "raise-nginx-connections.sh"), [file], { encoding: "utf8" });
  t.equal(status, 1);
  t.ok(stderr.startsWith(`${file}: expected one line with worker_connections`), stderr);
  t.equal(readFileSync(file, "utf8"), text);
});

t.test("systemd waits longer than the service takes to stop", async (t) => {
  const drain = numberOf(readText("farm-prices.env"), /^DRAIN_SECONDS=/);
  t.ok(
    numberOf(readText("farm-prices@.service"), /^TimeoutStopSec=/) * 1000 >= drain * 1000 + stopMillisecondsMax + 5000,
  );
});

/** The commands of a unit: the words after the program. */
function commandsOf(unit: string): string[][] {
  const lines = [...unit.matchAll(/^ExecStart=node scripts\/run\.js (.*)$/gm)];
  return lines.map(([, words = ""]) => words.match(/"[^"]*"|\S+/g) ?? []);
}

t.test("the scheduled jobs run commands and options that there are, and report their failures", async (t) => {
  const units = readdirSync(jobs).filter((name) => name.endsWith(".service") && !name.includes("@"));
  t.same(units, ["farm-prices-feed.service", "farm-prices-gc.service", "farm-prices-verify.service"]);
  for (const name of units) {
    const unit = readFileSync(join(jobs, name), "utf8");
    t.match(unit, /^OnFailure=farm-prices-alert@%n\.service$/m, name);
    t.ok(existsSync(join(jobs, name.replace(".service", ".timer"))), name);
    const commands = commandsOf(unit);
    t.ok(commands.length > 0, name);
    for (const [script = "", ...words] of commands) {
      const command = script.endsWith("snapshot.ts") ? words.slice(0, 1) : [];
      const help = spawnSync(process.execPath, [join(projectFolder, script), ...command, "--help"], {
        encoding: "utf8",
      });
      t.equal(help.status, 0, `${script} ${command}`);
      // A command that is none shows the help of all of them.
      if (command[0] !== undefined) t.match(help.stdout, `-- ${command[0]} `, `${script} ${command}`);
      for (const option of words.filter((word) => word.startsWith("--"))) {
        t.match(help.stdout, new RegExp(`^ +${option}\\b`, "m"), `${script} ${command}: ${option}`);
      }
    }
  }
  t.match(readFileSync(join(jobs, "farm-prices-feed.service"), "utf8"), / publish .* --draft /, "never unseen");
});

t.test("an alert names the unit that has failed, also where systemctl says nothing", async (t) => {
  const unit = readFileSync(join(jobs, "farm-prices-alert@.service"), "utf8");
  const [, command = ""] = /^ExecStart=\/bin\/sh -c '(.*)'$/m.exec(unit) ?? [];
  const silent = join(t.testdir({ bin: {} }), "bin");
  writeFileSync(join(silent, "systemctl"), "#!/bin/sh\nexit 1\n", { mode: 0o755 });
  const environment = {
    PATH: `${silent}:${process.env["PATH"]}`,
    UNIT: "farm-prices-gc.service",
    ALERT_COMMAND: "cat",
  };
  const alert = spawnSync("/bin/sh", ["-c", command.replaceAll("$$", "$")], { encoding: "utf8", env: environment });
  t.equal(alert.stdout, "farm-prices-gc.service has failed\n");
});

const lacksAnalyze =
  spawnSync("systemd-analyze", ["--version"]).status !== 0 &&
  "systemd-analyze is not installed (Debian package systemd)";

t.test("systemd finds nothing wrong with the jobs", { skip: lacksAnalyze }, async (t) => {
  const copies = join(t.testdir(), "units");
  mkdirSync(copies);
  const names = readdirSync(jobs).filter((name) => /\.(?:service|timer)$/.test(name));
  for (const name of names) {
    // systemd looks for a Node where it looks for all programs, and there need be none here.
    const unit = readFileSync(join(jobs, name), "utf8").replaceAll("=node ", "=/bin/sh ");
    writeFileSync(join(copies, name), unit);
  }
  const { status, stderr } = spawnSync("systemd-analyze", ["verify", ...names.map((name) => join(copies, name))], {
    encoding: "utf8",
  });
  t.match({ status, stderr: stderr.includes("farm-prices") ? stderr : "" }, { status: 0, stderr: "" });
});
