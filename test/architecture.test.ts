import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import t from "tap";

const root = join(import.meta.dirname, "..");

/** The wings of `src/`, with those that each may import; `client` is a package of its own. */
const wings: Readonly<Record<string, readonly string[]>> = {
  engine: [],
  contract: ["engine"],
  service: ["engine", "contract"],
  publishing: ["engine", "contract"],
  site: ["engine", "contract"],
  client: [],
};

/** Wings that have rooms. */
const wingsOfRooms = ["engine", "service", "publishing", "site"] as const;

/** Which rooms of its wing and which packages a room may import, as its entry in the README of the wing says. */
interface RoomRules {
  readonly rooms: readonly string[];
  readonly packages: readonly string[];
}

/** By `wing/room`. */
const rooms: Readonly<Record<string, RoomRules>> = Object.assign({}, ...wingsOfRooms.map(readRooms));

/** Entries like `- [store](store/README.md): …` that end with `Imports: threads. Packages: –.` */
function readRooms(wing: string): Readonly<Record<string, RoomRules>> {
  const [, section = ""] = readFileSync(join(root, "src", wing, "README.md"), "utf8").split("\n## Rooms\n");
  const entries = `${section}\n`.matchAll(
    /^- \[(\w+)\]\([^)]*\): .*?\bImports: ([^.]*)\. Packages: (.*?)\.\n(?=- |\n)/gms,
  );
  return Object.fromEntries(
    [...entries].map(([, room = "", imported = "", packages = ""]) => [
      `${wing}/${room}`,
      { rooms: namesIn(imported, /\w+/g), packages: namesIn(packages, /(?<=`)[^`,\s]+(?=`)/g) },
    ]),
  );
}

/** The packages that files outside of rooms may import, by their folder. */
const packagesOutsideRooms: Readonly<Record<string, readonly string[]>> = {
  contract: ["leven"],
  cli: ["commander", "cli-progress"],
  "": ["leven", "pino", "@resvg/resvg-wasm"],
};

function namesIn(text: string, name: RegExp): readonly string[] {
  return [...text.matchAll(name)].map(([found]) => found);
}

/** Files that alone may use a package of their room. */
const packageHomes: Readonly<Record<string, readonly string[]>> = {
  ajv: ["src/engine/model/check-value.ts"],
  hyparquet: ["src/engine/export/table-parquet.ts"],
  "hyparquet-writer": ["src/engine/export/table-parquet.ts"],
  "date-fns": ["src/publishing/importers/sheet/date-cell.ts"],
  "@date-fns/utc": ["src/publishing/importers/sheet/date-cell.ts"],
  hucre: ["src/publishing/importers/sheet/check-workbook.ts", "src/publishing/importers/sheet/read-workbook.ts"],
  leven: [
    "src/check-environment.ts",
    "src/contract/field-problem.ts",
    "src/service/http/router.ts",
    "src/publishing/importers/sheet/name-index.ts",
    "src/engine/query/suggest-products.ts",
  ],
  "@resvg/resvg-wasm": ["src/draw-png.ts"],
  marked: ["src/site/docs/markdown.ts"],
  minisearch: ["src/site/docs/search-index.ts"],
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

/** The wing of a file; empty for the files at the top and the commands, where wings meet. */
function wingOf(path: string): string {
  const [, wing = ""] = path.split("/");
  return wing in wings ? wing : "";
}

/** `wing/room` of a file; empty outside of rooms. */
function roomOf(path: string): string {
  const [, wing = "", room = "", inner] = path.split("/");
  return inner !== undefined && wingsOfRooms.some((one) => one === wing) ? `${wing}/${room}` : "";
}

function packageOf(specifier: string): string {
  const [scope = "", name = ""] = specifier.split("/");
  return scope.startsWith("@") ? `${scope}/${name}` : scope;
}

const imports = importsBelow("src");

t.test("src has the wings and the top alone; every room has an entry, and a README of at most 80 lines", async (t) => {
  const foldersOf = (path: string): string[] =>
    readdirSync(join(root, path), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name)
      // Git leaves the folders of files that have moved.
      .filter((name) => readdirSync(join(root, path, name)).length > 0);
  t.same(foldersOf("src").sort(), [...Object.keys(wings), "cli", "decisions"].sort());
  t.ok(imports.length > 100, "the imports were found at all");
  const found = wingsOfRooms.flatMap((wing) => foldersOf(`src/${wing}`).map((room) => `${wing}/${room}`));
  t.same(
    Object.keys(rooms).sort(),
    found.sort(),
    "an entry is `- [room](room/README.md): … Imports: a, b. Packages: `c`.`",
  );
  for (const room of found) {
    const lines = readFileSync(join(root, "src", room, "README.md"), "utf8")
      .trimEnd()
      .split("\n");
    t.ok(lines.length <= 80, `${room} has ${lines.length} lines`);
  }
  t.ok(readFileSync(join(root, "src/README.md"), "utf8").trimEnd().split("\n").length <= 150);
});

t.test("wings import only the wings they may", async (t) => {
  const crossing = imports.filter(({ file, target }) => {
    const [from, to] = [wingOf(file), wingOf(target)];
    if (from === "" || !target.startsWith("src/")) return false;
    return to !== from && !wings[from]?.includes(to);
  });
  t.comment(`imports between wings against their order: ${crossing.length}`);
  t.same(crossing, []);
});

t.test("rooms import only the rooms of their wing that they may", async (t) => {
  const broken = imports.filter(({ file, target }) => {
    const [from, to] = [roomOf(file), roomOf(target)];
    if (from === "" || to === from || wingOf(file) !== wingOf(target)) return false;
    const [, name = ""] = to.split("/");
    return to !== "engine/model" && !rooms[from]?.rooms.includes(name);
  });
  t.same(broken, []);
});

t.test("no two files of src share a name, so that a name says what is in a file", async (t) => {
  const names = readdirSync(join(root, "src"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/node_modules|[/\\]dist/.test(entry.parentPath))
    .map(({ name }) => name)
    .filter((name) => !/^(?:README\.md|index\.ts|package\.json|LICENSE)$/.test(name));
  const repeated = [...Map.groupBy(names, (name) => name)].filter(([, group]) => group.length > 1);
  t.same(
    repeated.map(([name]) => name),
    [],
  );
});

t.test("main.ts imports compile-cache.ts and start.ts, that config.ts, and no one else does", async (t) => {
  const importers: Readonly<Record<string, string | undefined>> = {
    "src/main.ts": undefined,
    "src/start.ts": "src/main.ts",
    "src/compile-cache.ts": "src/main.ts",
    "src/config.ts": "src/start.ts",
  };
  const broken = imports.filter(({ file, target }) => target in importers && file !== importers[target]);
  t.same(broken, []);
});

t.test("the service imports no values of node:http, which would load a WebSocket client", async (t) => {
  const files = new Set(imports.map(({ file }) => file).filter((file) => /^src\/service\//.test(file)));
  const importsValues = (file: string): boolean =>
    /^import (?!type\b)[^;]*"node:http";/m.test(readFileSync(join(root, file), "utf8"));
  t.ok(files.has("src/service/http/connection/create-server.ts"));
  t.same([...files].filter(importsValues), []);
});

t.test("no generator function is made for a request: V8 keeps a map of each that is called", async (t) => {
  const answering = /^(?:engine\/(?:query|store|export)|site\/(?:charts|pages|explore)|service\/http)$/;
  const files = new Set(imports.map(({ file }) => file).filter((file) => answering.test(roomOf(file))));
  const nested = [...files].filter((file) =>
    /^[ \t]+(?:.*= )?(?:async )?function\*/m.test(readFileSync(join(root, file), "utf8")),
  );
  t.same(nested, []);
});

t.test("the supervisor loads neither Koa nor handlers nor the site: each thread has a heap of its own", async (t) => {
  const loaded = new Set<string>();
  const load = (file: string): void => {
    if (loaded.has(file)) return;
    loaded.add(file);
    if (file.startsWith("src/")) for (const target of loadedBy(file)) load(target);
  };
  load("src/start.ts");
  t.ok(loaded.has("src/service/serve/start-service.ts"));
  t.same(
    [...loaded].filter((file) =>
      /^(?:koa|@koa\/router|src\/site\/.*|src\/service\/http\/(?:app|resources\/.*))$/.test(file),
    ),
    [],
  );
});

/** What is loaded with a file: its imports of values that it does not import only when it needs them. */
function loadedBy(file: string): string[] {
  const text = readFileSync(join(root, file), "utf8");
  const imported = text.matchAll(
    /^(?:import|export)\s+(?!type\b)(\{[^}]*\}|[^;{]*)\s*from\s+"([^"]+)"|^import\s+"([^"]+)"/gm,
  );
  return [...imported]
    .filter(([, names = ""]) => !/^\{(?:\s*type\s[^,}]*,?)+\s*\}$/.test(names))
    .map(([, , from, bare]) => resolve(file, (from ?? bare) as string));
}

t.test("no files import each other in a circle, not even for types", async (t) => {
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
});

t.test("packages stay in the rooms they are for", async (t) => {
  const broken = imports.filter(({ file, target }) => {
    if (/^(?:src\/|node:|data\/(?:reference|county-shapes)\/)/.test(target)) return false;
    const name = packageOf(target);
    const homes = packageHomes[name];
    const [, folder = "", inner] = file.split("/");
    const allowed = rooms[roomOf(file)]?.packages ?? packagesOutsideRooms[inner === undefined ? "" : folder];
    return !allowed?.includes(name) || (homes !== undefined && !homes.includes(file));
  });
  t.same(broken, []);
});

/** From the ground up; a folder of http imports those before it. */
const foldersOfHttp = ["request", "connection", "admission", "answer", "resources", ""];

t.test("no import of http runs upward: a folder never imports one behind it, not even for types", async (t) => {
  const levelOf = (path: string): number | undefined => {
    const [, inner] = /^src\/service\/http\/(.*)$/.exec(path) ?? [];
    return inner === undefined
      ? undefined
      : foldersOfHttp.indexOf(inner.includes("/") ? (inner.split("/")[0] ?? "") : "");
  };
  const levels = imports.map(({ file, target }) => ({ file, target, from: levelOf(file), to: levelOf(target) }));
  t.same(
    levels.filter(({ from, to }) => from !== undefined && to !== undefined && to > from),
    [],
  );
  t.ok(
    levels.some(({ from, to }) => from === 3 && to === 0),
    "answer imports request",
  );
  t.notOk(
    levels.some(({ from, to }) => from === -1 || to === -1),
    "every folder has a level",
  );
});

t.test("one resource folder of http never imports another", async (t) => {
  const resourceOf = (path: string): string | undefined => /^src\/service\/http\/resources\/([^/]+)\//.exec(path)?.[1];
  const broken = imports.filter(({ file, target }) => {
    const from = resourceOf(file);
    const to = resourceOf(target);
    return from !== undefined && to !== undefined && from !== to;
  });
  t.same(broken, []);
});

t.test("scripts, tests and src stay within the project; src imports nothing else, scripts no tests", async (t) => {
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
});

t.test("date-fns is imported function by function, because its root loads all of it", async (t) => {
  t.same(
    ["src", "scripts", "test"].flatMap(importsBelow).filter(({ target }) => target === "date-fns"),
    [],
  );
});
