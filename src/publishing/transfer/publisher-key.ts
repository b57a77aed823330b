/** Keys of publishers: Ed25519 (RFC 8032). Who has the public key can tell whose announcement it is. */
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign, verify } from "node:crypto";
import { type FileHandle, realpath, rm, stat } from "node:fs/promises";
import { sep } from "node:path";
import { readRegularFile } from "../../engine/files/read-regular-file.ts";
import { withFile } from "../../engine/files/with-file.ts";
import { ForeseenError } from "../../engine/model/foreseen-error.ts";
import { type Announced, type Announcement, signedBytes } from "./announcement.ts";

/** More than a key in PEM has. */
const keyBytesMax = 4096;

/** Only the owner may read or write. */
const keyMode = 0o600;

/** A key cannot be used. The message names its file or variable, what was found and what was expected. */
export class PublisherKeyError extends ForeseenError {}

/**
 * Makes a key and writes it to a new file that only its owner can read.
 *
 * @returns The public key, as `ORIGIN_PUBLIC_KEY` takes it.
 * @throws the system's error, `EEXIST` when there is such a file.
 */
export async function createPublisherKey(path: string): Promise<string> {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const write = async (file: FileHandle): Promise<void> => {
    try {
      await file.writeFile(privateKey.export({ type: "pkcs8", format: "pem" }));
      await file.sync();
    } catch (error) {
      await rm(path, { force: true }).catch(() => {});
      throw error;
    }
  };
  await withFile(path, "wx", write, keyMode);
  // The 32 bytes in base64url.
  return publicKey.export({ format: "jwk" }).x as string;
}

/**
 * Reads the key of a publisher.
 *
 * @throws {PublisherKeyError} when it is no Ed25519 key, when others can read it, or when it lies in the dataset
 * directory, which web servers may serve.
 */
export async function readPublisherKey(path: string, dataDirectory: string): Promise<KeyObject> {
  const fail = (found: string, wanted: string, cause?: unknown): PublisherKeyError =>
    new PublisherKeyError(`SNAPSHOT_KEY_FILE ${path}: found ${found}, expected ${wanted}`, { cause });
  let text: Buffer;
  try {
    text = await readRegularFile(path, keyBytesMax);
  } catch (error) {
    throw fail(`nothing that can be read (${(error as NodeJS.ErrnoException).code})`, "a key of publisher-key", error);
  }
  const folder = await realpath(dataDirectory).catch(() => dataDirectory);
  if ((await realpath(path)).startsWith(`${folder}${sep}`)) {
    throw fail("a key inside the dataset directory", "a key elsewhere: that directory may be served");
  }
  const { mode } = await stat(path);
  if (process.platform !== "win32" && (mode & 0o077) !== 0) {
    throw fail(`mode ${(mode & 0o777).toString(8)}, which lets other users in`, `mode ${keyMode.toString(8)}`);
  }
  let key: KeyObject;
  try {
    key = createPrivateKey(text);
  } catch (error) {
    throw fail("no private key", "a key of publisher-key", error);
  }
  if (key.asymmetricKeyType !== "ed25519") throw fail(`a key of type ${key.asymmetricKeyType}`, "an Ed25519 key");
  return key;
}

/** Signs what is announced. @param key null leaves it without a signature. */
export function signAnnouncement(announced: Announced, key: KeyObject | null): Announcement {
  const signature = key === null ? null : sign(null, signedBytes(announced), key).toString("base64");
  return { ...announced, signature };
}

/**
 * Checks that an announcement is signed with the key that a public key belongs to.
 *
 * @param publicKey null where no signature is required.
 * @returns The thing found in place of the signature; undefined where the signature is valid or none is required.
 */
export function signatureFault(announcement: Announcement, publicKey: KeyObject | null): string | undefined {
  const { signature } = announcement;
  if (publicKey === null) return undefined;
  if (signature === null) return "no signature";
  const isSigned = verify(null, signedBytes(announcement), publicKey, Buffer.from(signature, "base64"));
  return isSigned ? undefined : "a signature of another key or content";
}

/** The public key that a text is; undefined where it is none. */
export function parsePublicKey(text: string): KeyObject | undefined {
  if (!/^[\w-]{43}$/.test(text)) return undefined;
  try {
    return createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x: text }, format: "jwk" });
  } catch {
    return undefined;
  }
}
