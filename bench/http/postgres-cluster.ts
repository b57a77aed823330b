/**
 * A PostgreSQL server of its own for the time of a run: made in a temporary folder, reached by a socket there, removed
 * at the end.
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { accessSync, chownSync, constants, existsSync, readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { PostgresServer } from "../contenders/postgres.ts";

export interface PostgresCluster extends PostgresServer {
  /** Processor time so far of all its processes, in microseconds. */
  processorMicroseconds(): number;
  stop(): Promise<void>;
}

/** Debian keeps the server's programs out of the path, by version. */
const debianFolder = "/usr/lib/postgresql";

/** The user that Debian's package makes. PostgreSQL refuses to run as root. */
const unprivilegedUser = "postgres";

/**
 * Settings for a machine that holds all prices in memory and can lose them: a large cache, no flushing, no compiling of
 * statements that take milliseconds, only the socket.
 */
const settings = {
  listen_addresses: "",
  shared_buffers: "1GB",
  work_mem: "64MB",
  maintenance_work_mem: "256MB",
  fsync: "off",
  synchronous_commit: "off",
  full_page_writes: "off",
  jit: "off",
  random_page_cost: "1.1",
};

const startMillisecondsMax = 30_000;
const startPollMilliseconds = 50;

/** Why no server can be started here, for people; null when one can. */
export function whyNoPostgres(): string | null {
  if (!existsSync("/proc/self/stat")) return "its processor time is read from /proc, which is not here";
  if (findPrograms(process.env["PATH"] ?? "", debianFolder) === undefined) {
    return (
      `initdb and postgres are neither in the path nor below ${debianFolder}; on Debian, apt-get install ` +
      "postgresql"
    );
  }
  return serverUser() === undefined ? `it does not run as root, and there is no user ${unprivilegedUser}` : null;
}

/**
 * Makes and starts a server without data.
 *
 * @throws {Error} when `whyNoPostgres` has a reason, or the server does not start.
 */
export async function startPostgresCluster(): Promise<PostgresCluster> {
  const programs = findPrograms(process.env["PATH"] ?? "", debianFolder);
  const user = serverUser();
  if (programs === undefined || user === undefined) throw new Error(`there is no PostgreSQL: ${whyNoPostgres()}`);
  const folder = await mkdtemp(join(tmpdir(), "price-postgres-"));
  if (user.ids !== undefined) chownSync(folder, user.ids.uid, user.ids.gid);
  const data = join(folder, "data");
  let server: ChildProcess | undefined;
  const stop = async (): Promise<void> => {
    if (server !== undefined && server.exitCode === null && server.signalCode === null) {
      const ended = once(server, "exit");
      // Ends without waiting for clients.
      server.kill("SIGQUIT");
      await ended;
    }
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const initialise = ["-D", data, "-U", user.name, "--auth=trust", "--encoding=UTF8", "--no-locale", "--no-sync"];
    execFileSync(join(programs, "initdb"), initialise, {
      ...user.ids,
      cwd: folder,
      stdio: ["ignore", "ignore", "pipe"],
    });
    const named = Object.entries({ ...settings, unix_socket_directories: folder });
    const options = named.flatMap(([name, value]) => ["-c", `${name}=${value}`]);
    server = spawn(join(programs, "postgres"), ["-D", data, ...options], { ...user.ids, cwd: folder, stdio: "ignore" });
    await untilReady(server, data);
    const { pid } = server;
    return { socketFolder: folder, user: user.name, processorMicroseconds: () => processorTime(Number(pid)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * The folder with the programs of the server: the first in a path that has both, or the newest version of Debian.
 *
 * @param path As in PATH.
 * @param versions The folder in which Debian has one for each version.
 */
export function findPrograms(path: string, versions: string): string | undefined {
  const numbers = existsSync(versions) ? readdirSync(versions).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [...path.split(delimiter), ...numbers.map((number) => join(versions, number, "bin"))];
  return folders.find((folder) => ["initdb", "postgres"].every((name) => isProgram(join(folder, name))));
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

interface ServerUser {
  readonly name: string;
  /** When another user than the one who runs this. */
  readonly ids?: { readonly uid: number; readonly gid: number };
}

/** Who runs the server: who runs this, or in place of root the unprivileged user; undefined when there is none. */
function serverUser(): ServerUser | undefined {
  const name = unprivilegedUser;
  if (process.getuid?.() !== 0) return { name };
  const lines = readFileSync("/etc/passwd", "utf8").split("\n");
  const [, , uid, gid] = lines.find((line) => line.startsWith(`${name}:`))?.split(":") ?? [];
  return uid === undefined ? undefined : { name, ids: { uid: Number(uid), gid: Number(gid) } };
}

/** The server writes `ready` into its pid file when it takes connections. */
async function untilReady(server: ChildProcess, data: string): Promise<void> {
  const end = performance.now() + startMillisecondsMax;
  const pidFile = join(data, "postmaster.pid");
  while (!(existsSync(pidFile) && /^ready\s*$/m.test(readFileSync(pidFile, "utf8")))) {
    if (server.exitCode !== null || performance.now() > end) {
      throw new Error(`PostgreSQL did not start (exit code ${server.exitCode})`);
    }
    await delay(startPollMilliseconds);
  }
}

/** Microseconds in a tick of /proc, which counts 100 a second on every Linux. */
const tickMicroseconds = 10_000;

/** The time of the postmaster, of its processes, and of those that have ended. */
function processorTime(postmaster: number): number {
  const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, "utf8").trim().split(" ");
  const [own, ofEnded] = ticksOf(postmaster);
  const ofChildren = children.reduce((sum, pid) => sum + (pid === "" ? 0 : ticksOf(Number(pid))[0]), 0);
  return (own + ofEnded + ofChildren) * tickMicroseconds;
}

/**
 * @returns User and system time of a process, and those of its children that have ended, in ticks; none when it has
 *   ended.
 */
function ticksOf(pid: number): [number, number] {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, "utf8");
  } catch {
    return [0, 0];
  }
  // Behind the name, which may hold spaces: state is field 3, utime 14, stime 15, cutime 16, cstime 17.
  const fields = text
    .slice(text.lastIndexOf(")") + 2)
    .split(" ")
    .map(Number);
  const at = (field: number): number => fields[field - 3] ?? 0;
  return [at(14) + at(15), at(16) + at(17)];
}
