/** The snippets of the documentation, run as a reader would run them. */
import { execFile, spawnSync } from "node:child_process";
import { createHmac } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import t, { type Test } from "tap";
import { exampleOf } from "../../src/http/documents/examples.ts";
import { type GuideName, renderGuidePage, testVector } from "../../src/http/documents/guides.ts";
import { cutLines, cutLists } from "../../src/http/documents/make-examples.ts";
import { type Snippet, snippetsOf } from "../../src/http/documents/snippets.ts";
import { endpoints } from "../../src/http/endpoints.ts";
import { loadCurrentDataset } from "../support/open-snapshots.ts";
import { findNodes, type MarkupNode, parseMarkup, textWithin } from "../support/parse-markup.ts";
import { publicKey, secretKey } from "../support/signed-request.ts";
import { startApp } from "../support/start-app.ts";

/** How a snippet is run, where its runtime is there. */
const runtimes: Readonly<Record<Snippet["language"], readonly string[]>> = {
  curl: ["bash", "-euo", "pipefail", "-c"],
  Python: ["python3", "-c"],
  R: ["Rscript", "-e"],
  JavaScript: [process.execPath, "--input-type=module", "-e"],
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
function codeOfGuide(name: GuideName): string[] {
  return findNodes(
    parseMarkup(renderGuidePage(name, true), /^(?:[/#]|data:image\/svg)/),
    ({ name }) => name === "pre",
  ).map(textOf);
}

function textOf({ children }: MarkupNode): string {
  return textWithin(children);
}

function canRun(program: string, ...args: readonly string[]): boolean {
  return spawnSync(program, args).status === 0;
}

const isThere: Readonly<Record<Snippet["language"], boolean>> = {
  curl: canRun("curl", "--version") && canRun("openssl", "version"),
  Python: canRun("python3", "--version"),
  R: canRun("Rscript", "-e", "library(httr2); library(openssl)"),
  JavaScript: true,
};

t.test("each prints the answer that the page shows", async (t) => {
  const dataset = await loadCurrentDataset(join(import.meta.dirname, "../../data"), {
    onFallback: ({ error }) => t.fail(error.message),
  });
  const app = await startApp(t, dataset);
  // The snippets sign with the time of the machine.
  app.setTime(Date.now());
  const environment = {
    ...process.env,
    BASE_URL: `http://127.0.0.1:${app.port}`,
    PUBLIC_KEY: publicKey,
    SIGNING_KEY: secretKey,
  };
  const chosen = endpoints.filter((endpoint) => operations.includes(endpoint.operation.id));
  t.equal(chosen.length, operations.length);
  for (const endpoint of chosen) {
    const { id } = endpoint.operation;
    const example = exampleOf(endpoint);
    for (const { language, text } of snippetsOf(endpoint)) {
      await t.test(
        `${id} in ${language}`,
        { skip: isThere[language] ? false : `${language} is not there` },
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
  const hasPandas = canRun("python3", "-c", "import pandas");
  await t.test("ten years in a data frame", { skip: hasPandas ? false : "pandas is not there" }, async (t) => {
    const [seriesInPandas = ""] = codeOfGuide("statistics").filter((text) => text.includes("import pandas"));
    const output = await run(t, "Python", seriesInPandas, environment);
    t.match(output, /2015-01 .*\n/);
    t.match(output, /\n\d+ months without a price/);
  });
});

t.test("each signs the test vector", async (t) => {
  const nodes = parseMarkup(renderGuidePage("signing", true), /^(?:[/#]|data:image\/svg)/);
  const snippets = findNodes(nodes, ({ name }) => name === "details").map((node) => {
    const [title = "", text = ""] = ["summary", "pre"].flatMap((wanted) =>
      findNodes([node], ({ name }) => name === wanted).map(textOf),
    );
    return { language: (title === "Shell with openssl" ? "curl" : title) as Snippet["language"], text };
  });
  t.strictSame(
    snippets.map(({ language }) => language),
    Object.keys(runtimes),
  );
  const { key, method, path, timestamp, body } = testVector;
  const signature = createHmac("sha256", key).update([method, path, timestamp, body].join("|")).digest("hex");
  for (const { language, text } of snippets) {
    await t.test(language, { skip: isThere[language] ? false : `${language} is not there` }, async (t) => {
      t.equal((await run(t, language, text, process.env)).trim(), signature);
    });
  }
});

function run(
  t: Test,
  language: Snippet["language"],
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
