/** The cards that their thread has made, as answers send them. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { orUnreadable, readRegularFile } from "../../engine/files/read-regular-file.ts";
import { cardsPath } from "../../engine/snapshots/snapshot-layout.ts";
import type { ReadCard } from "../http/app-dependencies.ts";

/** A card is ten times smaller. */
const cardBytesMax = 2 ** 20;

let general: Buffer | undefined;

/** The card that stands for all others, as PNG. */
export function readGeneralCard(): Buffer {
  general ??= readFileSync(new URL("general-card.png", import.meta.url));
  return general;
}

/** Reads cards of a dataset directory. @param version Of the code that has drawn them. */
export function cardFiles(dataDirectory: string, version: string): ReadCard {
  return async (served, name) => {
    const path = join(cardsPath(dataDirectory, served, version), name);
    const png = await orUnreadable(readRegularFile(path, cardBytesMax));
    return png === undefined ? { png: readGeneralCard(), isGeneral: true } : { png, isGeneral: false };
  };
}
