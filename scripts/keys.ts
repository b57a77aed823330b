import { Option } from "commander";
import { duration, wholeNumber } from "../src/cli/argument.ts";
import { createProgram, orWrongUse, runProgram } from "../src/cli/command.ts";
import {
  type KeysFileOptions,
  reportIssuedKey,
  reportKeys,
  reportRevocation,
  reportRotatedKey,
} from "../src/cli/keys.ts";
import { printProblem, printReport } from "../src/cli/output.ts";
import { ConfigError, readConfig } from "../src/config.ts";
import { commandLine } from "../src/contract/command-line.ts";
import { type KeyKind, keyKinds } from "../src/contract/credentials.ts";
import { baseUrlOf } from "../src/engine/model/base-url.ts";
import { ratePerMinuteLimits } from "../src/service/auth/key-record.ts";

const dayMilliseconds = 86_400_000;

const keys = commandLine("keys");

const program = createProgram(
  keys,
  "Issue, list, rotate and revoke API keys. A running service follows within a second.",
  [
    `${keys} issue --kind secret --label "analytics team" --expires 90d`,
    `${keys} list`,
    `${keys} rotate key_5Tq0Zr8a --overlap 48h`,
    `${keys} revoke key_5Tq0Zr8a`,
  ],
);

interface IssueFlags extends KeysFileOptions {
  readonly kind: KeyKind;
  readonly label: string;
  readonly expires?: number;
  readonly rate?: number;
}

program
  .command("issue")
  .description("make a key and print it, only now")
  .addOption(new Option("--kind <kind>", "what the key may do").choices(keyKinds).makeOptionMandatory())
  .requiredOption("--label <TEXT>", "owner or purpose of the key")
  .addOption(expiresOption("it does not expire when absent"))
  .option(
    "--rate <N>",
    "the key's own limit, in requests a minute; that of the service when absent",
    wholeNumber(ratePerMinuteLimits),
  )
  .action(async (options: IssueFlags) => print(await reportIssuedKey(withBaseUrl(options))));

program
  .command("list")
  .description("show all keys, revoked and expired ones too, in the order of issue")
  .action(async (options: KeysFileOptions) => print(await reportKeys({ ...options, warn })));

interface RotateFlags extends KeysFileOptions {
  readonly overlap: number;
  readonly expires?: number;
}

program
  .command("rotate")
  .description("make a key of the same kind, label and rate in place of another, and print it, only now")
  .argument("<ID>", "the old key's id, as list shows it")
  .addOption(
    new Option("--overlap <DURATION>", "how long the old key stays good")
      .argParser(duration({ min: 0, max: 365 * dayMilliseconds, words: "0 to 365d" }))
      .default(dayMilliseconds, "24h"),
  )
  .addOption(expiresOption("as long as the old key's whole life when absent"))
  .action(async (id: string, options: RotateFlags) => print(await reportRotatedKey(id, withBaseUrl(options))));

program
  .command("revoke")
  .description("revoke a key for good")
  .argument("<ID>", "the key's id, as list shows it")
  .action(async (id: string, options: KeysFileOptions) => print(await reportRevocation(id, { ...options, warn })));

for (const command of program.commands) {
  // As for the service, an empty variable counts as absent.
  const keysFile = process.env["KEYS_FILE"] || "keys.json";
  command
    .option("--file <path>", "the keys file; KEYS_FILE can name it too", keysFile)
    .option("--json", "print one JSON object");
}

await runProgram(program);

function expiresOption(otherwise: string): Option {
  return new Option("--expires <DURATION>", `how long the new key is good, such as 90d; ${otherwise}`).argParser(
    duration({ min: 1000, max: 36_500 * dayMilliseconds, words: "1s to 36500d" }),
  );
}

/** The address is read before a key is issued, so that a wrong variable leaves the keys file as it is. */
function withBaseUrl<T extends KeysFileOptions>(options: T): T & { readonly baseUrl: string | undefined } {
  return { ...options, warn, baseUrl: options.json ? undefined : configuredBaseUrl() };
}

function configuredBaseUrl(): string | undefined {
  const { host, port } = orWrongUse(ConfigError, () => readConfig(process.env));
  return port === 0 ? undefined : baseUrlOf(host, port);
}

function print(text: string): void {
  printReport(`${text}\n`);
}

function warn(message: string): void {
  printProblem(`warning: ${message}\n`);
}
