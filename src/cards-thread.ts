/**
 * A thread that makes the cards of a snapshot and is then ended, because the renderer keeps memory. A card whose
 * drawing another snapshot has as well is a link to that. `list.txt` of a folder has the hash of each drawing.
 */
import { hash } from "node:crypto";
import { appendFile, link, rename, stat, writeFile } from "node:fs/promises";
import { constants, setPriority } from "node:os";
import { basename, join } from "node:path";
import { threadId } from "node:worker_threads";
import { drawPng, renderer } from "./draw-png.ts";
import { namesIn } from "./engine/files/list-folder.ts";
import { makeFolders } from "./engine/files/make-folders.ts";
import { isSystemError, orMissing, readRegularFile } from "./engine/files/read-regular-file.ts";
import { requireLayout } from "./engine/snapshots/load-failure.ts";
import { cardsFolderPath, cardsIdOf, cardsPath } from "./engine/snapshots/snapshot-layout.ts";
import { answerRequests } from "./engine/threads/worker-client.ts";
import type { CardsAnswer, CardsRequest } from "./service/serve/cards-maker.ts";

const listName = "list.txt";
const listBytesMax = 2 ** 22;

if (process.platform === "linux") setPriority(constants.priority.PRIORITY_LOW);

answerRequests<CardsRequest, CardsAnswer>(async (request) => {
  const { layoutVersion } = await import("./engine/compiled/layout-version.ts");
  requireLayout(layoutVersion, request.layoutVersion);
  try {
    return await makeCards(request);
  } catch (error) {
    if (!isSystemError(error)) throw error;
    return { outcome: "failed", message: error.message };
  }
});

/** Makes those that are not there yet. @throws {Error} of the system where they cannot be written. */
async function makeCards({ dataDirectory, store, version, limits, givenUp }: CardsRequest): Promise<CardsAnswer> {
  const { wantedCards } = await import("./site/explore/cards.ts");
  const folder = cardsPath(dataDirectory, store.snapshot.id, version);
  await makeFolders(folder);
  const before = await cardsBefore(dataDirectory, folder);
  const figures = { drawn: 0, linked: 0, bytes: 0 };
  let cardCount = 0;
  for (const { name, draw } of wantedCards(store, limits.wantedMax)) {
    if (cardCount >= limits.countMax || figures.bytes >= limits.bytesMax || Atomics.load(givenUp, 0) === 1) break;
    const path = join(folder, name);
    const made = await orMissing(stat(path));
    if (made !== undefined) {
      cardCount++;
      figures.bytes += made.size;
      continue;
    }
    const svg = draw();
    if (svg === undefined) continue;
    const content = hash("sha256", renderer + svg);
    const same = before.get(`${content} ${name}`);
    if (same !== undefined && (await isLinked(same, path))) figures.linked++;
    else {
      // Whole, or not at all; another instance may make the same one.
      const partial = `${path}.${process.pid}-${threadId}`;
      await writeFile(partial, drawPng(svg));
      await rename(partial, path);
      figures.drawn++;
    }
    cardCount++;
    figures.bytes += (await stat(path)).size;
    await appendFile(join(folder, listName), `${content} ${name}\n`);
  }
  return { outcome: "made", ...figures };
}

/** The cards of the newest other folder, by the lines of its list. */
async function cardsBefore(dataDirectory: string, own: string): Promise<ReadonlyMap<string, string>> {
  const parent = cardsFolderPath(dataDirectory);
  const names = (await namesIn(parent)).filter((name) => cardsIdOf(name) !== undefined && name !== basename(own));
  const [newest] = names.sort().reverse();
  if (newest === undefined) return new Map();
  const list = await orMissing(readRegularFile(join(parent, newest, listName), listBytesMax));
  const lines = list?.toString("utf8").trimEnd().split("\n") ?? [];
  return new Map(lines.map((line) => [line, join(parent, newest, line.slice(line.indexOf(" ") + 1))]));
}

/** @returns False where it has gone, or the disk has no links. */
async function isLinked(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if (!isSystemError(error)) throw error;
    return error.code === "EEXIST";
  }
}
