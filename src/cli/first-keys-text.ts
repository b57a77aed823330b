import type { FirstKeys } from "../auth/keys-file.ts";
import { keyAdvice, keyTrialCommand } from "./key-use.ts";

/**
 * What a person is shown of the keys that a first start made: the keys, once, and commands that work as they are.
 *
 * @param baseUrl Where the service listens.
 */
export function firstKeysText(keys: FirstKeys, keysFile: string, baseUrl: string): string {
  const sections = (["public", "secret"] as const).map((kind) => {
    const { key } = keys[kind];
    return `${kind} key: ${key}\n${keyAdvice(kind)}\n\n  ${keyTrialCommand(kind, key, baseUrl)}\n`;
  });
  return `
${keysFile} was created with two keys. They are shown this once; the file keeps only their digests.

${sections.join("\n")}
`;
}
