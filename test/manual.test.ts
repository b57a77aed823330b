import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import t from "tap";
import { apiPrefix, endpoints } from "../src/http/endpoints.ts";
import { apiErrorCodes, apiErrors } from "../src/http/errors.ts";

const root = join(import.meta.dirname, "..");
const manual = readText("README.md");
const pageFiles = [
  "README.md",
  ...["bench", "data", "scripts", "src", "test"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .map((name) => `${folder}/${name.replaceAll("\\", "/")}`)
      .filter((name) => name.endsWith(".md") && !/node_modules|fixtures|golden/.test(name)),
  ),
];
const pages = pageFiles.map(readText);
const scripts = (JSON.parse(readText("package.json")) as { scripts: Record<string, string> }).scripts;

function readText(path: string): string {
  return readFileSync(join(root, path), "utf8");
}

/** Cells of every table row whose first cell matches. */
function rowsOf(text: string, first: RegExp): string[][] {
  return text
    .split("\n")
    .filter((line) => line.startsWith("| "))
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
    .filter(([cell = ""]) => first.test(cell));
}

t.test("the endpoints in the manual are those of the table, both ways", (t) => {
  const reported = rowsOf(manual, /^(GET|POST)$/).map(([method, path, access]) => `${method} ${path} ${access}`);
  t.same(reported.sort(), endpoints.map(({ method, path, access }) => `${method} ${path} ${access}`).sort());
  t.ok(manual.includes(apiPrefix));
  t.end();
});

t.test("the fields of each endpoint are in the manual", (t) => {
  for (const { method, path, query, body } of endpoints) {
    const row = rowsOf(manual, /^(GET|POST)$/).find((cells) => cells[0] === method && cells[1] === path);
    if (row?.[3]?.includes("the same, fields in the body")) continue;
    const reported = [...(row?.[3] ?? "").matchAll(/`(\w+)`/g)].map(([, name]) => name);
    const fields = [...Object.keys(query.properties), ...Object.keys(body.properties)];
    t.same(reported.sort(), fields.sort(), `${method} ${path}`);
  }
  t.end();
});

t.test("the error codes in the manual are those of the registry, with status and meaning, both ways", (t) => {
  const reported = rowsOf(manual, /^[A-Z]+_[A-Z_]+$/)
    .filter(([, status = ""]) => /^\d{3}$/.test(status))
    .map(([code, status, meaning]) => ({ code, status: Number(status), meaning }));
  const known = apiErrorCodes.map((code) => ({
    code,
    status: apiErrors[code].status,
    meaning: apiErrors[code].message,
  }));
  t.same(reported, known);
  t.end();
});

t.test("the variables in the manual are those that the configuration reads, both ways", (t) => {
  const read = [...readText("src/config.ts").matchAll(/"([A-Z][A-Z_]+)"/g)].map(([, name = ""]) => name);
  const reported = rowsOf(manual, /^(?!GET$|POST$)[A-Z][A-Z_]+(, [A-Z_]+)?$/)
    .filter(([, second = ""]) => !/^\d{3}$/.test(second))
    .flatMap(([names = ""]) => names.split(", "));
  t.same([...new Set(reported)].sort(), [...new Set(read)].sort());
  t.end();
});

t.test("every npm script that the manual names exists, and every script is named", (t) => {
  const named = new Set(
    pages.flatMap((page) =>
      [...page.matchAll(/npm (?:run (?:--silent )?)?([a-z][a-z:-]*)/g)].map(([, name = ""]) => name),
    ),
  );
  for (const builtIn of ["ci", "run", "build", "pack", "publish"]) named.delete(builtIn);
  const known = Object.keys(scripts);
  t.same(
    [...named].filter((name) => !known.includes(name)),
    [],
  );
  const parts = (scripts["check"] ?? "").match(/npm run ([\w-]+)/g)?.map((part) => part.slice("npm run ".length)) ?? [];
  t.same(
    known.filter((name) => !named.has(name) && !parts.includes(name)),
    [],
  );
  t.end();
});

t.test("the table of faults names every test of them, and no other, and gives each fault one", (t) => {
  const [, section = ""] = readText("data/README.md").split("\n## Faults\n");
  const rows = rowsOf(section.split("\n## ")[0] ?? "", /^(?!Fault$|-)/);
  const there = readdirSync(join(root, "test/faults")).map((name) => name.replace(/\.test\.ts$/, ""));
  t.ok(rows.length >= there.length);
  for (const [fault = "", , test = ""] of rows) t.ok(there.includes(test), `${fault}: ${test}`);
  t.same([...new Set(rows.map(([, , test]) => test))].sort(), there.sort());
  t.end();
});

t.test("every source file that a page names exists, by its path or the end of it", (t) => {
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
  t.end();
});

t.test("links between the pages lead somewhere", (t) => {
  for (const page of pageFiles) {
    for (const [, target = ""] of readText(page).matchAll(/\]\(([^)#]+)\)/g)) {
      if (target.startsWith("http")) continue;
      t.doesNotThrow(() => readFileSync(join(root, page, "..", target)), `${page} → ${target}`);
    }
  }
  t.end();
});
