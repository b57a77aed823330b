/**
 * Finds variables of the environment that do not do what they seem to do: misspelt names, `NODE_ENV` that nearly means
 * production, settings of a replica where nothing is followed.
 */
import leven from "leven";

/** One line about a variable. */
export interface EnvironmentFinding {
  readonly message: string;
  /**
   * True if the service must not start: without the variable it would be open to more, or serve other data, than was
   * asked for.
   */
  readonly isRefused: boolean;
}

/** Variables that limit what others may do, or say which data are served. */
const indispensable: ReadonlySet<string> = new Set([
  "ADMIN_HOST",
  "DATA_DIR",
  "EXPLORER",
  "MAX_CONNECTIONS",
  "MAX_CONNECTIONS_PER_ADDRESS",
  "MAX_STORE_MB",
  "NODE_ENV",
  "ORIGIN",
  "ORIGIN_PUBLIC_KEY",
  "RATE_LIMIT_PER_MINUTE",
  "TRUST_PROXY",
]);

/** Variables of other programs that lie near one of these: npm sets it for its scripts on Windows. */
const foreign: ReadonlySet<string> = new Set(["NODE_EXE"]);

/** Beginnings of other variables' names, such as `RATE_LIMIT`, have at least so many letters. */
const beginningLettersMin = 8;

/**
 * Finds all such variables, in the order of the environment. Empty ones count as absent.
 *
 * @param known The names of all variables.
 */
export function checkEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
  known: readonly string[],
): readonly EnvironmentFinding[] {
  const present = Object.keys(environment).filter((name) => environment[name]);
  return [
    ...present.filter((name) => !isSameVariable(name, environment)).flatMap((name) => misspelt(name, known, present)),
    ...checkNodeEnv(environment["NODE_ENV"] ?? ""),
    ...checkReplica(present),
  ];
}

/** True for another spelling of a variable that the system takes for the same: Windows does not tell case apart. */
function isSameVariable(name: string, environment: Readonly<Record<string, string | undefined>>): boolean {
  const upper = name.toUpperCase();
  return name !== upper && environment[upper] === environment[name];
}

function misspelt(name: string, known: readonly string[], present: readonly string[]): readonly EnvironmentFinding[] {
  const meant = nearestVariable(name, known);
  if (meant === undefined) return [];
  const isRefused = indispensable.has(meant) && !present.includes(meant) && isTypingError(name.toUpperCase(), meant);
  const message = isRefused
    ? `${name} is set and ${meant} is not, expected ${meant} or neither`
    : `${name} is no variable of this service; did you mean ${meant}?`;
  return [{ message, isRefused }];
}

/** The variable whose name is nearest to one that is none of them; undefined where none is near. */
function nearestVariable(name: string, known: readonly string[]): string | undefined {
  // Other names cannot be typed in a shell, and would be printed.
  if (known.includes(name) || foreign.has(name) || !/^\w+$/.test(name)) return undefined;
  const upper = name.toUpperCase();
  const near = known
    .map((variable) => ({ variable, distance: distanceBetween(upper, variable) }))
    .filter(({ variable, distance }) => distance <= distanceMax(variable));
  return near.sort((a, b) => a.distance - b.distance)[0]?.variable;
}

/**
 * True if no other program can mean the name: one letter differs, two neighbours are swapped, or the name is long.
 * `EXPORTER` is two letters from `EXPLORER`.
 */
function isTypingError(name: string, variable: string): boolean {
  const swapped = Array.from(variable.slice(1), (letter, at) => {
    return variable.slice(0, at) + letter + variable[at] + variable.slice(at + 2);
  });
  return variable.length >= longNameLength || distanceBetween(name, variable) <= 1 || swapped.includes(name);
}

/** The letters by which two names differ; 1 where one is the beginning of the other and long enough to be meant. */
function distanceBetween(name: string, variable: string): number {
  if (name.length >= beginningLettersMin && variable.startsWith(`${name}_`)) return 1;
  return leven(name, variable, { maxDistance: 4 });
}

/** Names of so many letters lie near no others. */
const longNameLength = 11;

/** Short names lie near those of other programs: `HOME` is two letters from `HOST`. */
function distanceMax({ length }: string): number {
  if (length >= longNameLength) return 3;
  return length >= 8 ? 2 : 1;
}

/** Values that many programs know, and that mean the same as none here. */
const plainNodeEnvs: ReadonlySet<string> = new Set(["", "production", "development", "test"]);

function checkNodeEnv(value: string): readonly EnvironmentFinding[] {
  if (plainNodeEnvs.has(value)) return [];
  const lower = value.trim().toLowerCase();
  const isNear = lower.startsWith("prod") || leven(lower, "production", { maxDistance: 3 }) <= 2;
  const found = `NODE_ENV is ${JSON.stringify(value)}`;
  if (isNear) return [{ message: `${found}, expected "production" or none`, isRefused: true }];
  return [{ message: `${found}, which changes nothing; only "production" does`, isRefused: false }];
}

const replicaVariables = ["ORIGIN_POLL_SECONDS", "ORIGIN_KEEP"];

function checkReplica(present: readonly string[]): readonly EnvironmentFinding[] {
  if (present.includes("ORIGIN")) return [];
  const findings = present
    .filter((name) => replicaVariables.includes(name))
    .map((name) => ({ message: `${name} changes nothing without ORIGIN`, isRefused: false }));
  // A publisher has the key for `snapshot verify`.
  if (!present.includes("ORIGIN_PUBLIC_KEY") || present.includes("SNAPSHOT_KEY_FILE")) return findings;
  const message =
    "ORIGIN_PUBLIC_KEY is set and ORIGIN is not, expected both: nothing is followed, so nothing is checked";
  return [...findings, { message, isRefused: true }];
}
