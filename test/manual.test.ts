import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import t from "tap";
import { variables } from "../src/config.ts";
import { endpointName } from "../src/contract/endpoint.ts";
import { apiErrorCodes, apiErrors } from "../src/contract/errors.ts";
import { apiPrefix } from "../src/contract/paths.ts";
import { warningKinds } from "../src/contract/publication-report.ts";
import type { Keywords } from "../src/engine/model/json-schema.ts";
import { endpoints } from "../src/service/http/endpoint-table.ts";
import { listItems, sectionOf } from "./support/list-items.ts";
import { filesMatching } from "./support/test-files.ts";

const root = join(import.meta.dirname, "..");
const reference = readText("src/service/http/INTERFACE.md");
const pageFiles = filesMatching("{*.md,{bench,data,scripts,src,test}/**/*.md}");
/**
 * Pages that name files and scripts of today: not the changelog, nor the client's, a package with scripts of its own.
 */
const pages = pageFiles.filter((page) => page !== "CHANGELOG.md" && !page.startsWith("src/client/")).map(readText);
const scripts = (JSON.parse(readText("package.json")) as { scripts: Record<string, string> }).scripts;

function readText(path: string): string {
  return readFileSync(join(root, path), "utf8");
}

/** The endpoints that the manual lists: "`GET /path.csv`, `.ndjson` (access): what it answers". */
function endpointsInManual(): string[] {
  return listItems(sectionOf(reference, "Endpoints")).flatMap((item) => {
    const [, name = "", other, access = ""] = /^`([A-Z]+ \/\S*)`(?:, `(\.\w+)`)? \((\w+)\): /.exec(item) ?? [];
    const names = other === undefined ? [name] : [name, name.replace(/\.\w+$/, other)];
    return names.map((one) => `${one} ${access}`);
  });
}

t.test("the endpoints in the manual are those of the table, both ways", async (t) => {
  t.same(endpointsInManual().sort(), endpoints.map(({ method, path, access }) => `${method} ${path} ${access}`).sort());
  t.ok(reference.includes(apiPrefix));
});

/** The fields of the requests of the specification, by endpoint. */
const specifiedFields: Readonly<Record<string, string>> = {
  "GET /crops": "category season",
  "GET /crops/categories": "",
  "GET /reference/units": "",
  "GET /reference/market-types": "",
  "GET /counties": "",
  "GET /counties/:id": "",
  "GET /counties/:id/sub-counties": "",
  "POST /prices/search": "product_uuid market_uuid county_id start_date end_date min_price max_price page page_size",
  "GET /prices/:uuid": "",
  "POST /prices/latest": "product_uuids market_uuid county_id limit",
  "POST /prices/statistics": "product_uuid start_date end_date market_uuid county_id group_by",
  "GET /products": "page page_size category search",
  "GET /products/:uuid": "",
  "POST /products/search": "query categories sub_categories is_active",
  "GET /products/categories": "",
  "GET /markets": "page page_size county_id market_type search",
  "GET /markets/:uuid": "",
};

/** A list of the manual's section about the specification: endpoint and names. */
function beyondSpecification(isWanted: (name: string) => boolean): string[] {
  return listItems(sectionOf(reference, "Beyond the specification"))
    .flatMap((item) => {
      const [endpoint = "", ...names] = [...item.replace(/;.*/, "").matchAll(/`([^`]+)`/g)].map(
        ([, name = ""]) => name,
      );
      return names.filter(isWanted).map((name) => `${endpoint} ${name}`);
    })
    .sort();
}

t.test("the manual has the parameters beyond the specification, both ways", async (t) => {
  const further = endpoints.flatMap((endpoint) => {
    const specified = specifiedFields[endpointName(endpoint)]?.split(" ");
    const fields = [...Object.keys(endpoint.query.properties), ...Object.keys(endpoint.body.properties)];
    return specified === undefined
      ? []
      : fields.filter((field) => !specified.includes(field)).map((field) => `${endpointName(endpoint)} ${field}`);
  });
  t.same(
    beyondSpecification((name) => !name.includes(".")),
    further.sort(),
  );
  const groups = endpoints.find(({ id }) => id === "getPriceStatistics")?.body.properties["group_by"] as Keywords;
  t.same(
    groups.enum?.filter((group) => !["day", "week", "month", "market", "county"].includes(group ?? "")),
    ["quarter", "year"],
  );
});

t.test("the manual has the texts inside of specified objects that may be null, both ways", async (t) => {
  const found = endpoints.flatMap((endpoint) => {
    const { data } = (endpoint.answer as Keywords).properties ?? {};
    if (specifiedFields[endpointName(endpoint)] === undefined || data === undefined) return [];
    return Object.entries((data.items ?? data).properties ?? {}).flatMap(([object, field]) => {
      const { properties = {}, required = [] } = [field, ...(field.anyOf ?? [])].find((one) => one.properties) ?? {};
      // Members that are there only with detail are beyond the specification as a whole.
      return Object.entries(properties)
        .filter(([name, { type }]) => required.includes(name) && Array.isArray(type) && type.includes("string"))
        .map(([name]) => `${endpointName(endpoint)} ${object}.${name}`);
    });
  });
  t.same(
    beyondSpecification((name) => name.includes(".")),
    found.sort(),
  );
});

t.test("the error codes in the manual are those of the registry, by status, both ways", async (t) => {
  const reported = listItems(sectionOf(reference, "Errors")).flatMap((item) => {
    const [status = "", codes = ""] = item.split(": ");
    return codes.split(", ").map((code) => `${code} ${status}`);
  });
  t.same(reported.sort(), apiErrorCodes.map((code) => `${code} ${apiErrors[code].status}`).sort());
});

t.test("the variables in the manual are those that the configuration reads, with their defaults", async (t) => {
  const items = listItems(sectionOf(readText("src/service/serve/OPERATING.md"), "Configuration"));
  const reported = items.flatMap((item) => {
    const [, names = "", stated = ""] = /^((?:`[A-Z_]+`(?:, )?)+) \(([^()]*)\)\. /.exec(item) ?? [];
    const list = names.split(", ").map((name) => name.slice(1, -1));
    const defaults = list.length === 1 ? [stated] : stated.split(", ");
    return list.map((name, at) => [name, defaults[at] as string] as const);
  });
  const { properties } = variables;
  t.same(reported.map(([name]) => name).sort(), Object.keys(properties).sort());
  // The manual describes in words the defaults that depend on the machine or on other variables.
  const described = ["THREADS", "EXPLORER", "DRAIN_SECONDS", "MAX_CONNECTIONS", "MAX_CONNECTIONS_PER_ADDRESS"];
  for (const [name, stated] of reported.filter(([name]) => !described.includes(name))) {
    const { default: fallback } = properties[name as keyof typeof properties];
    t.equal(stated, String(fallback ?? "") || "no default", name);
  }
});

t.test("every npm script that the manual names exists, every script is named, and there are at most 34", async (t) => {
  const named = new Set(
    pages.flatMap((page) =>
      [...page.matchAll(/npm (?:run (?:--silent )?)?([a-z][a-z:-]*)/g)].map(([, name = ""]) => name),
    ),
  );
  for (const builtIn of ["ci", "install", "run"]) named.delete(builtIn);
  const known = Object.keys(scripts);
  t.same(
    [...named].filter((name) => !known.includes(name)),
    [],
  );
  const parts = [...(scripts["check:code"] ?? "").matchAll(/npm run ([\w:-]+)/g)].map(([, name]) => name);
  t.same(
    known.filter((name) => !named.has(name) && !parts.includes(name)),
    [],
  );
  t.ok(known.length <= 34, `${known.length} scripts`);
});

t.test("the benchmarks and trials that manuals, code and CI name exist", async (t) => {
  const code = filesMatching("{bench,scripts,src,test}/**/*.{ts,sh}");
  for (const [script, file] of [
    ["bench", "bench/main.ts"],
    ["try", "scripts/try.ts"],
  ] as const) {
    const known = [...readText(file).matchAll(/^ {2}(\w+): /gm)].map(([, name]) => name);
    const use = new RegExp(`npm run ${script} -- (?:--[\\w-]+ )*([a-z]+)`, "g");
    const named = [...pages, readText(".ci/run"), ...code.map(readText)].flatMap((text) =>
      [...text.matchAll(use)].map(([, name]) => name),
    );
    t.ok(named.length > 3 && known.length > 3);
    t.same(
      named.filter((name) => !known.includes(name)),
      [],
      script,
    );
  }
});

t.test("the list of warnings names every kind, and no other", async (t) => {
  const named = listItems(readText("data/CHECKING.md")).flatMap((item) => {
    const [names = ""] = item.split(":");
    return [...names.matchAll(/`([a-z-]+)`/g)].map(([, name = ""]) => name);
  });
  t.same(named.filter((name) => /^[a-z]+-[a-z]+$|^suspicious$/.test(name)).sort(), [...warningKinds].sort());
});

t.test("the list of faults names every test of them, and no other, and gives each fault one", async (t) => {
  const [, section = ""] = readText("data/FAULTS.md").split("\n## Faults\n");
  const faults = listItems(section.split("\n## ")[0] ?? "").map((item) => {
    const [, fault = "", test = ""] = /^\*\*(.*?)\*\*: .* \(([a-z-]+)\)$/.exec(item) ?? [];
    return { fault, test };
  });
  const there = filesMatching("test/faults/*.test.ts").map((path) => basename(path, ".test.ts"));
  t.ok(faults.length >= there.length);
  for (const { fault, test } of faults) t.ok(there.includes(test), `${fault}: ${test}`);
  t.same([...new Set(faults.map(({ test }) => test))].sort(), there.sort());
});

t.test("every source file that a page names exists, by its path or the end of it", async (t) => {
  const files = ["src", "scripts", "bench", "test"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map(
      (name) => `/${folder}/${name.replaceAll("\\", "/")}`,
    ),
  );
  const named = pages.flatMap((page) => page.match(/[\w/.-]+\.(?:ts|mjs)\b/g) ?? []);
  t.ok(named.length > 30);
  t.same(
    named.filter((name) => !files.some((file) => file.endsWith(`/${name.replace(/^(?:\.\.?\/)+/, "")}`))),
    [],
  );
});

t.test("links of every page lead to a file, and to a heading in it", async (t) => {
  // The guides lead to pages of the service, which test/site/docs/docs-page.test.ts follows.
  for (const page of pageFiles.filter((file) => !file.startsWith("src/site/docs/guides/"))) {
    for (const [, target = ""] of withoutCode(readText(page)).matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^[a-z]+:/.test(target)) continue;
      const [path = "", anchor] = target.split("#");
      const file = path === "" ? join(root, page) : join(root, page, "..", path);
      t.ok(existsSync(file), `${page} → ${target}`);
      if (anchor !== undefined) t.ok(existsSync(file) && anchorsOf(file).includes(anchor), `${page} → ${target}`);
    }
  }
});

t.test("each path that the page of changes names exists", async (t) => {
  const paths = [...readText("src/CHANGING.md").matchAll(/`([\w./-]+(?:\/|\.\w+))`/g)].map(([, path = ""]) => path);
  t.ok(paths.length > 0);
  for (const path of paths) t.ok(existsSync(join(root, "src", path)) || existsSync(join(root, path)), path);
});

/** Anchors of the headings of a page, as GitHub makes them: lower case, without punctuation, hyphens for spaces. */
function anchorsOf(file: string): string[] {
  return [...withoutCode(readFileSync(file, "utf8")).matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

function withoutCode(text: string): string {
  return text.replace(/^```[\s\S]*?^```$/gm, "");
}

t.test("the pages for newcomers, engineers and data teams stay short: at most 200 lines", async (t) => {
  for (const page of ["README.md", "src/README.md", ...pageFiles.filter((file) => /^data\/[A-Z-]+\.md$/.test(file))])
    t.ok(readText(page).split("\n").length <= 201, page);
});

t.test("lines of manuals and code have at most 120 characters", async (t) => {
  const code = filesMatching("{bench,scripts,src,test}/**/*.{ts,js,mjs,sh}").filter(
    (file) => !/\/dist\/|generated-api\.ts$/.test(file),
  );
  const manuals = pageFiles.map((page) => ({ file: page, text: withoutFigures(withoutCode(readText(page))) }));
  const long = [...manuals, ...code.map((file) => ({ file, text: readText(file) }))].flatMap(({ file, text }) =>
    text
      .split("\n")
      .filter((line) => line.length > 120 && !(file.startsWith("test/") && withoutLiterals(line).length <= 120))
      .map((line) => `${file}: ${line}`),
  );
  t.same(long, []);
});

/** Without the tables that benchmarks write. */
function withoutFigures(text: string): string {
  return text.replace(/^<!-- figures of [\s\S]*?^<!-- end of figures/gm, "");
}

/** A line of a test without what cannot be broken there: expressions, texts and the code of other processes. */
function withoutLiterals(line: string): string {
  return line.replace(/\/\^?.*\/[dgimsuvy]*|"[^"]*"|'[^']*'|`[^`]*`|\$\{.*\}/g, "");
}
