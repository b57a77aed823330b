import { Option } from "commander";
import { type KeyKind, keyKinds } from "../src/auth/key-format.ts";
import { createProgram, orWrongUse, runProgram } from "../src/cli/command.ts";
import { type KeysFileOptions, reportIssuedKey, reportKeys, reportRevocation } from "../src/cli/keys.ts";
import { printReport } from "../src/cli/output.ts";
import { ConfigError, readConfig } from "../src/config.ts";
import { baseUrlOf } from "../src/domain/base-url.ts";

const program = createProgram("keys", "Issue, list and revoke API keys. A running service follows within a second.", [
  'npm run keys -- issue --kind secret --label "analytics team"',
  "npm run keys -- list",
  "npm run keys -- revoke key_5Tq0Zr8a",
]);

program
  .command("issue")
  .description("make a key and print it, only now")
  .addOption(new Option("--kind <kind>", "what the key may do").choices(keyKinds).makeOptionMandatory())
  .requiredOption("--label <TEXT>", "owner or purpose of the key")
  .addOption(fileOption())
  .option("--json", "print one JSON object")
  .action(async (options: KeysFileOptions & { readonly kind: KeyKind; readonly label: string }) =>
    print(await reportIssuedKey({ ...options, baseUrl: options.json ? undefined : configuredBaseUrl() })),
  );

program
  .command("list")
  .description("show all keys, revoked ones too, in the order of issue")
  .addOption(fileOption())
  .option("--json", "print one JSON object")
  .action(async (options: KeysFileOptions) => print(await reportKeys(options)));

program
  .command("revoke")
  .description("revoke a key for good")
  .argument("<ID>", "the key's id, as list shows it")
  .addOption(fileOption())
  .option("--json", "print one JSON object")
  .action(async (id: string, options: KeysFileOptions) => print(await reportRevocation(id, options)));

await runProgram(program);

function fileOption(): Option {
  // As for the service, an empty variable counts as absent.
  return new Option("--file <path>", "the keys file; KEYS_FILE can name it too").default(
    process.env["KEYS_FILE"] || "keys.json",
  );
}

/** Read before a key is issued, so that a wrong variable leaves the keys file as it is. */
function configuredBaseUrl(): string | undefined {
  const { host, port } = orWrongUse(ConfigError, () => readConfig(process.env));
  return port === 0 ? undefined : baseUrlOf(host, port);
}

function print(text: string): void {
  printReport(`${text}\n`);
}
