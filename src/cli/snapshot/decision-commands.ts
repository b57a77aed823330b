/** Commands that decide on single prices: `accept-price`, `withdraw` and `reinstate`. */
import type { Command } from "commander";
import { readRegularFile } from "../../engine/files/read-regular-file.ts";
import { counted } from "../../engine/model/counted.ts";
import { toUuid, type Uuid } from "../../engine/model/ids.ts";
import { parseObject } from "../../engine/model/json-object.ts";
import { faultOfReading } from "../../engine/snapshots/stored-file.ts";
import { type DecisionReport, type DecisionRequest, decidePrices } from "../../publishing/publish/decide-prices.ts";
import type { PublicationRequest } from "../../publishing/publish/publication.ts";
import { checkedArgument } from "../argument.ts";
import { WrongUseError } from "../command.ts";
import type { Report } from "../render-report-lines.ts";
import { onAnnouncedDirectory } from "./push-after.ts";
import { type PublicationMessages, runPublishing } from "./run-publishing.ts";
import { addStrictOption, addWritingCommand, checkedText, type PublicationOptions } from "./snapshot-command.ts";

interface DecisionOptions extends PublicationOptions {
  readonly file?: string;
  readonly reason?: string;
  readonly undo?: boolean;
}

const exampleUuid = "f3faf40b-e013-51db-8734-96f1c3e4ce4e";

/** Adds `accept-price UUID…`, `withdraw UUID…` and `reinstate UUID…`. */
export function addCommands(program: Command): void {
  const accept = "Accept prices that are marked as suspicious: the mark is cleared.";
  const receipt = [`${exampleUuid} --reason "Seen on the receipt"`, `${exampleUuid} --undo`];
  const command = addDecisionCommand(program, "accept-price", accept, receipt, { kind: "accepted", undo: false });
  command.option("--undo", "let the rule mark them again");
  const withdraw = "Withdraw prices: they are in no answer, whatever is published next, until they are reinstated.";
  const mistakes = [
    `${exampleUuid} --reason "Entered for another market"`,
    '--file wrong-prices.ndjson --reason "Entered twice"',
  ];
  addDecisionCommand(program, "withdraw", withdraw, mistakes, { kind: "withdrawals", undo: false });
  const decision = { kind: "withdrawals", undo: true } as const;
  addStrictOption(
    addDecisionCommand(program, "reinstate", "Reinstate prices that are withdrawn.", [exampleUuid], decision),
  );
}

/** @param undo True where the command undoes decisions unless an option says otherwise. */
function addDecisionCommand(
  program: Command,
  name: string,
  description: string,
  examples: readonly string[],
  { kind, undo }: Pick<DecisionRequest, "kind"> & { readonly undo: boolean },
): Command {
  const uuidArgument = checkedArgument(toUuid, "the uuid of a price");
  const argument = (text: string, before: readonly Uuid[] = []): readonly Uuid[] => [...before, uuidArgument(text)];
  return addWritingCommand(program, name, description, examples)
    .argument("[uuid...]", "uuids of prices", argument)
    .option("--file <file>", "a file of uuids: one a line, or lines of prices (.ndjson)")
    .option("--reason <text>", "why, in a line", checkedText("--reason"))
    .action(
      onAnnouncedDirectory((uuids: readonly Uuid[] = [], options: DecisionOptions) =>
        decide(kind, uuids, { undo, ...options }),
      ),
    );
}

async function decide(
  kind: DecisionRequest["kind"],
  named: readonly Uuid[],
  options: DecisionOptions,
): Promise<Report> {
  const { file, reason, by = null, undo: isUndone = false } = options;
  const uuids = [...named, ...(file === undefined ? [] : await readUuids(file))];
  if (uuids.length === 0) throw new WrongUseError("no uuid is given, expected one at least");
  let decision: DecisionRequest["decision"];
  if (!isUndone) {
    if (reason === undefined) throw new WrongUseError("--reason is missing, expected why, in a line");
    decision = { reason, by };
  }
  const note = options.note ?? reason;
  const publish = (request: PublicationRequest) => decidePrices({ ...request, note, kind, uuids, decision });
  const verb = decisionVerb(kind, isUndone);
  return await runPublishing(options, publish, messagesOf(verb));
}

/** Says what a decision does with prices, as the end of `2 prices …`. */
export function decisionVerb(kind: DecisionRequest["kind"], isUndone: boolean): string {
  return verbs[kind][isUndone ? "undo" : "decide"];
}

const verbs = {
  accepted: { decide: "accepted", undo: "accepted no more" },
  withdrawals: { decide: "withdrawn", undo: "reinstated" },
} as const;

const uuidFileBytesMax = 64 * 1024 * 1024;

/** The uuids of a file, a line each. @throws {WrongUseError} when a line has none. */
async function readUuids(path: string): Promise<Uuid[]> {
  const text = await readRegularFile(path, uuidFileBytesMax).catch((error: unknown) => {
    const { found, wanted } = faultOfReading(error);
    throw new WrongUseError(`${path}: found ${found}, expected ${wanted}`, { cause: error });
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
  const uuid = line.startsWith("{") ? parseObject(line)?.["uuid"] : line;
  return typeof uuid === "string" ? toUuid(uuid) : undefined;
}

/** Messages of decisions. @param verb The end of `2 prices …`. */
function messagesOf(verb: string): PublicationMessages<DecisionReport> {
  return {
    summary: ({ decided }) => `${counted(decided.length, "price")} ${verb}`,
    isOfRows: false,
    unchanged: ({ knownCount }) =>
      `${counted(knownCount, "price is", "prices are")} ${verb} already, nothing published`,
    known: () => `${verb} already`,
    values: ({ decided, knownCount, missingCount }) => ({ ruled: decided, known: knownCount, missing: missingCount }),
  };
}
