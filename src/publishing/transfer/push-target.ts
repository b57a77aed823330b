/** The targets of a push: a folder that something else serves, or a bucket that speaks S3. */
import { openAsBlob } from "node:fs";
import { chmod, copyFile, readFile, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { hashFile } from "../../engine/files/hash-file.ts";
import { namesIn } from "../../engine/files/list-folder.ts";
import { makeFolders } from "../../engine/files/make-folders.ts";
import { orMissing } from "../../engine/files/read-regular-file.ts";
import { withFile } from "../../engine/files/with-file.ts";
import { flushDirectory, temporaryPath, writeFileDurably } from "../../engine/files/write-file-durably.ts";
import { type Bucket, causeOf, type RemoteFolder } from "./origin.ts";
import { smallObjectPace } from "./pace.ts";
import { TransferError } from "./transfer-error.ts";

/** A local file to push. */
export interface PushedFile {
  readonly path: string;
  readonly bytes: number;
  /** Hash of the content: a compressed copy has that of its original. */
  readonly sha256: string;
  /** True if it is the content itself, so that its hash can be looked at. */
  readonly isPlain: boolean;
}

/** A small object as it was read. */
export interface ReadText {
  readonly text: string;
  /** Null where there is nothing to compare with. */
  readonly version: string | null;
}

export interface PushTarget {
  readonly name: string;
  /** Returns whether an object is there with this size and content. */
  readonly has: (path: string, file: PushedFile) => Promise<boolean>;
  /** Writes an object, whole or not at all. */
  readonly put: (path: string, file: PushedFile) => Promise<void>;
  readonly readText: (path: string) => Promise<ReadText | undefined>;
  /**
   * Writes a small object.
   *
   * @param before The object that is replaced; undefined where nothing may be there; null where that does not matter.
   * @returns False where something else is there, as far as the store can tell.
   */
  readonly putText: (path: string, text: string, before: ReadText | undefined | null) => Promise<boolean>;
  /** The names of the folders in `snapshots`. */
  readonly listSnapshots: () => Promise<string[]>;
  /** Removes a folder in `snapshots`, its manifest first. */
  readonly removeSnapshot: (name: string) => Promise<void>;
}

const fileMode = 0o644;
const folderMode = 0o755;

/**
 * A folder, which a web server reads as another user. So what is pushed lets everyone read who may enter the folder,
 * whatever the permissions of its original and the umask of the process, which the scheduled jobs have strict.
 */
export function folderTarget(folder: string): PushTarget {
  const at = (path: string): string => join(folder, path);
  const makeParents = async (path: string): Promise<void> => {
    await makeFolders(folder);
    await makeFolders(dirname(at(path)), (made) => addPermissions(made, folderMode));
  };
  return {
    name: folder,
    async has(path, { bytes, sha256, isPlain }) {
      const stats = await stat(at(path)).catch(() => undefined);
      return stats !== undefined && (!isPlain || (stats.size === bytes && (await hashFile(at(path))) === sha256));
    },
    async put(path, file) {
      await makeParents(path);
      const temporary = `${at(path)}.partial`;
      // A killed push leaves it, and as read-only as its original.
      await rm(temporary, { force: true });
      await copyFile(file.path, temporary);
      await addPermissions(temporary, fileMode);
      await flushFile(temporary);
      await rename(temporary, at(path));
      await flushDirectory(dirname(at(path)));
    },
    async readText(path) {
      const text = await orMissing(readFile(at(path), "utf8"));
      return text === undefined ? undefined : { text, version: null };
    },
    async putText(path, text, before) {
      const found = before === null ? null : (await this.readText(path))?.text;
      if (before !== null && found !== before?.text) return false;
      await makeParents(path);
      const beforeRename = (): Promise<void> => addPermissions(temporaryPath(at(path)), fileMode);
      await writeFileDurably(at(path), text, fileMode, { beforeRename });
      return true;
    },
    listSnapshots: async () => await namesIn(at("snapshots")),
    async removeSnapshot(snapshot) {
      await rm(at(`snapshots/${snapshot}/manifest.json`), { force: true });
      await rm(at(`snapshots/${snapshot}`), { recursive: true, force: true });
    },
  };
}

/** Adds permissions that are missing. A file system without permissions shows all, and refuses to change them. */
async function addPermissions(path: string, wanted: number): Promise<void> {
  const { mode } = await stat(path);
  if ((mode & wanted) !== wanted) await chmod(path, (mode & 0o777) | wanted);
}

/** The announcement that names it must not reach the disk before it. */
async function flushFile(path: string): Promise<void> {
  await withFile(path, "r", (file) => file.sync());
}

/** The answer of a store, with all of its body. */
type StoreAnswer = Pick<Response, "ok" | "status" | "headers"> & { readonly text: string };

/** The header that keeps the hash of a file beside it. */
const hashHeader = "x-amz-meta-sha256";

/**
 * A bucket, or a part of one.
 *
 * @param name Its name in messages.
 */
export function bucketTarget({ url, send }: RemoteFolder, bucket: Bucket, name: string): PushTarget {
  const ask = (path: string, init: RequestInit, wanted?: readonly number[]): Promise<StoreAnswer> =>
    sendTo(`${url}/${path}`, init, wanted);

  /** @param wanted The statuses that mean something beside success. */
  async function sendTo(target: string, init: RequestInit, wanted: readonly number[] = []): Promise<StoreAnswer> {
    const what = `${init.method} ${target}`;
    let answer: StoreAnswer;
    try {
      // A file has as long as its bytes go on; the client ends a request that stands still for five minutes.
      const isSmall = !(init.body instanceof Blob);
      const timeout = isSmall ? { signal: AbortSignal.timeout(smallObjectPace.milliseconds) } : {};
      const response = await send(target, { redirect: "manual", ...timeout, ...init });
      answer = { ok: response.ok, status: response.status, headers: response.headers, text: await response.text() };
    } catch (error) {
      throw new TransferError("unreachable", `${what}: no answer (${causeOf(error)})`, { cause: error });
    }
    const { ok, status, text } = answer;
    if (ok || wanted.includes(status)) return answer;
    const code = /<Code>([^<]*)<\/Code>/.exec(text)?.[1] ?? "no code";
    throw new TransferError("status", `${what}: found status ${status} (${code}), expected success`);
  }

  /** The paths of all objects below a path, or of the folders directly below it. */
  async function pathsBelow(path: string, of: "objects" | "folders"): Promise<string[]> {
    const prefix = `${bucket.prefix}${path}`;
    const paths: string[] = [];
    let token: string | undefined;
    do {
      const query = new URLSearchParams({
        "list-type": "2",
        prefix,
        ...(of === "folders" ? { delimiter: "/" } : {}),
        ...(token === undefined ? {} : { "continuation-token": token }),
      });
      const { text } = await sendTo(`${bucket.url}?${query}`, { method: "GET" });
      const names = text.matchAll(of === "folders" ? /<Prefix>([^<]*\/)<\/Prefix>/g : /<Key>([^<]*)<\/Key>/g);
      for (const [, name = ""] of names) if (name !== prefix) paths.push(name.slice(bucket.prefix.length));
      token = /<NextContinuationToken>([^<]*)</.exec(text)?.[1];
    } while (token !== undefined);
    return paths;
  }

  return {
    name,
    async has(path, { bytes, sha256, isPlain }) {
      const answer = await ask(path, { method: "HEAD" }, [403, 404]);
      const isSame = answer.headers.get(hashHeader) === sha256;
      return answer.ok && isSame && (!isPlain || Number(answer.headers.get("content-length")) === bytes);
    },
    async put(path, file) {
      const content = await openAsBlob(file.path);
      const headers = { [hashHeader]: file.sha256, ...(file.isPlain ? { "x-amz-content-sha256": file.sha256 } : {}) };
      await ask(path, { method: "PUT", body: content, headers });
    },
    async readText(path) {
      const answer = await ask(path, { method: "GET" }, [403, 404]);
      return answer.ok ? { text: answer.text, version: answer.headers.get("etag") } : undefined;
    },
    async putText(path, text, before) {
      const condition: Record<string, string> =
        before === null ? {} : before?.version ? { "if-match": before.version } : { "if-none-match": "*" };
      const init = { method: "PUT", body: text };
      // 501: the store knows no conditions; what is there was read just before.
      const answer = await ask(path, { ...init, headers: condition }, [409, 412, 501]);
      if (answer.status === 501) return (await ask(path, init)).ok;
      return answer.ok;
    },
    async listSnapshots() {
      return (await pathsBelow("snapshots/", "folders")).map((path) => path.split("/")[1] ?? "");
    },
    async removeSnapshot(snapshot) {
      await ask(`snapshots/${snapshot}/manifest.json`, { method: "DELETE" }, [404]);
      for (const path of await pathsBelow(`snapshots/${snapshot}/`, "objects"))
        await ask(path, { method: "DELETE" }, [404]);
    },
  };
}
