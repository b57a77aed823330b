/**
 * A bucket on this machine, to try pushing and following without an account: an S3 server on loopback, which checks
 * signatures. The bucket begins empty and is removed at the end.
 */
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createProgram, runProgram } from "../../src/cli/command.ts";
import { printReport } from "../../src/cli/output.ts";
import { peersFolder, requirePeers } from "../peer-packages.ts";

const bucket = "prices";
/** The one pair of credentials that the server knows. */
const credentials = "S3RVER";

/** What is used of the package, which has no types. */
interface BucketServer {
  run(): Promise<AddressInfo>;
  close(): Promise<void>;
}

type BucketServerClass = new (options: {
  readonly address: string;
  readonly port: number;
  readonly directory: string;
  readonly silent: boolean;
  readonly configureBuckets: readonly { readonly name: string }[];
}) => BucketServer;

const program = createProgram(
  "npm run try -- bucket",
  "Starts an empty bucket on this machine until Ctrl-C, and says how to use it.",
  ["npm run try -- bucket"],
).action(async () => {
  const Server = loadServer();
  const directory = await mkdtemp(join(tmpdir(), "farm-prices-bucket-"));
  try {
    const server = new Server({
      ...{ address: "127.0.0.1", port: 0, directory, silent: true },
      configureBuckets: [{ name: bucket }],
    });
    const { port } = await server.run();
    printReport(usageText(`http://127.0.0.1:${port}`));
    await Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]);
    await server.close();
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
});
await runProgram(program);
// Clients may have connections that are kept alive.
process.exit();

/** @throws {RefusedError} Where the package is not installed. */
function loadServer(): BucketServerClass {
  requirePeers();
  return createRequire(join(peersFolder, "package.json"))("@20minutes/s3rver") as BucketServerClass;
}

/** Lines to copy into other terminals. */
function usageText(endpoint: string): string {
  return `the bucket s3://${bucket} is at ${endpoint} until Ctrl-C; in other terminals first set

export S3_ENDPOINT=${endpoint} AWS_REGION=us-east-1
export AWS_ACCESS_KEY_ID=${credentials} AWS_SECRET_ACCESS_KEY=${credentials}

Push a copy of the data; with PUSH_TO, every command that publishes does so too:

cp -r data practice
DATA_DIR=practice PUSH_TO=s3://${bucket}/kenya npm run snapshot -- announce

Follow it with a service:

mkdir replica
DATA_DIR=replica/data KEYS_FILE=replica/keys.json PORT=3010 ADMIN_PORT=3011 ORIGIN=s3://${bucket}/kenya npm start
`;
}
