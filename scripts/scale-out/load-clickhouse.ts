import { once } from "node:events";
import { bytesText } from "../../src/cli/bytes-text.ts";
import { createProgram, RefusedError, runProgram, WrongUseError } from "../../src/cli/command.ts";
import { type Report, type ReportOptions, reported } from "../../src/cli/render-report-lines.ts";
import { publicKeyOfOrigin, snapshotIdArgument } from "../../src/cli/snapshot/snapshot-command.ts";
import { systemErrorCode } from "../../src/engine/files/read-regular-file.ts";
import { counted } from "../../src/engine/model/counted.ts";
import { provideDataDirectory, requireDataDirectory } from "../../src/engine/snapshots/data-directory.ts";
import type { SnapshotId } from "../../src/engine/snapshots/snapshot-layout.ts";
import { fetchAnnounced } from "../../src/publishing/publish/fetch-announced.ts";
import { PublishedSnapshot } from "../../src/publishing/publish/open-published.ts";
import { streamRows } from "../../src/publishing/publish/stream-rows.ts";
import { openOrigin, readS3Access, remoteFolder } from "../../src/publishing/transfer/origin.ts";
import { ClickHouseServer } from "./clickhouse-server.ts";
import { loadSnapshot } from "./load-snapshot.ts";

interface LoadOptions extends ReportOptions {
  readonly dataDir: string;
  readonly origin?: string;
  readonly url?: readonly [URL, ...URL[]];
  readonly stdout?: boolean;
}

const commandLine = "node scripts/run.js scripts/scale-out/load-clickhouse.ts";

const program = createProgram(commandLine, "Loads a snapshot into ClickHouse and exchanges it for the one before.", [
  `${commandLine} --url http://127.0.0.1:8123`,
  `${commandLine} --url http://10.0.0.1:8123 --url http://10.0.0.2:8123`,
  `${commandLine} --url http://10.0.0.1:8123 --data-dir /var/lib/copy --origin s3://bucket/prices`,
  `${commandLine} --stdout > rows.ndjson`,
])
  .argument("[id]", "id of a snapshot; the current one when absent, of an origin the announced one", snapshotIdArgument)
  .option("--data-dir <dir>", "dataset directory", process.env["DATA_DIR"] || "data")
  .option("--origin <address>", "https://… or s3://bucket/prefix, from which the dataset directory is filled first")
  .option("--url <url>", "a server: once for each replica of each shard", addUrl)
  .option("--stdout", "print the rows as NDJSON instead")
  .option("--json", "report as one JSON object")
  .addHelpText("after", "\nCLICKHOUSE_USER and CLICKHOUSE_PASSWORD are those of all servers.")
  .action(reported(run));

await runProgram(program);

function addUrl(text: string, before: readonly URL[] = []): URL[] {
  const url = URL.parse(text);
  const isHttp = url?.protocol === "http:" || url?.protocol === "https:";
  // Others see the arguments of a process; commander's own error would show them once more.
  if (url !== null && isHttp && url.username === "" && url.password === "") return [...before, url];
  throw new WrongUseError("--url is not as expected: http://host:8123 or https://…, without a user");
}

async function run(wanted: SnapshotId | undefined, options: LoadOptions): Promise<Report> {
  const { dataDir, url: urls, stdout = false, onBytes, json = false } = options;
  if (stdout === (urls !== undefined)) throw new WrongUseError("expected either --url or --stdout");
  if (stdout && json) throw new WrongUseError("--json is given with --stdout, which has the rows");
  const id = await findSnapshot(wanted, options);
  if (urls === undefined) {
    const { rows } = await streamRows({ dataDirectory: dataDir, id, onBytes, write: printRows });
    return { json: {}, lines: [], problems: [`${counted(rows, "price")} of ${id} in ${options.seconds()} s`] };
  }
  const user = process.env["CLICKHOUSE_USER"];
  const credentials = user ? { user, password: process.env["CLICKHOUSE_PASSWORD"] ?? "" } : undefined;
  const [first, ...others] = urls;
  const serverAt = (url: URL): ClickHouseServer => new ClickHouseServer(url, credentials);
  const servers = [serverAt(first), ...others.map(serverAt)] as const;
  const loaded = await loadSnapshot({ dataDirectory: dataDir, id, servers, onBytes });
  const { isServedAlready, rows, replaced, withheld, bytes, removed } = loaded;
  const seconds = options.seconds();
  if (isServedAlready) return { json: { id, rows, seconds }, lines: [`${id} is loaded already`] };
  const perPrice = rows === 0 ? "" : `, ${(bytes / rows).toFixed(1)} bytes a price`;
  return {
    json: { id, rows, replaced, withheld, bytes, removed, seconds },
    lines: [
      `loaded ${counted(rows, "price")} of ${id} in ${seconds} s: ${bytesText(bytes)}${perPrice}`,
      `left out: ${replaced} replaced, ${withheld} withdrawn`,
      ...removed.map((ending) => `removed the tables of ${ending}`),
    ],
  };
}

/** The snapshot to load; that of an origin is fetched. */
async function findSnapshot(wanted: SnapshotId | undefined, { dataDir, origin }: LoadOptions): Promise<SnapshotId> {
  if (origin === undefined) {
    await requireDataDirectory(dataDir);
    return (await PublishedSnapshot.readWanted(dataDir, wanted)).manifest.id;
  }
  const folder = remoteFolder(origin, readS3Access(process.env));
  if (folder === undefined) {
    throw new WrongUseError(`--origin is ${JSON.stringify(origin)}, expected https://… or s3://bucket/prefix`);
  }
  await provideDataDirectory(dataDir);
  const request = { dataDirectory: dataDir, origin: openOrigin(origin, folder), publicKey: publicKeyOfOrigin() };
  const announced = await fetchAnnounced(request);
  if (wanted === undefined || wanted === announced) return announced;
  return (await PublishedSnapshot.read(dataDir, wanted)).manifest.id;
}

async function printRows(lines: string): Promise<void> {
  try {
    if (!process.stdout.write(lines)) await once(process.stdout, "drain");
  } catch (error) {
    if (systemErrorCode(error) !== "EPIPE") throw error;
    throw new RefusedError("the reader of the rows has closed the pipe", { cause: error });
  }
  if (process.stdout.destroyed) throw new RefusedError("the reader of the rows has closed the pipe");
}
