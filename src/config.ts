/** The environment → a frozen configuration, or one line that names the variable that is wrong and why. */
import { availableParallelism } from "node:os";
import { ForeseenError } from "./engine/model/foreseen-error.ts";
import { readS3Access, remoteFolder } from "./publishing/transfer/origin.ts";
import { parsePublicKey } from "./publishing/transfer/publisher-key.ts";
import { ratePerMinuteLimits } from "./service/auth/key-record.ts";
import { parseTrustedProxies, trustedProxiesWanted } from "./service/http/connection/client-address.ts";
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

const portMax = 65_535;
const threadCountMax = 256;
const connectionsMax = 1_000_000;
const answerCacheDefaultMebibytes = 64;
const rollupTextDefaultMebibytes = 32;
const keptMebibytesMax = 65_536;
const drainSecondsMax = 300;
const storeMebibytesMax = 16_777_216;

/** Longer than a load balancer takes to see that `/ready` says 503, and to stop sending. */
const drainSecondsInProduction = 5;

const adminNamesWanted = "host names or IP addresses without ports, separated by commas";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the configuration. An empty variable counts as absent.
 *
 * @throws {ConfigError} naming the first variable that is wrong, what was found and what was expected.
 */
export function readConfig(environment: Environment): Config {
  const variables = variablesOf(environment);
  const { text, parsed, integer, oneOf, optionalInteger } = variables;
  const isProduction = environment["NODE_ENV"] === "production";
  return Object.freeze({
    host: text("HOST", "127.0.0.1"),
    port: integer("PORT", 3000, 0, portMax),
    adminHost: text("ADMIN_HOST", "127.0.0.1"),
    adminPort: integer("ADMIN_PORT", 3001, 0, portMax),
    adminNames: parsed("ADMIN_NAMES", "", parseAdminNames, adminNamesWanted),
    dataDirectory: text("DATA_DIR", "data"),
    keysFile: text("KEYS_FILE", "keys.json"),
    threadCount: integer("THREADS", Math.min(availableParallelism(), threadCountMax), 1, threadCountMax),
    answerCacheBytes: integer("ANSWER_CACHE_MB", answerCacheDefaultMebibytes, 0, keptMebibytesMax) * 2 ** 20,
    rollupTextBytes: integer("ROLLUP_TEXT_MB", rollupTextDefaultMebibytes, 0, keptMebibytesMax) * 2 ** 20,
    exportAccess: oneOf("EXPORT_ACCESS", ["secret", "public"], "secret"),
    servesExplorer: readExplorer(variables, isProduction),
    notices: noticesOf(environment),
    connectionsMax: optionalInteger("MAX_CONNECTIONS", connectionsMin, connectionsMax),
    connectionsPerAddressMax: optionalInteger("MAX_CONNECTIONS_PER_ADDRESS", 1, connectionsMax),
    ratePerMinute: integer("RATE_LIMIT_PER_MINUTE", 0, 0, ratePerMinuteLimits.max),
    trustedProxies: parsed("TRUST_PROXY", "0", parseTrustedProxies, trustedProxiesWanted),
    origin: readOrigin(environment, variables),
    storeBytesMax: optionalInteger("MAX_STORE_MB", 1, storeMebibytesMax, 2 ** 20),
    logLevel: oneOf("LOG_LEVEL", logLevels, "info"),
    drainMilliseconds: 1000 * integer("DRAIN_SECONDS", isProduction ? drainSecondsInProduction : 0, 0, drainSecondsMax),
    isProduction,
  });
}

const loopbackHosts = ["127.0.0.1", "::1", "localhost"];

/**
 * Returns whether the pages for people are served. They need no key, so by default they are only where nobody else
 * reaches the port: behind a proxy, a loopback address is public.
 */
function readExplorer({ text, oneOf }: ReturnType<typeof variablesOf>, isProduction: boolean): boolean {
  const isPrivate = loopbackHosts.includes(text("HOST", "127.0.0.1")) && text("TRUST_PROXY", "0") === "0";
  const found = oneOf("EXPLORER", ["on", "off", "public", "admin"], isPrivate && !isProduction ? "on" : "off");
  return found === "on" || found === "public";
}

/** Lines about values that are understood no longer as they were. */
function noticesOf(environment: Environment): readonly string[] {
  if (environment["EXPLORER"] !== "admin") return [];
  return ["EXPLORER=admin serves no pages any more: npm run snapshot -- preview [ID] shows them on this machine alone"];
}

/** Reads variables of each form; each reader throws a `ConfigError`. */
function variablesOf(environment: Environment) {
  const text = (name: string, fallback: string): string => environment[name] || fallback;
  /** @param parse Answers undefined for a text that is not as wanted. */
  const parsed = <T>(name: string, fallback: string, parse: (found: string) => T | undefined, wanted: string): T => {
    const found = text(name, fallback);
    const value = parse(found);
    if (value !== undefined) return value;
    throw new ConfigError(`${name} is ${JSON.stringify(found)}, expected ${wanted}`);
  };
  /** @param min The least number, as `max` is the greatest (both inclusive). */
  const integer = (name: string, fallback: number, min: number, max: number): number => {
    const parse = (found: string): number | undefined =>
      /^\d{1,9}$/.test(found) && Number(found) >= min && Number(found) <= max ? Number(found) : undefined;
    return parsed(name, String(fallback), parse, `a whole number from ${min} to ${max}`);
  };
  const oneOf = <Text extends string>(name: string, texts: readonly Text[], fallback: Text): Text =>
    parsed(name, fallback, (found) => texts.find((known) => known === found), `one of ${texts.join(", ")}`);
  /** @param unit What the value counts; the result is in ones. */
  const optionalInteger = (name: string, min: number, max: number, unit = 1): number | undefined =>
    environment[name] ? unit * integer(name, min, min, max) : undefined;
  return { text, parsed, integer, oneOf, optionalInteger };
}

/** The origin to follow; undefined where none is named. */
function readOrigin(
  environment: Environment,
  { parsed, integer }: ReturnType<typeof variablesOf>,
): OriginOptions | undefined {
  const address = environment["ORIGIN"];
  if (!address) return undefined;
  const wanted = "http(s)://host/path without credentials, or s3://bucket/prefix with AWS_ACCESS_KEY_ID and the like";
  const keyWanted = "the text that publisher-key shows";
  return {
    address,
    folder: parsed("ORIGIN", "", (found) => remoteFolder(found, readS3Access(environment)), wanted),
    publicKey: parsed("ORIGIN_PUBLIC_KEY", "", (found) => (found === "" ? null : parsePublicKey(found)), keyWanted),
    pollMilliseconds: 1000 * integer("ORIGIN_POLL_SECONDS", 5, 1, 86_400),
    keep: integer("ORIGIN_KEEP", 3, 1, 1_000_000),
  };
}
