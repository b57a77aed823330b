import { maskKeys } from "../auth/key-format.ts";
import { receivedCharactersMax } from "./limits.ts";

/** A received text as an answer may repeat it: what looks like a key is masked, and a long text is cut. */
export function excerptOf(text: string): string {
  const masked = maskKeys(text);
  return masked.length <= receivedCharactersMax ? masked : `${masked.slice(0, receivedCharactersMax)}…`;
}
