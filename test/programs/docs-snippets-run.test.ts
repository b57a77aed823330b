/** The snippets of the documentation, run as a reader would run them. */
import { execFile, spawnSync } from "node:child_process";
import { createHmac } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import t, { type Test } from "tap";
import type { AppDependencies } from "../../src/service/http/dependencies.ts";
import { endpoints } from "../../src/service/http/endpoint-table.ts";
import { cutLines, cutLists } from "../../src/service/http/make-examples.ts";
import { exampleOf } from "../../src/site/docs/examples.ts";
import { renderGuidePage, testVector } from "../../src/site/docs/guides.ts";
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

/** How a snippet is run, where its runtime is there. */
const runtimes: Readonly<Record<CodeLanguage, readonly string[]>> = {
  curl: ["bash", "-euo", "pipefail", "-c"],
  python: ["python3", "-c"],
  r: ["Rscript", "-e"],
  javascript: [process.execPath, "--input-type=module", "-e"],
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

function canRun(program: string, ...args: readonly string[]): boolean {
  return spawnSync(program, args).status === 0;
}

const isThere: Readonly<Record<CodeLanguage, boolean>> = {
  curl: canRun("curl", "--version") && canRun("openssl", "version"),
  python: canRun("python3", "--version"),
  r: canRun("Rscript", "-e", "library(httr2); library(openssl)"),
  javascript: true,
};

const hasPandas = canRun("python3", "-c", "import pandas");

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
  await t.test("the export of the guide", { skip: isThere.curl ? false : "curl is not there" }, async (t) => {
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
  await t.test("eleven years in R", { skip: isThere.r ? false : "R is not there" }, async (t) => {
    const [seriesInR = ""] = codeOfGuide("monthly-prices", "r").filter((text) => text.includes("tapply"));
    const output = await run(t, "r", seriesInR, environment);
    t.match(output, /2015-01 .*\n/);
    t.match(output, /\n\d+ months without a price/);
  });
});

t.test(
  "each request of the quick starts is answered",
  { skip: isThere.curl ? false : "curl is not there" },
  async (t) => {
    const { environment } = await startBundled(t, {});
    for (const name of ["price-now", "keep-a-copy"] as const) {
      for (const text of codeOfGuide(name)) {
        // There are no downloads without a folder of snapshots.
        if (text.includes("/downloads")) continue;
        t.notMatch(await run(t, "curl", text, environment), /"error"/, text);
      }
    }
  },
);

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
  await t.test("the lines of README.md", async (t) => {
    const readme = await readFile(join(import.meta.dirname, "../../README.md"), "utf8");
    const line = (part: string): string =>
      (readme.split("\n").find((text) => text.includes(part)) ?? "").replaceAll("http://127.0.0.1:3000", base);
    const [, asked = ""] = /Web\.Contents\("([^"]*)"/.exec(line("Web.Contents")) ?? [];
    t.equal((await fetch(asked, { headers: { "X-API-Key": publicKey } })).status, 200);
    for (const reader of ["read.csv", "read_csv"]) t.match(line(reader), `"${asked}"`);
    const rows = (await app.get(asked.slice(base.length))).text.trimEnd().split("\n").length - 1;
    if (canRun("Rscript", "--version")) {
      const count = await run(t, "r", `${line("read.csv")}; cat(nrow(prices))`, environment);
      t.equal(Number(count), rows);
    }
    if (hasPandas)
      t.equal(Number(await run(t, "python", `${line("read_csv")}; print(len(prices))`, environment)), rows);
    const services = "const UrlFetchApp = { fetch: (...request) => ({ getContentText: () => request }) };";
    const script = `${services} const Utilities = { parseCsv: (request) => request }; ${line("function FARM")}`;
    const [url, options] = new Function(`${script} return FARMPRICES("a");`)();
    t.strictSame([url, options], ["a", { headers: { "X-API-Key": "svc_pub_…" } }]);
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
    execFile(program, [...args, text], { env, cwd }, (error, stdout, stderr) => {
      t.equal(error, null, `${language} ends well: ${stderr}`);
      resolve(stdout);
    });
  });
}
