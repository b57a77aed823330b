/**
 * The environment → a frozen configuration, or one line that names the variable that is wrong and why. `variables`
 * declares each.
 */
import { isIPv4 } from "node:net";
import { availableParallelism } from "node:os";
import { checkEnvironment } from "./check-environment.ts";
import { commandLine } from "./contract/command-line.ts";
import { commitPattern } from "./engine/files/program-version.ts";
import { createChecker, wantedBy, wantedInstead } from "./engine/model/check-value.ts";
import { ForeseenError } from "./engine/model/foreseen-error.ts";
import {
  enumOf,
  type Keywords,
  objectOf,
  optional,
  type Schema,
  scalar,
  unit,
  type ValueOf,
  wanted,
} from "./engine/model/json-schema.ts";
import * as schema from "./engine/model/record-schema.ts";
import { readS3Access, remoteFolder } from "./publishing/transfer/origin.ts";
import { parsePublicKey } from "./publishing/transfer/publisher-key.ts";
import { destinationWanted, pushTargetAt } from "./publishing/transfer/push-destination.ts";
import { ratePerMinuteLimits } from "./service/auth/key-record.ts";
import { parseTrustedProxies, trustedProxiesWanted } from "./service/http/request/client-address.ts";
import { parseAdminNames } from "./service/serve/admin-access.ts";
import { connectionsMin, type WantedConnections } from "./service/serve/connection-limit.ts";
import type { ServiceOptions } from "./service/serve/start-service.ts";
import type { OriginOptions } from "./service-parts.ts";

export const logLevels = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;
export type LogLevel = (typeof logLevels)[number];

/** Options of a service that the environment does not have. */
type OtherOption = "log" | "logForm" | "print" | "showFirstKeys" | "issueKeyCommands" | "parts" | "createFollower";

export interface Config extends Omit<ServiceOptions, OtherOption>, WantedConnections {
  /** The origin to follow; absent where snapshots are published into the dataset directory. */
  readonly origin: OriginOptions | undefined;
  readonly logLevel: LogLevel;
  /** Lines that a start prints about the configuration. */
  readonly notices: readonly string[];
  readonly isProduction: boolean;
}

/** A variable of the environment is wrong; the message names it. */
export class ConfigError extends ForeseenError {}

/** Longer than a load balancer takes to see that `/ready` says 503, and to stop sending. */
const drainSecondsInProduction = 5;

const portMax = 65_535;
const threadCountMax = 256;
const connectionsMax = 1_000_000;
const cacheMebibytesMax = 65_536;

/** A whole number between these (both inclusive). */
function integer(minimum: number, maximum: number, keywords: Keywords): Schema<number> {
  return { ...schema.integer(minimum, maximum), ...keywords };
}

/** A text of any form. */
function text(fallback: string, description: string): Schema<string> {
  return scalar("string", { default: fallback, description });
}

/** A text that is read further. @param form Ready to follow "expected". */
function textOfForm(form: string, keywords: Keywords): Schema<string> {
  return scalar("string", { [wanted]: form, ...keywords });
}

/** The variables of the environment. Those without a default that are not optional have one that depends on others. */
export const variables = objectOf({
  HOST: text("127.0.0.1", "Address of the public port."),
  PORT: integer(0, portMax, { default: 3000, description: "The public port; 0 lets the system choose." }),
  ADMIN_HOST: text("127.0.0.1", "Address of the admin port."),
  ADMIN_PORT: integer(0, portMax, { default: 3001, description: "The admin port; 0 lets the system choose." }),
  ADMIN_NAMES: textOfForm("host names or IP addresses without ports, separated by commas", {
    default: "",
    description: "Names under which the admin port is asked for beside its own.",
  }),
  DATA_DIR: text("data", "Dataset directory."),
  KEYS_FILE: text("keys.json", "The file with the digests of the keys."),
  THREADS: integer(1, threadCountMax, {
    default: Math.min(availableParallelism(), threadCountMax),
    description: "Server threads.",
  }),
  ANSWER_CACHE_MB: integer(0, cacheMebibytesMax, {
    default: 64,
    [unit]: "MiB",
    description: "Memory for cached answers.",
  }),
  ROLLUP_TEXT_MB: integer(0, cacheMebibytesMax, {
    default: 32,
    [unit]: "MiB",
    description: "Memory for the texts of statistics over whole periods.",
  }),
  EXPORT_ACCESS: enumOf(["secret", "public"], {
    default: "secret",
    description: "The key that downloads and exports of prices and statistics need.",
  }),
  EXPLORER: optional(
    enumOf(["on", "off", "public", "admin"], { description: "Whether the pages for people are served." }),
  ),
  PUBLIC_URL: optional(
    textOfForm("https://host, or http:// with a loopback host, with a port or without, and no path", {
      description: "The address under which readers reach the service; without it pages have no absolute addresses.",
    }),
  ),
  MAX_CONNECTIONS: optional(
    integer(connectionsMin, connectionsMax, { description: "Connections of the process on the public port." }),
  ),
  MAX_CONNECTIONS_PER_ADDRESS: optional(
    integer(1, connectionsMax, { description: "Connections of one client address." }),
  ),
  RATE_LIMIT_PER_MINUTE: integer(0, ratePerMinuteLimits.max, {
    default: 0,
    description: "Requests a minute of a key without a rate of its own; 0 for no limit.",
  }),
  TRUST_PROXY: textOfForm(trustedProxiesWanted, {
    default: "0",
    description: "The proxies whose X-Forwarded-For names the client.",
  }),
  ORIGIN: optional(
    textOfForm("http(s)://host/path without credentials, or s3://bucket/prefix with AWS_ACCESS_KEY_ID and the like", {
      description: "The address of an origin to follow.",
    }),
  ),
  ORIGIN_PUBLIC_KEY: optional(
    textOfForm("the text that publisher-key shows", { description: "The publisher's public key." }),
  ),
  ORIGIN_POLL_SECONDS: integer(1, 86_400, {
    default: 5,
    [unit]: "seconds",
    description: "Time between two polls of the announcement.",
  }),
  ORIGIN_KEEP: integer(1, 1_000_000, { default: 3, description: "How many snapshots a replica keeps." }),
  PUSH_TO: optional(
    textOfForm(destinationWanted, { description: "Where commands that announce push to; not beside ORIGIN." }),
  ),
  SNAPSHOT_KEY_FILE: optional(
    textOfForm("a file", { description: "The key with which commands sign what they announce." }),
  ),
  MAX_STORE_MB: optional(
    integer(1, 16_777_216, { [unit]: "MiB", description: "What the stores of a swap may take together." }),
  ),
  LOG_LEVEL: enumOf(logLevels, { default: "info", description: "The least severe lines of the log." }),
  DRAIN_SECONDS: optional(
    integer(0, 300, { [unit]: "seconds", description: "How long a service that stops still answers." }),
  ),
  GIT_COMMIT: optional(
    textOfForm("7 to 64 hex digits", {
      pattern: commitPattern,
      description: "The commit of the build, where neither the package nor a `.git` says it.",
    }),
  ),
  NODE_ENV: text("", "With `production` the log has JSON lines also in a terminal."),
});

type Variables = ValueOf<typeof variables>;
type Environment = Readonly<Record<string, string | undefined>>;

const mebibyte = 2 ** 20;

/**
 * Reads the configuration. An empty variable counts as absent.
 *
 * @throws {ConfigError} naming the first variable that is wrong, or that would be lost under its name, what was found
 *   and what was expected.
 */
export function readConfig(environment: Environment): Config {
  const found = readVariables(environment);
  const findings = checkEnvironment(environment, Object.keys(variables.properties));
  const refused = findings.find(({ isRefused }) => isRefused);
  if (refused !== undefined) throw new ConfigError(refused.message);
  requirePushTo(environment, found);
  const isProduction = found.NODE_ENV === "production";
  const { DRAIN_SECONDS: drainSeconds = isProduction ? drainSecondsInProduction : 0 } = found;
  return Object.freeze({
    host: found.HOST,
    port: found.PORT,
    adminHost: found.ADMIN_HOST,
    adminPort: found.ADMIN_PORT,
    adminNames: parse("ADMIN_NAMES", found.ADMIN_NAMES, parseAdminNames),
    dataDirectory: found.DATA_DIR,
    keysFile: found.KEYS_FILE,
    threadCount: found.THREADS,
    answerCacheBytes: found.ANSWER_CACHE_MB * mebibyte,
    rollupTextBytes: found.ROLLUP_TEXT_MB * mebibyte,
    exportAccess: found.EXPORT_ACCESS,
    servesExplorer: servesExplorer(found, isProduction),
    publicUrl: found.PUBLIC_URL === undefined ? undefined : parse("PUBLIC_URL", found.PUBLIC_URL, parsePublicUrl),
    notices: [...findings.map(({ message }) => message), ...noticesOf(found)],
    connectionsMax: found.MAX_CONNECTIONS,
    connectionsPerAddressMax: found.MAX_CONNECTIONS_PER_ADDRESS,
    ratePerMinute: found.RATE_LIMIT_PER_MINUTE,
    trustedProxies: parse("TRUST_PROXY", found.TRUST_PROXY, parseTrustedProxies),
    origin: originOf(environment, found),
    storeBytesMax: found.MAX_STORE_MB && found.MAX_STORE_MB * mebibyte,
    logLevel: found.LOG_LEVEL,
    drainMilliseconds: 1000 * drainSeconds,
    isProduction,
  });
}

const checkVariables = createChecker(variables);

/** The variables with their defaults. */
function readVariables(environment: Environment): Variables {
  const fields: Readonly<Record<string, Keywords>> = variables.properties;
  const values = Object.fromEntries(
    Object.entries(fields).flatMap(([name, { type, default: fallback }]) => {
      const input = environment[name];
      if (!input) return fallback === undefined ? [] : [[name, fallback]];
      // A text that is no number is for the schema to refuse.
      return [[name, type === "integer" && /^\d{1,9}$/.test(input) ? Number(input) : input]];
    }),
  );
  const [problem] = checkVariables(values);
  if (problem === undefined) return values as Variables;
  const name = String(problem.path[0]);
  throw wrongVariable(name, environment[name], wantedInstead(problem));
}

/** Reads the text of a variable further. @param read Answers undefined for a text that is not of the wanted form. */
function parse<T>(name: keyof Variables, found: string, read: (found: string) => T | undefined): T {
  const value = read(found);
  if (value === undefined) throw wrongVariable(name, found, wantedBy(variables.properties[name]));
  return value;
}

function wrongVariable(name: string, found: string | undefined, expected: string): ConfigError {
  return new ConfigError(`${name} is ${JSON.stringify(found)}, expected ${expected}`);
}

const loopbackHosts = ["127.0.0.1", "::1", "localhost"];

/**
 * Returns whether the pages for people are served. They need no key, so by default they are only where nobody else
 * reaches the port: behind a proxy, a loopback address is public.
 */
function servesExplorer({ HOST: host, TRUST_PROXY: proxies, EXPLORER: input }: Variables, isProduction: boolean) {
  if (input === undefined) return loopbackHosts.includes(host) && proxies === "0" && !isProduction;
  return input === "on" || input === "public";
}

/**
 * The origin of an address without path, query, fragment and user: of https, or of http on this machine alone, because
 * addresses of pages are shared and followed over the network. Undefined for any other text.
 */
function parsePublicUrl(found: string): string | undefined {
  if (!/^https?:\/\/[^/\\?#@\s]+\/?$/i.test(found)) return undefined;
  const url = URL.parse(found);
  if (url === null) return undefined;
  const { protocol, hostname, origin } = url;
  const isLoopback =
    hostname === "localhost" || hostname === "[::1]" || (isIPv4(hostname) && hostname.startsWith("127."));
  return protocol === "https:" || isLoopback ? origin : undefined;
}

/** Lines about values that are understood no longer as they were. */
function noticesOf({ EXPLORER: input }: Variables): readonly string[] {
  if (input !== "admin") return [];
  return [
    `EXPLORER=admin serves no pages any more: ${commandLine("snapshot")} preview [ID] shows them on this machine alone`,
  ];
}

/** The origin to follow; undefined where none is named. */
function originOf(environment: Environment, found: Variables): OriginOptions | undefined {
  const { ORIGIN: address, ORIGIN_PUBLIC_KEY: publicKey } = found;
  if (address === undefined) return undefined;
  return {
    address,
    folder: parse("ORIGIN", address, (origin) => remoteFolder(origin, readS3Access(environment))),
    publicKey: publicKey === undefined ? null : parse("ORIGIN_PUBLIC_KEY", publicKey, parsePublicKey),
    pollMilliseconds: 1000 * found.ORIGIN_POLL_SECONDS,
    keep: found.ORIGIN_KEEP,
  };
}

/**
 * Commands push; the service only refuses what they could not use.
 *
 * @throws {ConfigError} for a place that cannot be pushed to, and where an origin is followed.
 */
function requirePushTo(environment: Environment, { ORIGIN: origin, PUSH_TO: address }: Variables): void {
  if (address === undefined) return;
  if (origin !== undefined) throw wrongVariable("PUSH_TO", address, "none beside ORIGIN: a replica publishes nothing");
  parse("PUSH_TO", address, (place) => pushTargetAt(place, environment));
}
