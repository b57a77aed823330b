import { Option } from "commander";
import { createProgram, orWrongUse, runProgram, WrongUseError } from "../src/cli/command.ts";
import { printExactly } from "../src/cli/output.ts";
import { curlOfSignedCall, signCall } from "../src/cli/sign.ts";
import { ConfigError, readConfig } from "../src/config.ts";
import { commandLine } from "../src/contract/command-line.ts";
import { baseUrlOf } from "../src/engine/model/base-url.ts";

interface SignOptions {
  readonly body?: string;
  readonly key?: string;
  readonly timestamp?: string;
  readonly curl?: boolean;
  readonly baseUrl?: string;
}

const sign = commandLine("sign");
const pipedSign = commandLine("sign", { isPiped: true });

const program = createProgram(sign, "Sign a request with a secret key: print its three headers, or a curl command.", [
  `SIGNING_KEY=svc_sec_… ${sign} GET '/api/v1/products?page=2'`,
  `SIGNING_KEY=svc_sec_… ${pipedSign} POST /api/v1/prices/search --body '{"county_id":47}' --curl | sh`,
  `${sign} POST /api/v1/prices/statistics --body @question.json --key svc_sec_…`,
])
  .argument("<METHOD>", "the request's method, in either case")
  .argument("<PATH>", "its path with query string, exactly as it is sent")
  .option("--body <TEXT|@file>", "its body, or @ and the file that holds it")
  .addOption(new Option("--key <KEY>", "the secret key").env("SIGNING_KEY"))
  .option("--timestamp <N>", "seconds since 1970 to sign for (default: now)")
  .option("--curl", "print a complete curl command instead of the headers")
  .option("--base-url <URL>", "address of the service, for --curl (default: from HOST and PORT)")
  .action(async (method: string, path: string, { curl, baseUrl, ...options }: SignOptions) => {
    const call = await signCall({ method, path, ...options }, Date.now());
    const lines = curl
      ? [curlOfSignedCall(call, baseUrl ?? configuredBaseUrl())]
      : call.headers.map(([name, value]) => `${name}: ${value}`);
    printExactly(`${lines.join("\n")}\n`);
  });

await runProgram(program);

function configuredBaseUrl(): string {
  const { host, port } = orWrongUse(ConfigError, () => readConfig(process.env));
  if (port === 0) throw new WrongUseError("PORT is 0, expected the port that the service chose, or --base-url");
  return baseUrlOf(host, port);
}
