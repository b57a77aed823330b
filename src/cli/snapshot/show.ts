import type { Command } from "commander";
import { originText } from "../../contract/publication-report.ts";
import { instantText } from "../../engine/model/calendar.ts";
import { counted } from "../../engine/model/counted.ts";
import type { Uuid } from "../../engine/model/ids.ts";
import { visibleText } from "../../engine/model/visible-text.ts";
import { type Manifest, optionalParts } from "../../engine/snapshots/manifest.ts";
import { rejectedFileName, type SnapshotId } from "../../engine/snapshots/snapshot-layout.ts";
import { countRejectedRows, listSnapshots, type SnapshotEntry } from "../../publishing/publish/list-snapshots.ts";
import { type PriceEvent, readPriceLife } from "../../publishing/publish/price-life.ts";
import { bytesText } from "../bytes-text.ts";
import { RefusedError, WrongUseError } from "../command.ts";
import { originReport, rowsText } from "../problem-report.ts";
import type { Report } from "../render-report-lines.ts";
import { textTable } from "../text-table.ts";
import { descentText, entryReport } from "./list.ts";
import {
  addDirectoryCommand,
  type DirectoryOptions,
  onDirectory,
  priceOption,
  snapshotIdArgument,
} from "./snapshot-command.ts";

interface ShowOptions extends DirectoryOptions {
  readonly price?: Uuid;
}

const description = "Show what a snapshot is and which files it consists of; with --price the life of a price.";

/** Adds `show ID` and `show --price UUID`. */
export function addCommands(program: Command): void {
  addDirectoryCommand(program, "show", description, [
    "20261129T014906Z-d29501def8a2",
    "--price f3faf40b-e013-51db-8734-96f1c3e4ce4e",
  ])
    .argument("[id]", "the snapshot's id, as list shows it", snapshotIdArgument)
    .option("--price <uuid>", "what each snapshot has changed of this price, with files and lines", priceOption)
    .action(onDirectory(show));
}

async function show(id: SnapshotId | undefined, { dataDir, price }: ShowOptions): Promise<Report> {
  if (id !== undefined && price === undefined) return await showSnapshot(dataDir, id);
  if (id === undefined && price !== undefined) return await showPrice(dataDir, price);
  throw new WrongUseError("expected the id of a snapshot, or --price with the uuid of a price");
}

async function showSnapshot(dataDir: string, id: SnapshotId): Promise<Report> {
  const entry = (await listSnapshots(dataDir)).snapshots.find((snapshot) => snapshot.id === id);
  if (entry?.manifest === undefined) throw new RefusedError(entry?.fault ?? `${dataDir}: no snapshot ${id} there`);
  const { manifest } = entry;
  const rejected = await countRejectedRows(dataDir, id);
  const { timeZone: time_zone, attribution, files } = manifest;
  const facts = { time_zone, attribution, ...optionalParts(manifest), rejected_rows: rejected };
  return {
    json: { ...entryReport(entry), ...facts, files },
    lines: [...factLines(entry, manifest, rejected), "", filesTable(manifest)],
  };
}

async function showPrice(dataDir: string, price: Uuid): Promise<Report> {
  const { events, unreadable } = await readPriceLife(dataDir, price);
  return {
    json: {
      price,
      events: events.map(({ publishedAt, line: { origin, ...line }, decision, ...event }) => ({
        ...event,
        published_at: instantText(publishedAt),
        ...line,
        origin: origin === undefined ? null : originReport(origin),
        decision: decision === undefined ? null : { reason: decision.reason, by: decision.by },
      })),
      unreadable,
    },
    problems: unreadable.map((id) => `warning: snapshot ${id} cannot be read`),
    lines: events.length === 0 ? [] : [eventsTable(events)],
    refusal: events.length === 0 ? `${dataDir}: no snapshot there has the price ${price}` : undefined,
  };
}

function eventsTable(events: readonly PriceEvent[]): string {
  return textTable(
    ["TIME", "SNAPSHOT", "WHAT", "LINE", "ORIGIN", "PRICE", "NOTE"],
    events.map(({ kind, snapshot, publishedAt, line, changed, decision, note }) => {
      const { price, unit, currency } = line.record;
      const changes = Object.entries(changed).map(([name, [was, is]]) => `${name} ${textOf(was)} → ${textOf(is)}`);
      const by = decision?.by == null ? "" : ` (${decision.by})`;
      return [
        instantText(publishedAt).slice(0, "2026-11-20T08:30:00".length),
        snapshot,
        kind.replaceAll("-", " "),
        `${line.file}:${line.line}`,
        line.origin === undefined ? "" : originText(line.origin),
        changes.length > 0 ? changes.join(", ") : `${price} ${currency} per ${unit}`,
        decision === undefined ? (note ?? "") : `${decision.reason}${by}`,
      ];
    }),
  );
}

function textOf(value: unknown): string {
  return value === null ? "none" : typeof value === "string" ? value : JSON.stringify(value);
}

function factLines(entry: SnapshotEntry, manifest: Manifest, rejected: number): string[] {
  const descent = entry.generation === undefined ? "not current, nor a parent of it" : descentText(entry);
  const periods = Object.entries(manifest.periods);
  const facts = {
    id: `${manifest.id} (${descent})`,
    created: instantText(manifest.createdAt),
    parent: manifest.parent ?? "none",
    note: manifest.note ?? "none",
    "time zone": manifest.timeZone,
    attribution: manifest.attribution.join("; ") || "none",
    periods: periods.map(([source, period]) => `${source} ${period}`).join("; ") || "none",
    records: entry.rows === undefined ? "-" : rowsText(entry.rows),
    ...(rejected === 0 ? {} : { rejected: `${counted(rejected, "row")}, in ${rejectedFileName}` }),
    compiled: entry.isCompiled ? "yes" : "no",
  };
  return Object.entries(facts).map(([name, value]) => `${`${name}:`.padEnd(13)}${visibleText(value)}`);
}

function filesTable({ files }: Manifest): string {
  return textTable(
    ["FILE", "ROWS", "BYTES", "SEQUENCE", "REPLACES", "SHA-256"],
    files.map(({ name, rows, bytes, sequence, replaces, sha256 }) => {
      const appended = sequence === 0 ? ["-", "-"] : [String(sequence), String(replaces)];
      return [name, String(rows), bytesText(bytes), ...appended, sha256];
    }),
  );
}
