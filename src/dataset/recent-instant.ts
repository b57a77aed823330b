import { type Instant, instantFromText } from "../domain/instant.ts";

/** How many texts are remembered before all are forgotten. */
const rememberedMax = 4096;

const remembered = new Map<string, Instant>();

/**
 * As `instantFromText`, remembering the answers of late: a record is checked first and translated after, and in files
 * of prices whole market days carry one and the same time.
 */
export function recentInstant(text: string): Instant | undefined {
  const known = remembered.get(text);
  if (known !== undefined) return known;
  const instant = instantFromText(text);
  if (instant === undefined) return undefined;
  if (remembered.size >= rememberedMax) remembered.clear();
  remembered.set(text, instant);
  return instant;
}
