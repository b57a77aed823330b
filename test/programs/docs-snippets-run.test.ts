/** The snippets of the documentation, run as a reader would run them. */
import { execFile, spawnSync } from "node:child_process";
import { createHmac } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import t, { type Test } from "tap";
import { cutLines, cutLists } from "../../scripts/make-examples.ts";
import type { AppDependencies } from "../../src/service/http/app-dependencies.ts";
import { endpoints } from "../../src/service/http/endpoint-table.ts";
import { exampleOf } from "../../src/site/docs/examples.ts";
import { readGuide, renderGuidePage, testVector } from "../../src/site/docs/guides.ts";
import type { GuideName } from "../../src/site/docs/menu.ts";
import {
  type CodeLanguage,
  codeLanguages,
  codeNames,
  exampleRequest,
  snippetIn,
} from "../../src/site/docs/snippets.ts";
import { bundledStore } from "../support/bundled-data.ts";
import { findNodes, type MarkupNode, parseMarkup, textWithin } from "../support/parse-markup.ts";
import { publicKey, secretKey } from "../support/signed-request.ts";
import { startApp } from "../support/start-app.ts";
import { projectFolder } from "../support/test-files.ts";

function canRun(program: string, ...args: readonly string[]): boolean {
  return spawnSync(program, args).status === 0;
}

/** One with pandas: that of the system, where another one comes before it. */
const pandasPython = ["python3", "/usr/bin/python3"].find((program) => canRun(program, "-c", "import pandas"));
const hasPandas = pandasPython !== undefined;

/** How a snippet is run, where its runtime is there. */
const runtimes: Readonly<Record<CodeLanguage, readonly string[]>> = {
  curl: ["bash", "-euo", "pipefail", "-c"],
  python: [pandasPython ?? "python3", "-c"],
  r: ["Rscript", "-e"],
  javascript: [process.execPath, "--input-type=module", "-e"],
  // PHP runs a text without its opening tag.
  php: ["php", "-r"],
};

/** A public and a signed request of each kind: GET, POST, CSV and lines of JSON. */
const operations = [
  "getLatestPrices",
  "queryLatestPrices",
  "getPriceStatistics",
  "exportPricesCsv",
  "exportSeriesNdjson",
];

/** The code blocks of a guide, as a reader copies them. */
function codeOfGuide(name: GuideName, code: CodeLanguage = "curl"): string[] {
  const context = { endpoints, attribution: [], sources: {}, hasExplorer: true, code };
  return findNodes(
    parseMarkup(renderGuidePage(name, context), /^(?:[/#]|data:image\/svg)/),
    ({ name }) => name === "pre",
  ).map(textOf);
}

function textOf({ children }: MarkupNode): string {
  return textWithin(children);
}

const isThere: Readonly<Record<CodeLanguage, boolean>> = {
  curl: canRun("curl", "--version") && canRun("openssl", "version"),
  python: canRun("python3", "--version"),
  r: canRun("Rscript", "-e", "library(httr2); library(openssl)"),
  javascript: true,
  php: canRun("php", "--version"),
};

/** The service with the bundled data, and what snippets read from the environment. */
async function startBundled(t: Test, deps: Partial<AppDependencies>) {
  const store = await bundledStore();
  const app = await startApp(t, undefined, { deps: { currentStore: () => store, ...deps } });
  // The snippets sign with the time of the machine.
  app.setTime(Date.now());
  const environment = {
    ...process.env,
    BASE_URL: `http://127.0.0.1:${app.port}`,
    PUBLIC_KEY: publicKey,
    SIGNING_KEY: secretKey,
  };
  return { app, environment };
}

t.test("each prints the answer that the page shows", async (t) => {
  const { environment } = await startBundled(t, {});
  const chosen = endpoints.filter((endpoint) => operations.includes(endpoint.id));
  t.equal(chosen.length, operations.length);
  for (const endpoint of chosen) {
    const { id } = endpoint;
    const example = exampleOf(endpoint);
    for (const language of codeNames) {
      const text = snippetIn(language, exampleRequest(endpoint));
      await t.test(
        `${id} in ${codeLanguages[language]}`,
        { skip: isThere[language] ? false : `${codeLanguages[language]} is not there` },
        async (t) => {
          const output = await run(t, language, text, environment);
          if (language === "curl") {
            const shown = typeof example === "string" ? cutLines(output) : cutLists(JSON.parse(output));
            t.strictSame(shown, example);
          } else {
            const [value = ""] = JSON.stringify(example).match(/Maize \(white[^)]*\)|Beans/) ?? [];
            t.ok(output.includes(value), `${value} is in it`);
          }
        },
      );
    }
  }
  await t.test("the export of the guide", { skip: !isThere.curl && "curl is not there" }, async (t) => {
    const folder = t.testdir();
    const [exportWithCurl = ""] = codeOfGuide("exports").filter((text) => text.includes("curl "));
    await run(t, "curl", exportWithCurl, environment, folder);
    const [file = ""] = await readdir(folder);
    const endpoint = endpoints.find(({ path }) => path === "/exports/prices.csv");
    t.equal(cutLines(await readFile(join(folder, file), "utf8")), endpoint && exampleOf(endpoint));
  });
  await t.test("eleven years in a data frame", { skip: hasPandas ? false : "pandas is not there" }, async (t) => {
    const [seriesInPandas = ""] = codeOfGuide("monthly-prices", "python").filter((text) => text.includes("pandas"));
    const output = await run(t, "python", seriesInPandas, environment);
    t.match(output, /2015-01 .*\n/);
    t.match(output, /\n\d+ months without a price/);
  });
  await t.test("eleven years in PHP", { skip: isThere.php ? false : "PHP is not there" }, async (t) => {
    const [seriesInPhp = ""] = codeOfGuide("monthly-prices", "php").filter((text) => text.includes("$medians"));
    const output = await run(t, "php", seriesInPhp, environment);
    t.match(output, /2015-01 \{"Maize.*\n/);
    const gaps = output.split("\n").filter((line) => line.endsWith(" null")).length;
    t.ok(gaps > 10 && output.endsWith(`\n${gaps} months without a price\n`), output);
  });
  await t.test("eleven years in R", { skip: isThere.r ? false : "R is not there" }, async (t) => {
    const [seriesInR = ""] = codeOfGuide("monthly-prices", "r").filter((text) => text.includes("tapply"));
    const output = await run(t, "r", seriesInR, environment);
    t.match(output, /2015-01 .*\n/);
    t.match(output, /\n\d+ months without a price/);
  });
});

t.test("each request of the quick starts is answered", { skip: !isThere.curl && "curl is not there" }, async (t) => {
  const { environment } = await startBundled(t, {});
  for (const name of ["price-now", "keep-a-copy"] as const) {
    for (const text of codeOfGuide(name)) {
      // There are no downloads without a folder of snapshots.
      if (text.includes("/downloads")) continue;
      t.notMatch(await run(t, "curl", text, environment), /"error"/, text);
    }
  }
});

t.test("the guide to a price now, in each language as its page shows it, has the sentence", async (t) => {
  const { app, environment } = await startBundled(t, {});
  for (const language of codeNames) {
    const skip = isThere[language] ? false : `${codeLanguages[language]} is not there`;
    await t.test(codeLanguages[language], { skip }, async (t) => {
      const [text = ""] = codeOfGuide("price-now", language);
      const [, target = ""] = /(\/api\/v1\/prices\/now[^"']+)/.exec(text) ?? [];
      const { data } = (await app.get(target)).body as { data: { sentence: string } };
      const output = await run(t, language, text, environment);
      t.ok(output.replaceAll(/\s+/g, " ").includes(data.sentence.slice(0, 60)), output);
    });
  }
});

t.test("each signs the test vector", async (t) => {
  const { key, method, path, timestamp, body } = testVector;
  const signature = createHmac("sha256", key).update([method, path, timestamp, body].join("|")).digest("hex");
  for (const language of codeNames) {
    const [text = ""] = codeOfGuide("signing", language);
    const skip = isThere[language] ? false : `${codeLanguages[language]} is not there`;
    await t.test(codeLanguages[language], { skip }, async (t) => {
      t.equal((await run(t, language, text, process.env)).trim(), signature);
    });
  }
});

/** A program around what the guide says of a client: it sends a signed request and prints the status. */
interface ClientProgram {
  readonly command: readonly string[];
  /** Ends well where the client is there. */
  readonly probe: string;
  /** `PATH_EXPRESSION` stands where the guide's is put in. */
  readonly program: string;
}

const nodeCommand = [process.execPath, "--input-type=module", "-e"];
const nodeSign = `import { createHmac } from "node:crypto";
const key = process.env.SIGNING_KEY, now = String(Math.floor(Date.now() / 1000));
const headersOf = (target) => ({ "X-API-Key": key, "X-Signature-Timestamp": now,
  "X-Signature": createHmac("sha256", key).update("GET|" + target + "|" + now + "|").digest("hex") });
const address = process.env.BASE_URL + process.env.TARGET;
`;
const pythonSign = `import hashlib, hmac, os, time
key, now = os.environ["SIGNING_KEY"], str(int(time.time()))
address = os.environ["BASE_URL"] + os.environ["TARGET"]
def headers_of(target):
    signature = hmac.new(key.encode(), f"GET|{target}|{now}|".encode(), hashlib.sha256).hexdigest()
    return {"X-API-Key": key, "X-Signature-Timestamp": now, "X-Signature": signature}
`;

const clientPrograms: Readonly<Record<string, ClientProgram>> = {
  fetch: {
    ...{ command: nodeCommand, probe: "" },
    program: `${nodeSign}const url = new URL(address);
console.log((await fetch(url, { headers: headersOf(PATH_EXPRESSION) })).status);`,
  },
  axios: {
    ...{ command: nodeCommand, probe: 'import "axios"' },
    program: `import axios from "axios";
${nodeSign}axios.interceptors.request.use((config) => {
  const url = new URL(axios.getUri(config));
  Object.assign(config.headers, headersOf(PATH_EXPRESSION));
  return config;
});
console.log((await axios.get(address)).status);`,
  },
  got: {
    ...{ command: nodeCommand, probe: 'import "got"' },
    program: `import got from "got";
${nodeSign}const sign = (options) => void Object.assign(options.headers, headersOf(PATH_EXPRESSION));
console.log((await got(address, { hooks: { beforeRequest: [sign] } })).statusCode);`,
  },
  requests: {
    ...{ command: ["python3", "-c"], probe: "import requests" },
    program: `import requests
${pythonSign}
def sign(request):
    request.headers.update(headers_of(PATH_EXPRESSION))
    return request
print(requests.get(address, auth=sign).status_code)`,
  },
  httpx: {
    ...{ command: ["python3", "-c"], probe: "import httpx" },
    program: `import httpx
${pythonSign}
def sign(request):
    request.headers.update(headers_of(PATH_EXPRESSION))
print(httpx.Client(event_hooks={"request": [sign]}).get(address).status_code)`,
  },
  aiohttp: {
    ...{ command: ["python3", "-c"], probe: "import aiohttp, yarl" },
    program: `import asyncio, aiohttp, yarl
${pythonSign}
async def main():
    url = yarl.URL(address)
    async with aiohttp.ClientSession() as session:
        async with session.get(url, headers=headers_of(PATH_EXPRESSION)) as response:
            print(response.status)
asyncio.run(main())`,
  },
  Guzzle: {
    ...{ command: ["php", "-r"], probe: 'require_once "GuzzleHttp/autoload.php";' },
    program: `require_once "GuzzleHttp/autoload.php";
$stack = GuzzleHttp\\HandlerStack::create();
$stack->push(GuzzleHttp\\Middleware::mapRequest(function ($request) {
  $key = getenv("SIGNING_KEY"); $now = (string) time();
  $signature = hash_hmac("sha256", "GET|" . PATH_EXPRESSION . "|" . $now . "|", $key);
  return $request->withHeader("X-API-Key", $key)->withHeader("X-Signature-Timestamp", $now)
    ->withHeader("X-Signature", $signature);
}));
$client = new GuzzleHttp\\Client(["handler" => $stack]);
echo $client->get(getenv("BASE_URL") . getenv("TARGET"))->getStatusCode();`,
  },
};

/** Addresses that clients rewrite: an apostrophe, a comma, a blank and brackets. */
const rewrittenTargets = [
  "/api/v1/products?search=ng'ombe, maziwa",
  "/api/v1/products?search=(mahindi)*!~",
  "/api/v1/prices/latest?product_uuids=8279063d-b290-5e29-a97f-e7b9ef6a7e2a,63ee0850-d07b-5001-9007-7b8ec8242380",
];

/**
 * The JavaScript clients are found from the folder that HTTP_CLIENTS names, where `npm install got axios` has been run;
 * neither is a package of this project.
 */
t.test("each client of the guide signs what it sends", async (t) => {
  const { environment } = await startBundled(t, {});
  const guide = readGuide("signing");
  const rows = [...guide.matchAll(/^\| (\S+) \| .* \| `([^`]+)` \|$/gm)].flatMap(([, client = "", expression = ""]) =>
    client in clientPrograms ? [[client, expression] as const] : [],
  );
  t.strictSame(
    rows.map(([client]) => client),
    Object.keys(clientPrograms),
    "the guide has all of them",
  );
  const cwd = process.env["HTTP_CLIENTS"] ?? projectFolder;
  for (const [client, expression] of rows) {
    const { command, probe, program } = clientPrograms[client] as ClientProgram;
    const [name = "", ...args] = command;
    const isHere = spawnSync(name, [...args, probe], { cwd }).status === 0;
    await t.test(client, { skip: isHere ? false : `${client} is not there` }, async (t) => {
      for (const target of rewrittenTargets) {
        const text = program.replace("PATH_EXPRESSION", () => expression);
        const env = { ...environment, TARGET: target };
        const { stdout, stderr } = await runCommand(name, [...args, text], { cwd, env });
        t.equal(stdout.trim(), "200", `${target} ${stderr}`);
      }
    });
  }
});

/** Requests of the top page, each with the answer that it shows below, or undefined. */
function requestsOfReadme(readme: string): { readonly command: string; readonly answer: string | undefined }[] {
  const blocks = [...readme.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language, text = ""]) => ({
    language,
    text,
  }));
  return blocks.flatMap(({ language, text: command }, at) => {
    const next = blocks[at + 1];
    const isRequest = language === "sh" && /curl/.test(command);
    return isRequest ? [{ command, answer: next?.language === "json" ? next.text : undefined }] : [];
  });
}

t.test("requests of README.md print what is below them", { skip: !isThere.curl && "curl is not there" }, async (t) => {
  const { app, environment } = await startBundled(t, {});
  const root = join(import.meta.dirname, "../..");
  const requests = requestsOfReadme(await readFile(join(root, "README.md"), "utf8"));
  t.ok(requests.length >= 3 && requests.filter(({ answer }) => answer !== undefined).length >= 2);
  for (const { command, answer } of requests) {
    const here = command
      .replaceAll("127.0.0.1:3000", `127.0.0.1:${app.port}`)
      .replace("npm run --silent sign --", `"${process.execPath}" scripts/sign.ts`);
    const output = await run(t, "curl", here, { ...environment, PORT: String(app.port) }, root);
    t.notMatch(output, /"error"/, command);
    if (answer !== undefined) t.strictSame(JSON.parse(output), JSON.parse(answer), command);
  }
});

/** The line for each program that needs no signature, as the guide prints it. */
t.test("without signing, where the operator has opened exports", async (t) => {
  const { app, environment } = await startBundled(t, { exportAccess: "public" });
  const blocks = codeOfGuide("spreadsheets");
  const block = (part: string): string => blocks.find((text) => text.includes(part)) ?? "";
  const base = environment.BASE_URL;
  const target = /=FARMPRICES\("(.*)"\)/.exec(block("=FARMPRICES"))?.[1] ?? "";
  const expected = (await app.get(target)).text;
  t.match(expected, /^product_uuid,/);

  await t.test("Excel asks for that table, with the key in a header", async (t) => {
    const [, asked = ""] = /Web\.Contents\(\s*"http:\/\/127\.0\.0\.1:3000([^"]*)"/.exec(block("Web.Contents")) ?? [];
    t.equal(asked, target);
    t.match(block("Web.Contents"), '[Headers=[#"X-API-Key"="svc_pub_…"]]');
  });
  await t.test("the function for Sheets asks for it and gives its rows", async (t) => {
    const [, name = ""] = /^function (\w+)/.exec(block("function ")) ?? [];
    const script = block("function ").replace("http://127.0.0.1:3000", base).replace("svc_pub_…", publicKey);
    const requests: [string, object][] = [];
    const services = `const UrlFetchApp = {
        fetch: (...request) => {
          requests.push(request);
          return { getContentText: () => text };
        },
      };
      const Utilities = { parseCsv: (csv) => csv.split("\\r\\n").map((line) => line.split(",")) };`;
    const call = new Function("requests", "text", "target", `${services}\n${script}\nreturn ${name}(target);`);
    t.equal(call(requests, expected, target)[0][0], "product_uuid");
    const [[address, options] = ["", {}]] = requests;
    const answer = await fetch(address, options);
    t.equal(await answer.text(), expected);
  });
  await t.test("R", { skip: canRun("Rscript", "--version") ? false : "R is not there" }, async (t) => {
    const rows = await run(t, "r", `${block("read.csv")}\ncat(nrow(prices), names(prices)[1])`, environment);
    t.equal(rows.trim(), `${expected.trimEnd().split("\n").length - 1} product_uuid`);
  });
  await t.test("pandas", { skip: hasPandas ? false : "pandas is not there" }, async (t) => {
    const rows = await run(t, "python", `${block("read_csv")}\nprint(len(prices), prices.columns[0])`, environment);
    t.equal(rows.trim(), `${expected.trimEnd().split("\n").length - 1} product_uuid`);
  });
  await t.test("a key in the address is refused, as the guide says", async (t) => {
    const answer = await fetch(`${base}${target}&api_key=${publicKey}`);
    t.equal(answer.status, 401);
    t.match(await answer.json(), { code: "MISSING_API_KEY", message: /the query parameter api_key/ });
  });
});

function run(
  t: Test,
  language: CodeLanguage,
  text: string,
  env: NodeJS.ProcessEnv,
  cwd = process.cwd(),
): Promise<string> {
  const [program = "", ...args] = runtimes[language];
  return new Promise((resolve) => {
    const code = language === "php" ? text.replace("<?php\n", "") : text;
    execFile(program, [...args, code], { env, cwd }, (error, stdout, stderr) => {
      t.equal(error, null, `${language} ends well: ${stderr}`);
      resolve(stdout);
    });
  });
}

function runCommand(
  program: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
): Promise<{ readonly stdout: string; readonly stderr: string }> {
  return new Promise((resolve) => {
    execFile(program, args, options, (_error, stdout, stderr) => resolve({ stdout, stderr }));
  });
}
