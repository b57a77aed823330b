/** Ways to try and use a new key: command lines and advice for people. */
import { resolve } from "node:path";
import { commandLine } from "../contract/command-line.ts";
import { type KeyKind, keyKinds } from "../contract/credentials.ts";
import type { FirstKeys } from "../service/auth/keys-file.ts";
import { curlCommand, shellQuoted } from "./curl-command.ts";

/** The address of a service when HOST and PORT are not set. */
export const baseUrlDefault = "http://127.0.0.1:3000";

/**
 * A command line for a POSIX shell, run in the project's folder, that tries a key on a running service.
 *
 * @param baseUrl The address of the service, without a slash at its end.
 */
export function keyTrialCommand(kind: KeyKind, key: string, baseUrl: string): string {
  if (kind === "public") {
    return curlCommand({ method: "GET", url: `${baseUrl}/api/v1/counties`, headers: [["X-API-Key", key]] });
  }
  // The key goes into the environment, because every user of the machine can list the arguments of a process.
  const address = baseUrl === baseUrlDefault ? "" : ` --base-url ${shellQuoted(baseUrl)}`;
  const call = `POST /api/v1/prices/search --body '{"page_size":5}'${address} --curl`;
  return `SIGNING_KEY=${shellQuoted(key)} ${commandLine("sign", { isPiped: true })} ${call} | sh`;
}

/**
 * Command lines for a POSIX shell, run in the project's folder, that issue a first key of each kind.
 *
 * @param keysFile Named by its absolute path, because npm runs the commands in the folder of a clone.
 */
export function issueKeyCommands(keysFile: string): string[] {
  const file = shellQuoted(resolve(keysFile));
  return keyKinds.map(
    (kind) => `${commandLine("keys")} issue --kind ${kind} --label 'first ${kind} key' --file ${file}`,
  );
}

/** The use of a new key, in a line. */
export function keyAdvice(kind: KeyKind): string {
  return kind === "public"
    ? "It may be used anywhere, also in browsers; it reads what is public, without a signature."
    : "Keep it on a server, never in a browser or a repository; each request with it must be signed.";
}

/**
 * The text of a first start about the keys it issued: the keys, once, and commands that work as they are.
 *
 * @param baseUrl The address of the service.
 */
export function firstKeysText(keys: FirstKeys, keysFile: string, baseUrl: string): string {
  const sections = keyKinds.map((kind) => {
    const { key } = keys[kind];
    return `${kind} key: ${key}\n${keyAdvice(kind)}\n\n  ${keyTrialCommand(kind, key, baseUrl)}\n`;
  });
  return `
${keysFile} was created with two keys. They are shown this once; the file keeps only their digests.

${sections.join("\n")}
`;
}
