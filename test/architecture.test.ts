import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import t from "tap";

const root = join(import.meta.dirname, "..");

/** Which rooms and packages a room may import, as its entry of src/README.md says. */
interface RoomRules {
  readonly rooms: readonly string[];
  readonly packages: readonly string[];
}

const rooms = readRooms(readFileSync(join(root, "src/README.md"), "utf8"));

/** Entries like `- [store](engine/store/README.md): …` that end with `Imports: threads. Packages: –.` */
function readRooms(manual: string): Readonly<Record<string, RoomRules>> {
  const [, section = ""] = manual.split("\n### Rooms\n");
  const entries = section.matchAll(/^- \[(\w+)\]\([^)]*\): .*?\bImports: ([^.]*)\. Packages: (.*?)\.\n(?=- |\n)/gms);
  return Object.fromEntries(
    [...entries].map(([, room = "", imported = "", packages = ""]) => [
      room,
      { rooms: namesIn(imported, /\w+/g), packages: namesIn(packages, /(?<=`)[^`,\s]+(?=`)/g) },
    ]),
  );
}

function namesIn(text: string, name: RegExp): readonly string[] {
  return [...text.matchAll(name)].map(([found]) => found);
}

/** Files that alone may use a package of their room. */
const packageHomes: Readonly<Record<string, readonly string[]>> = {
  hyparquet: ["src/engine/export/table-parquet.ts"],
  "hyparquet-writer": ["src/engine/export/table-parquet.ts"],
  "date-fns": ["src/publishing/importers/sheet/date-cell.ts"],
  "@date-fns/utc": ["src/publishing/importers/sheet/date-cell.ts"],
  hucre: ["src/publishing/importers/sheet/read-workbook.ts"],
  leven: [
    "src/service/http/nearest-name.ts",
    "src/publishing/importers/sheet/name-index.ts",
    "src/engine/query/suggest-products.ts",
  ],
  marked: ["src/site/docs/markdown.ts"],
};

interface Import {
  readonly file: string;
  readonly target: string;
}

/** Every import of a file below `folder`; targets of ours as paths from the root, others as package names. */
function importsBelow(folder: string): Import[] {
  return (
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      // The client has packages of its own, and what is built of it.
      .filter((name) => name.endsWith(".ts") && !/(?:^|[/\\])(?:node_modules|dist)[/\\]/.test(name))
      .flatMap((name) => importsOf(join(folder, name).split(sep).join("/")))
  );
}

function importsOf(file: string): Import[] {
  const text = readFileSync(join(root, file), "utf8");
  const imports = text.matchAll(
    /^(?:import|export)\b[^;]*?\bfrom\s+"([^"]+)"|\bimport\("([^"]+)"\)|^import\s+"([^"]+)"/gm,
  );
  return [...imports].map(([, from, dynamic, bare]) => ({
    file,
    target: resolve(file, (from ?? dynamic ?? bare) as string),
  }));
}

function resolve(file: string, specifier: string): string {
  if (!specifier.startsWith(".")) return specifier;
  return relative(root, join(root, dirname(file), specifier))
    .split(sep)
    .join("/");
}

function roomOf(path: string): string {
  const [, room = "", inner] = path.split("/");
  return inner === undefined ? "" : room;
}

function packageOf(specifier: string): string {
  const [scope = "", name = ""] = specifier.split("/");
  return scope.startsWith("@") ? `${scope}/${name}` : scope;
}

const imports = importsBelow("src");

t.test("every room of src has an entry in src/README.md, and a README of at most 80 lines", (t) => {
  const found = readdirSync(join(root, "src"), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== "decisions")
    .map(({ name }) => name)
    .filter((name) => readdirSync(join(root, "src", name)).length > 0);
  t.same(
    Object.keys(rooms).sort(),
    found.sort(),
    "an entry is `- [room](room/README.md): … Imports: a, b. Packages: `c`.`",
  );
  t.ok(imports.length > 100, "the imports were found at all");
  for (const room of found) {
    const lines = readFileSync(join(root, "src", room, "README.md"), "utf8")
      .trimEnd()
      .split("\n");
    t.ok(lines.length <= 80, `${room} has ${lines.length} lines`);
  }
  t.ok(readFileSync(join(root, "src/README.md"), "utf8").split("\n").length <= 201);
  t.end();
});

t.test("rooms import only the rooms they may", (t) => {
  const broken = imports.filter(({ file, target }) => {
    if (!target.startsWith("src/")) return false;
    const from = roomOf(file);
    // main.ts, start.ts, config.ts and compile-cache.ts stand above all rooms.
    if (from === "") return false;
    const to = roomOf(target);
    const mayImport = rooms[from]?.rooms ?? [];
    return to !== from && (to !== "domain" || from === "client") && !mayImport.includes(to);
  });
  t.same(broken, []);
  t.end();
});

t.test(
  "main.ts imports compile-cache.ts and start.ts, and start.ts config.ts; no one else imports one of them",
  (t) => {
    const importers: Readonly<Record<string, string | undefined>> = {
      "src/main.ts": undefined,
      "src/start.ts": "src/main.ts",
      "src/compile-cache.ts": "src/main.ts",
      "src/config.ts": "src/start.ts",
    };
    const broken = imports.filter(({ file, target }) => target in importers && file !== importers[target]);
    t.same(broken, []);
    t.end();
  },
);

t.test("the service imports no values of node:http, which would load a WebSocket client", (t) => {
  const files = new Set(imports.map(({ file }) => file).filter((file) => /^src\/(?:http|serve)\//.test(file)));
  const importsValues = (file: string): boolean =>
    /^import (?!type\b)[^;]*"node:http";/m.test(readFileSync(join(root, file), "utf8"));
  t.ok(files.has("src/service/http/connection/create-server.ts"));
  t.same([...files].filter(importsValues), []);
  t.end();
});

t.test(
  "no generator function is made for a request: V8 keeps a map of each that is called, and all it reaches",
  (t) => {
    const answering = new Set(["query", "store", "export", "charts", "pages", "explore", "http"]);
    const files = new Set(imports.map(({ file }) => file).filter((file) => answering.has(roomOf(file))));
    const nested = [...files].filter((file) =>
      /^[ \t]+(?:.*= )?(?:async )?function\*/m.test(readFileSync(join(root, file), "utf8")),
    );
    t.same(nested, []);
    t.end();
  },
);

t.test("no files import each other in a circle, not even for types", (t) => {
  const targets = Map.groupBy(
    imports.filter(({ target }) => target.startsWith("src/")),
    ({ file }) => file,
  );
  const left = new Set(imports.flatMap(({ file, target }) => [file, target]));
  // What imports nothing that is left is in no circle.
  let isSmaller = true;
  while (isSmaller) {
    const free = [...left].filter((file) => !(targets.get(file) ?? []).some(({ target }) => left.has(target)));
    for (const file of free) left.delete(file);
    isSmaller = free.length > 0;
  }
  t.same([...left].sort(), []);
  t.end();
});

t.test("packages stay in the rooms they are for", (t) => {
  const broken = imports.filter(({ file, target }) => {
    if (/^(?:src\/|node:|data\/(?:reference|county-shapes)\/)/.test(target)) return false;
    const name = packageOf(target);
    const homes = packageHomes[name];
    return !rooms[roomOf(file)]?.packages.includes(name) || (homes !== undefined && !homes.includes(file));
  });
  t.same(broken, []);
  t.end();
});

t.test("one resource folder of http never imports another", (t) => {
  const resourceOf = (path: string): string | undefined => /^src\/http\/resources\/([^/]+)\//.exec(path)?.[1];
  const broken = imports.filter(({ file, target }) => {
    const from = resourceOf(file);
    const to = resourceOf(target);
    return from !== undefined && to !== undefined && from !== to;
  });
  t.same(broken, []);
  t.end();
});

t.test("scripts, tests and src do not reach out of the project; src imports nothing else, scripts no tests", (t) => {
  const everything = ["src", "scripts", "test"].flatMap(importsBelow);
  t.same(
    everything.filter(({ target }) => target.startsWith("..")),
    [],
  );
  t.same(
    everything.filter(({ file, target }) => !file.startsWith("test/") && target.startsWith("test/")),
    [],
  );
  t.same(
    imports.filter(({ target }) => /^(bench|scripts)\//.test(target)),
    [],
  );
  t.end();
});

t.test("typebox is imported for its types only, because it is no dependency of the running service", (t) => {
  const files = imports.filter(({ target }) => target === "typebox").map(({ file }) => file);
  t.ok(files.length > 0);
  const loading = files.filter(
    (file) => !/^import type [^;]* from "typebox";$/m.test(readFileSync(join(root, file), "utf8")),
  );
  t.same(loading, []);
  t.end();
});

t.test("date-fns is imported function by function, because its root loads all of it", (t) => {
  t.same(
    ["src", "scripts", "test"].flatMap(importsBelow).filter(({ target }) => target === "date-fns"),
    [],
  );
  t.end();
});
