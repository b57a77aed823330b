import { resolve } from "node:path";
import { type KeyKind, keyKinds } from "../auth/key-format.ts";
import { curlCommand, shellQuoted } from "./curl-command.ts";

/** Where a service listens when HOST and PORT are not set. */
export const baseUrlDefault = "http://127.0.0.1:3000";

/**
 * A command line for a POSIX shell, run in the project's folder, that tries a key on a running service.
 *
 * @param baseUrl Where the service listens, without a slash at its end.
 */
export function keyTrialCommand(kind: KeyKind, key: string, baseUrl: string): string {
  if (kind === "public") {
    return curlCommand({ method: "GET", url: `${baseUrl}/api/v1/counties`, headers: [["X-API-Key", key]] });
  }
  // In the environment rather than among the arguments, which every user of the machine can list.
  const address = baseUrl === baseUrlDefault ? "" : ` --base-url ${shellQuoted(baseUrl)}`;
  const call = `POST /api/v1/prices/search --body '{"page_size":5}'${address} --curl`;
  return `SIGNING_KEY=${shellQuoted(key)} npm run --silent sign -- ${call} | sh`;
}

/**
 * Command lines for a POSIX shell, run in the project's folder, that issue a first key of each kind.
 *
 * @param keysFile Named by its absolute path, because npm runs the commands in the project's folder.
 */
export function issueKeyCommands(keysFile: string): string[] {
  const file = shellQuoted(resolve(keysFile));
  return keyKinds.map((kind) => `npm run keys -- issue --kind ${kind} --label 'first ${kind} key' --file ${file}`);
}

/** What a person must know who has just been given a key: one to three lines. */
export function keyAdvice(kind: KeyKind): string {
  return kind === "public"
    ? "It may be used anywhere, also in browsers; it reads what is public, without a signature."
    : "Keep it on a server, never in a browser or a repository; each request with it must be signed.";
}
