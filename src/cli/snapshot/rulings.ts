/** The commands that rule on single prices: `accept-price`, `withdraw` and `reinstate`. */
import { type Command, InvalidArgumentError } from "commander";
import { toUuid, type Uuid } from "../../domain/ids.ts";
import { readRegularFile } from "../../files/read-regular-file.ts";
import { type RulingReport, type RulingRequest, rulePrices } from "../../publish/rule-prices.ts";
import { WrongUseError } from "../command.ts";
import { rowsText } from "../problem-report.ts";
import type { Report } from "../report.ts";
import { changesLines } from "./changes-report.ts";
import { runPublishing } from "./run-publishing.ts";
import {
  addWritingCommand,
  checkedText,
  type PublicationOptions,
  publicationJson,
  publicationText,
  writingWarnings,
} from "./snapshot-command.ts";

interface RulingOptions extends PublicationOptions {
  readonly file?: string;
  readonly reason?: string;
  readonly undo?: boolean;
}

const exampleUuid = "f3faf40b-e013-51db-8734-96f1c3e4ce4e";
const uuidsHelp = "uuids of prices";
const fileHelp = "a file of uuids: one a line, or lines of prices (.ndjson)";

/** Adds `accept-price UUID…`: clears the mark `suspicious` of prices. */
export function addAcceptCommand(program: Command): void {
  const description = "Accept prices that are marked as suspicious: the mark is cleared.";
  addRulingCommand(program, "accept-price", description, [
    `${exampleUuid} --reason "Seen on the receipt"`,
    `${exampleUuid} --undo`,
  ])
    .option("--undo", "let the rule mark them again")
    .action(async (uuids: readonly Uuid[], options: RulingOptions) => {
      await rule("accepted", uuids, options, options.undo === true);
    });
}

/** Adds `withdraw UUID…`: takes prices out of all answers. */
export function addWithdrawCommand(program: Command): void {
  const description = "Withdraw prices: they are in no answer, whatever is published next, until they are reinstated.";
  addRulingCommand(program, "withdraw", description, [
    `${exampleUuid} --reason "Entered for another market"`,
    '--file wrong-prices.ndjson --reason "Entered twice"',
  ]).action(async (uuids: readonly Uuid[], options: RulingOptions) => {
    await rule("withdrawals", uuids, options, false);
  });
}

/** Adds `reinstate UUID…`: undoes withdrawals. */
export function addReinstateCommand(program: Command): void {
  addRulingCommand(program, "reinstate", "Reinstate prices that are withdrawn.", [exampleUuid]).action(
    async (uuids: readonly Uuid[], options: RulingOptions) => {
      await rule("withdrawals", uuids, options, true);
    },
  );
}

function addRulingCommand(...parameters: Parameters<typeof addWritingCommand>): Command {
  const argument = (text: string, before: readonly Uuid[] = []): readonly Uuid[] => [...before, uuidArgument(text)];
  return addWritingCommand(...parameters)
    .argument("[uuid...]", uuidsHelp, argument)
    .option("--file <file>", fileHelp)
    .option("--reason <text>", "why, in a line", checkedText("--reason"));
}

function uuidArgument(text: string): Uuid {
  const uuid = toUuid(text);
  if (uuid === undefined) throw new InvalidArgumentError("Expected the uuid of a price.");
  return uuid;
}

async function rule(
  kind: RulingRequest["kind"],
  named: readonly Uuid[] = [],
  options: RulingOptions,
  isUndone: boolean,
): Promise<void> {
  const { file, reason, by = null } = options;
  const uuids = [...named, ...(file === undefined ? [] : await readUuids(file))];
  if (uuids.length === 0) throw new WrongUseError("no uuid is given, expected one at least");
  let ruling: RulingRequest["ruling"];
  if (!isUndone) {
    if (reason === undefined) throw new WrongUseError("--reason is missing, expected why, in a line");
    ruling = { reason, by };
  }
  const note = options.note ?? reason;
  const publishing = { ...options, ...(note === undefined ? {} : { note }) };
  const verb = verbs[kind][isUndone ? "undo" : "rule"];
  await runPublishing(
    publishing,
    [],
    async (request) => await rulePrices({ ...request, kind, uuids, ruling }),
    (report, seconds) => reportOf(report, verb, seconds),
  );
}

const verbs = {
  accepted: { rule: "accepted", undo: "accepted no more" },
  withdrawals: { rule: "withdrawn", undo: "reinstated" },
} as const;

const uuidFileBytesMax = 64 * 1024 * 1024;

/** The uuids of a file, a line each. @throws {WrongUseError} when a line has none. */
async function readUuids(path: string): Promise<Uuid[]> {
  const text = await readRegularFile(path, uuidFileBytesMax).catch((error: unknown) => {
    throw new WrongUseError(`${path}: ${error instanceof Error ? error.message : error}`, { cause: error });
  });
  return text
    .toString()
    .split(/\r?\n/)
    .flatMap((line, index) => {
      if (line.trim() === "") return [];
      const uuid = uuidOfLine(line.trim());
      if (uuid !== undefined) return [uuid];
      throw new WrongUseError(`${path}:${index + 1}: no uuid, expected one, or a JSON object with a "uuid"`);
    });
}

function uuidOfLine(line: string): Uuid | undefined {
  if (!line.startsWith("{")) return toUuid(line);
  try {
    const { uuid } = JSON.parse(line) as { readonly uuid?: unknown };
    return typeof uuid === "string" ? toUuid(uuid) : undefined;
  } catch {
    return undefined;
  }
}

function reportOf(report: RulingReport, verb: string, seconds: number): Report {
  const { outcome, id, rows, ruled, knownCount, missingCount, changes, compilation, logFault } = report;
  const json = publicationJson(report, { ruled, known: knownCount, missing: missingCount }, seconds);
  if (outcome === "already-current") {
    return { json, lines: [`${knownCount} prices are ${verb} already, nothing published`] };
  }
  return {
    json,
    problems: writingWarnings(compilation, logFault),
    lines: [
      `${publicationText(outcome, id)} in ${seconds} s: ${ruled.length} prices ${verb}`,
      ...(knownCount > 0 ? [`${verb} already: ${knownCount} prices`] : []),
      ...(missingCount > 0 ? [`in no file any more, append them again: ${missingCount} prices`] : []),
      `${outcome === "would-publish" ? "it would have" : "it has"} ${rowsText(rows)}`,
      ...changesLines(changes),
    ],
  };
}
