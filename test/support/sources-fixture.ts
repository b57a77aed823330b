/** A dataset directory with a feed (source WFP, 20 prices from uuid 100), and the commands on it. */
import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Test } from "tap";
import type { Uuid } from "../../src/engine/model/ids.ts";
import type { SnapshotId } from "../../src/engine/snapshots/snapshot-layout.ts";
import type { Store } from "../../src/engine/store/store.ts";
import { type AppendReport, appendPrices } from "../../src/publishing/publish/append-prices.ts";
import { openSnapshotStore } from "../../src/publishing/publish/open-published.ts";
import {
  type PublishReport,
  type PublishRequest,
  publishSnapshot,
} from "../../src/publishing/publish/publish-snapshot.ts";
import type { AppendRequest } from "../../src/publishing/publish/read-addition.ts";
import { type ReplaceReport, type ReplaceRequest, replaceSource } from "../../src/publishing/publish/replace-source.ts";
import { type PriceFields, storedPrice } from "../engine/store/stored-prices.ts";
import { currentOf, daysLater, publishedData } from "./published-data.ts";
import { ndjson } from "./snapshot-files.ts";

/** Name → rows of a file of lines, or its content. */
export type FileContents = Readonly<Record<string, readonly object[] | string>>;

export interface SourcesFixture {
  readonly data: string;
  /** Writes a folder below the root, in place of what it was. @returns Its path. */
  folder(name: string, files: FileContents): Promise<string>;
  replace(files: FileContents, request?: Partial<ReplaceRequest>): Promise<ReplaceReport>;
  /** Appends files. */
  append(files: FileContents, request?: Partial<AppendRequest>): Promise<AppendReport>;
  publish(directory: string, request?: Partial<PublishRequest>): Promise<PublishReport>;
  current(): Promise<Store>;
  /** The price that readers see under the uuid of a number. */
  price(uuid: string): Promise<PriceFields | undefined>;
}

export async function sourcesFixture(t: Test): Promise<SourcesFixture> {
  const root = t.testdir({});
  const { data } = await publishedData(root, 1);
  const common = { dataDirectory: data, dryRun: false };
  const folder: SourcesFixture["folder"] = async (name, files) => {
    const directory = join(root, name);
    await rm(directory, { recursive: true, force: true });
    await mkdir(directory);
    for (const [file, content] of Object.entries(files)) {
      const path = join(directory, file);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, typeof content === "string" ? content : ndjson(content));
    }
    return directory;
  };
  const current = async (): Promise<Store> => await openSnapshotStore(data, (await currentOf(data)) as SnapshotId);
  return {
    data,
    folder,
    async replace(files, request) {
      const candidateDirectory = await folder("feed", files);
      const feed = { ...common, candidateDirectory, source: "WFP", now: daysLater(3), allowShrink: false };
      return await replaceSource({ ...feed, ...request });
    },
    async append(files, request) {
      const added = await folder("given", files);
      const paths = Object.keys(files).map((name) => join(added, name));
      return await appendPrices({ ...common, files: paths, now: daysLater(3), ...request });
    },
    publish: (candidateDirectory, request) =>
      publishSnapshot({
        ...common,
        candidateDirectory,
        now: daysLater(3),
        allowShrink: false,
        ...request,
      }),
    current,
    price: async (uuid) => storedPrice(await current(), uuid as Uuid),
  };
}
