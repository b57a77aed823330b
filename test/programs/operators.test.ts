/**
 * The tasks of an operator, as scripts/deploy/README.md and BACKUP.md print them, in a temporary folder. Programs that
 * need root, systemd or a running service are replaced by ones that write their arguments to a file.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { appendFile, chmod, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import t, { type Test } from "tap";
import { runProcess } from "../cli/run-script.ts";
import { currentOf, daysLater, publishedData, publishTables } from "../support/published-data.ts";
import { priceRows } from "../support/snapshot-files.ts";
import { holdsWithin, startProcess } from "../support/start-process.ts";
import { projectFolder } from "../support/test-files.ts";

/** The blocks of commands of a section of a page, by its path from scripts/deploy. */
function blocksOf(page: string, heading: string): string[] {
  const text = readFileSync(join(projectFolder, "scripts/deploy", page), "utf8");
  const [, section = ""] = text.split(`\n## ${heading}\n`);
  return [...(section.split("\n## ")[0] ?? "").matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = ""]) => block);
}

/** `install` without its options `-o` and `-g`. */
const installAsSelf = `
before=
for word do
  shift
  case "$before" in -[og]) ;; *) case "$word" in -[og]) ;; *) set -- "$@" "$word" ;; esac ;; esac
  before=$word
done
exec /usr/bin/install "$@"`;

/** A machine: its folders, and how commands of the pages run on it. */
class Machine {
  readonly root: string;
  readonly data: string;
  readonly configuration: string;

  private constructor(root: string) {
    this.root = root;
    this.data = join(root, "lib/data");
    this.configuration = join(root, "etc/farm-prices.env");
  }

  /** With two published snapshots. Its paths have no space, as those that the pages name. */
  static async make(t: Test): Promise<{ machine: Machine; ids: readonly string[] }> {
    const machine = new Machine(await mkdtemp(join(tmpdir(), "operators-")));
    t.teardown(() => rm(machine.root, { recursive: true }));
    await symlink(projectFolder, join(machine.root, "project"));
    const { ids } = await publishedData(join(machine.root, "lib"), 2);
    await mkdir(join(machine.root, "etc"));
    await mkdir(join(machine.root, "bin"));
    await mkdir(join(machine.root, "systemd"));
    await mkdir(join(machine.root, "nginx"));
    await writeFile(join(machine.root, "lib/keys.json"), "{}");
    await writeFile(join(machine.data, "log.ndjson"), "");
    await machine.configure(`DATA_DIR=${machine.data}`);
    await machine.replaceProgram("systemctl", `echo "systemctl $*" >> "${machine.root}/calls"`);
    await machine.replaceProgram("nginx", `echo "nginx $*" >> "${machine.root}/calls"`);
    await machine.replaceProgram("chown", "");
    await machine.replaceProgram("curl", `echo "curl $*" >> "${machine.root}/calls"`);
    await machine.replaceProgram("runuser", 'shift 3; exec "$@"');
    // Without the owner, which this machine may not have.
    await machine.replaceProgram("install", installAsSelf);
    await machine.replaceProgram("npm", `ln -s "${projectFolder}/node_modules" node_modules`);
    return { machine, ids };
  }

  async replaceProgram(name: string, commands: string): Promise<void> {
    const path = join(this.root, "bin", name);
    await writeFile(path, `#!/bin/sh\n${commands}\n`);
    await chmod(path, 0o755);
  }

  configure(line: string): Promise<void> {
    return appendFile(this.configuration, `${line}\n`);
  }

  /**
   * Runs commands of a page.
   *
   * @param project Where the project is; a link to it when absent.
   * @throws {Error} with what they wrote, when one fails or writes to stderr.
   */
  async run(commands: string, project = join(this.root, "project")): Promise<string> {
    const folders: Readonly<Record<string, string>> = {
      "/var/lib/farm-prices": join(this.root, "lib"),
      "/var/backups": join(this.root, "backups"),
      "/etc/farm-prices": join(this.root, "etc"),
      "/etc/nginx/conf.d": join(this.root, "nginx"),
      "/srv/farm-prices": join(this.root, "origin"),
      "/etc/systemd/system": join(this.root, "systemd"),
      "/opt/farm-prices": project,
    };
    const names = new RegExp(Object.keys(folders).join("|"), "g");
    const here = commands.replaceAll(names, (name) => folders[name] as string);
    const { code, stdout, stderr } = await runProcess("bash", ["-euo", "pipefail", "-c", here], this.root, {
      PATH: `${join(this.root, "bin")}:${process.env["PATH"]}`,
      CONFIG: this.configuration,
    });
    if (code !== 0 || stderr !== "") throw new Error(`exit ${code}: ${stdout}\n${stderr}`);
    return stdout;
  }

  /** The programs that were called, in order, of those that are replaced. */
  async calls(): Promise<string[]> {
    return (await readFile(join(this.root, "calls"), "utf8")).trimEnd().split("\n");
  }
}

t.test("a backup and its restore to the end, without a line that alarms", async (t) => {
  const { machine, ids } = await Machine.make(t);
  const [backup = ""] = blocksOf("BACKUP.md", "Backup");
  t.equal(await machine.run(backup), "", "the first backup, without drafts, pin, log and announcement");

  const lost = await publishTables(join(machine.root, "lib"), { prices: priceRows(25) }, daysLater(5));
  t.equal(await currentOf(machine.data), lost);
  const [putBack = "", exchange = "", start = "", announce = "", jobs = "", remove = "", ...others] = blocksOf(
    "BACKUP.md",
    "Restore",
  );
  t.strictSame(others, []);
  await writeFile(join(machine.root, "publisher.pem"), "the key");
  t.equal(await machine.run(putBack), "");
  t.match(await machine.run(exchange), /20\d+T\d+Z-/, "verify says what it has read");
  t.equal(await currentOf(machine.data), ids[1]);
  t.equal(existsSync(join(machine.root, "lib/data-before/snapshots", lost)), true);
  await machine.run(start);
  await machine.run(announce);
  const { sequence } = JSON.parse(await readFile(join(machine.data, "announcement.json"), "utf8"));
  t.ok(sequence > 120, `announcement ${sequence}`);
  await machine.run(jobs);
  await machine.run(remove);
  t.strictSame((await readdir(join(machine.root, "lib"))).sort(), ["candidate", "data", "keys.json", "publisher.pem"]);
  t.strictSame(
    (await machine.calls()).map((call) => call.split(" ").slice(0, 2).join(" ")),
    ["systemctl stop", "systemctl start", "curl http://127.0.0.1:13000/ready", "systemctl start"],
  );
});

t.test("the publisher's key is changed, and a replica is told the new one", async (t) => {
  const { machine } = await Machine.make(t);
  const asService = (command: string): Promise<string> =>
    machine.run(`/opt/farm-prices/scripts/deploy/run-as-service.sh scripts/snapshot.ts ${command}`);
  await machine.configure(`SNAPSHOT_KEY_FILE=${machine.root}/lib/publisher.pem`);
  const publicKeyIn = (text: string): string => /^ORIGIN_PUBLIC_KEY=(\S+)$/m.exec(text)?.[1] ?? "";
  const before = publicKeyIn(await asService("publisher-key"));
  await asService("announce");

  const [publisher = "", replica = "", ...others] = blocksOf("README.md", "Change the publisher's key");
  t.strictSame(others, []);
  const now = publicKeyIn(await machine.run(publisher));
  t.match(now, /\S{40,}/);
  t.not(now, before);
  await writeFile(machine.configuration, `DATA_DIR=${machine.data}\nORIGIN_PUBLIC_KEY=${before}\n`);
  t.match(await asService("verify").catch(String), /signature/, "the old key does not verify the announcement");
  await machine.run(replica.replace("=…|", `=${now}|`));
  t.match(await readFile(machine.configuration, "utf8"), `ORIGIN_PUBLIC_KEY=${now}\n`);
  t.match(await asService("verify"), /20\d+T\d+Z-/, "the new one does");
});

t.test("a publisher becomes an origin, and each later command pushes to it", async (t) => {
  const { machine, ids } = await Machine.make(t);
  const [settings = "", key = "", origin = ""] = blocksOf("../scale-out/README.md", "Replicas");
  await machine.run(`printf '%s' '${settings}' >>/etc/farm-prices/farm-prices.env`);
  const publicKey = /^ORIGIN_PUBLIC_KEY=(\S+)$/m.exec(await machine.run(`cd /opt/farm-prices\n${key}`))?.[1];
  const announced = () => readFile(join(machine.root, "origin/announcement.json"), "utf8").then(JSON.parse);
  t.match(await announced(), { snapshot: ids[1], signature: /\S{40,}/ });
  await machine.run(`cd /opt/farm-prices\n${origin}`);
  const site = await readFile(join(machine.root, "nginx/farm-prices.origin.conf"), "utf8");
  t.match(site, /^ {2}allow ::1; allow 10\.0\.0\.11;$/m);
  const certificate = /^ {2}ssl_certificate (\S+);$/m
    .exec(site)?.[1]
    ?.replace("/etc/farm-prices", join(machine.root, "etc"));
  t.ok(existsSync(String(certificate)), "the site names the certificate that was made");
  t.match(site, /^ {2}root \/srv\/farm-prices;$/m, "and the folder that is pushed to");

  const [change = ""] = blocksOf("README.md", "Change the publisher's key");
  const before = await announced();
  t.not(/^ORIGIN_PUBLIC_KEY=(\S+)$/m.exec(await machine.run(change))?.[1], publicKey);
  t.ok((await announced()).sequence > before.sequence);
  t.not((await announced()).signature, before.signature);
});

const lacksGit = spawnSync("git", ["-C", projectFolder, "rev-parse", "HEAD"]).status !== 0 && "there is no clone";

t.test("an update exchanges the clone, after the new one has read the data", { skip: lacksGit }, async (t) => {
  const { machine, ids } = await Machine.make(t);
  const project = join(machine.root, "opt/farm-prices");
  const clone = ["clone", "--quiet", "--shared", projectFolder, project];
  t.equal(spawnSync("git", clone).status, 0);
  await symlink(join(projectFolder, "node_modules"), join(project, "node_modules"));
  // The version before has another layout, and serves while the new one is made ready.
  const layout = join(project, "src/engine/compiled/layout-version.ts");
  const text = await readFile(layout, "utf8");
  await writeFile(layout, text.replace(/layoutVersion = \d+/, "layoutVersion = 1"));
  await rm(join(machine.data, "compiled"), { recursive: true });
  await rm(join(machine.root, "lib/keys.json"));
  const start = (folder: string) =>
    startProcess(
      t,
      machine.root,
      { DATA_DIR: machine.data, KEYS_FILE: join(machine.root, "lib/keys.json") },
      { program: join(folder, "src/main.ts") },
    );
  await machine.configure(`KEYS_FILE=${machine.root}/lib/keys.json`);
  const before = await start(project);
  const compiled = join(machine.data, "compiled", `${ids[1]}.store`);
  t.ok(await holdsWithin(5000, () => existsSync(compiled)), "the version before has compiled it");
  const [update = "", ...others] = blocksOf("README.md", "Update");
  t.strictSame(others, []);
  const quiet = update.replace("git clone ", "git clone --quiet ");
  const stdout = await machine.run(quiet, project);
  t.match(stdout, `${ids[1]} is as it was published, its compiled store is of another version; checked`);
  t.match(stdout, /^note: .*\.store: found layout version 1, expected version \d+; the next start/m);
  t.ok(existsSync(`${project}-before/package.json`));
  t.ok(existsSync(`${project}/node_modules`), "the new clone is in place");
  t.notOk(existsSync(`${project}-next`));

  // What systemctl starts; the version before still answers beside it, with a key that the new one issues.
  const after = await start(project);
  t.ok(await holdsWithin(5000, async () => (await readFile(compiled)).readUInt32LE(8) !== 1), "compiled again");
  const issue = "scripts/deploy/run-as-service.sh scripts/keys.ts issue --kind public --label board";
  const [key = ""] = /svc_pub_\w+/.exec(await machine.run(`cd /opt/farm-prices\n${issue}`, project)) ?? [];
  for (const { baseUrl } of [before, after]) {
    const ask = async () => (await fetch(`${baseUrl}/api/v1/products`, { headers: { "x-api-key": key } })).status;
    t.ok(await holdsWithin(2000, async () => (await ask()) === 200), baseUrl);
  }
  const verify = "scripts/deploy/run-as-service.sh scripts/snapshot.ts verify";
  t.match(await machine.run(`cd /opt/farm-prices\n${verify}`, project), "its compiled store equals its records");
  t.match(
    await machine.run(`cd /opt/farm-prices-before\n${verify}`, project),
    "its compiled store is of another version",
    "and the version before, where it is exchanged back",
  );
});
