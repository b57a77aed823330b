/**
 * A disk that fails: the functions of `node:fs/promises`, through which all writing of a dataset directory goes, are
 * replaced by ones that count the calls that change a folder or something below it, and fail at one of them.
 *
 * Loaded before a program (`--import`), it takes the fault from `FAULT_DISK` and ends the process with it.
 */
import fs, { type FileHandle } from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { resolve, sep } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

/**
 * `EIO`: one call fails. `EROFS`: from then on the disk is read-only. `ENOSPC`: from then on it has no room, after half
 * of a text. `kill`: the process ends. `hang`: the call waits, for ever.
 */
export type DiskFaultKind = "EIO" | "EROFS" | "ENOSPC" | "kill" | "hang";

export interface DiskFault {
  readonly folder: string;
  readonly kind: DiskFaultKind;
  /** The number of the call that fails first, from 1; none does when absent. */
  readonly at?: number;
  /** Told the calls so far before the last of them fails or is made. */
  readonly onCall?: (calls: readonly DiskCall[]) => void;
}

/** A call that would change the disk. */
export interface DiskCall {
  readonly name: string;
  readonly path: string;
}

type AnyFunction = (this: unknown, ...args: unknown[]) => Promise<unknown>;

const texts = { EIO: "i/o error", EROFS: "read-only file system", ENOSPC: "no space left on device" };
const changing = ["mkdir", "mkdtemp", "rename", "rm", "rmdir", "unlink", "link", "copyFile", "chmod"] as const;
const changingHandle = ["write", "writeFile", "appendFile", "sync", "chmod", "truncate"] as const;
const twoPaths: ReadonlySet<string> = new Set(["rename", "link", "copyFile"]);
/** What needs room. */
const growing: ReadonlySet<string> = new Set([
  "mkdir",
  "mkdtemp",
  "link",
  "copyFile",
  "open",
  "write",
  "writeFile",
  "appendFile",
]);

let fault: DiskFault | undefined;
let calls: DiskCall[] = [];
const paths = new WeakMap<object, string>();

/** Lets the calls that follow fail, until the result is called: it returns all calls. */
export function failDisk(next: DiskFault): () => readonly DiskCall[] {
  fault = next;
  calls = [];
  return () => {
    fault = undefined;
    return calls;
  };
}

/** Counts a call. @returns The code that it fails with. */
function faultOf(name: string, named: string): string | undefined {
  const path = resolve(named);
  if (fault === undefined || !`${path}${sep}`.startsWith(fault.folder + sep)) return undefined;
  const { kind, at = Number.POSITIVE_INFINITY, onCall } = fault;
  calls.push({ name, path });
  onCall?.(calls);
  if (calls.length < at) return undefined;
  if (kind === "kill") process.kill(process.pid, "SIGKILL");
  if (kind === "EROFS") return kind;
  if (kind === "EIO" || kind === "hang") return calls.length === at ? kind : undefined;
  return growing.has(name) ? kind : undefined;
}

/**
 * Waits longer than any test. The timer keeps the process alive and holds what waits: a promise that nothing can
 * settle is collected with all that waits for it, also the lock of a dataset directory.
 */
async function forever(): Promise<never> {
  return await delay<never>(2 ** 31 - 1);
}

/** @param named The paths of the call; none for one on an open file. */
function diskError(code: string, syscall: string, ...named: readonly string[]): Error {
  const [path, dest] = named;
  const shown = named.length === 0 ? "" : ` ${named.map((one) => `'${one}'`).join(" -> ")}`;
  const message = `${code}: ${texts[code as keyof typeof texts]}, ${syscall}${shown}`;
  return Object.assign(new Error(message), { code, syscall, ...(path && { path }), ...(dest && { dest }) });
}

const functions = fs as unknown as Record<string, AnyFunction>;
for (const name of changing) {
  const own = functions[name] as AnyFunction;
  functions[name] = async (...args) => {
    const named = args.slice(0, twoPaths.has(name) ? 2 : 1).map(String);
    // What changes is where the call leads to.
    const code = faultOf(name, (name === "rename" ? named[0] : named.at(-1)) ?? "");
    if (code === "hang") return await forever();
    if (code !== undefined) throw diskError(code, name, ...named);
    return await own(...args);
  };
}
const { open } = fs;
functions["open"] = async (...args) => {
  const [path, flags = "r"] = args;
  const code =
    flags === "r" || flags === 0 || (typeof flags === "number" && (flags & 3) === 0)
      ? undefined
      : faultOf("open", String(path));
  if (code === "hang") return await forever();
  if (code !== undefined) throw diskError(code, "open", String(path));
  const handle = await open(...(args as Parameters<typeof open>));
  paths.set(handle, resolve(String(path)));
  return handle;
};
const probe = await open(import.meta.filename);
const handles = Object.getPrototypeOf(probe) as Record<string, AnyFunction>;
await probe.close();
for (const name of changingHandle) {
  const own = handles[name] as AnyFunction;
  handles[name] = async function (this: unknown, ...args) {
    const code = faultOf(name, paths.get(this as FileHandle) ?? "");
    // Nothing is flushed: no power is cut, and it would take most of the time.
    if (code === undefined) return name === "sync" ? undefined : await own.apply(this, args);
    if (code === "hang") return await forever();
    const [text] = args;
    // An append is in the file for half of it, as where the disk became full in its middle.
    if (code === "ENOSPC" && name === "appendFile" && typeof text === "string") {
      await own.call(this, text.slice(0, text.length >> 1));
    }
    throw diskError(code, name === "sync" ? "fsync" : "write");
  };
}
syncBuiltinESMExports();

const wanted = process.env["FAULT_DISK"];
if (wanted !== undefined) failDisk(JSON.parse(wanted) as DiskFault);
