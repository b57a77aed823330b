/** Starts the service from the environment, and stops it in an orderly way. */
import { copyBundledData } from "./bundled-data.ts";
import { firstKeysText, issueKeyCommands } from "./cli/key-use.ts";
import { readConfig } from "./config.ts";
import { programVersion, versionText } from "./engine/files/program-version.ts";
import { ForeseenError } from "./engine/model/foreseen-error.ts";
import { setCollectorFlags } from "./service/serve/collector-flags.ts";
import { connectionLimit, readDescriptorLimit } from "./service/serve/connection-limit.ts";
import { logForm, openLog } from "./service/serve/service-log.ts";
import { type Service, type ServiceOptions, startService } from "./service/serve/start-service.ts";
import { followerOf, serviceParts } from "./service-parts.ts";

const parentPollMilliseconds = 500;

/**
 * Starts; when this returns, the service answers. A start that fails ends the process, with one line if it was
 * foreseen. With `--version` it prints version and commit instead.
 */
export async function start(): Promise<void> {
  if (process.argv.includes("--version")) {
    process.stdout.write(`${versionText(programVersion())}\n`);
    return;
  }
  setCollectorFlags();
  try {
    const config = readConfig(process.env);
    const { origin, notices, ...options } = config;
    const form = logForm(config.logLevel, config.isProduction);
    const log = await openLog(form);
    const print = (text: string): unknown => process.stdout.write(text);
    for (const notice of notices) print(`${notice}\n`);
    const copied = await copyBundledData(process.env);
    if (copied !== undefined) print(`${copied}\n`);
    // A reader that has gone, such as `head`, costs what is printed, not the service.
    process.stdout.on("error", (error) => log.warn({ err: error }, "stdout cannot be written"));
    // A stdout that is no terminal is a journal, a container's log or a file, and a key would stay there.
    const isSeen = process.stdout.isTTY;
    const starting = startService({
      ...options,
      parts: serviceParts,
      createFollower: origin && followerOf(origin),
      connectionLimit: connectionLimit(config, await readDescriptorLimit()),
      log,
      logForm: form,
      print,
      showFirstKeys: isSeen ? (keys, baseUrl) => print(firstKeysText(keys, config.keysFile, baseUrl)) : undefined,
      issueKeyCommands: issueKeyCommands(config.keysFile),
    });
    const stop = stopOnce(starting, log);
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => stop({ signal }));
    if (
      ["start", "npx"].includes(process.env["npm_lifecycle_event"] ?? "") ||
      process.env["STOP_WITH_PARENT"] !== undefined
    ) {
      stopWithParent(stop);
    }
    reloadOnHangUp(starting);
    await starting;
  } catch (error) {
    process.stderr.write(`${error instanceof ForeseenError ? (error as Error).message : (error as Error).stack}\n`);
    process.exit(1);
  }
}

/**
 * @returns Stops the service and ends the process, with the reason in the log. Further calls do nothing: npm passes on
 *   a signal that the process has had from the terminal already.
 */
function stopOnce(
  starting: Promise<Service>,
  log: ServiceOptions["log"],
): (reason: Readonly<Record<string, unknown>>) => Promise<void> {
  let isStopping = false;
  return async (reason) => {
    if (isStopping) return;
    isStopping = true;
    log.info(reason, "stopping");
    // A service that is still starting has no request to wait for; `start` reports one that has failed.
    const service = await Promise.race([starting, undefined]).catch(() => undefined);
    await service?.stop();
    log.info("stopped");
    process.exit(0);
  };
}

/**
 * Stops when npm is killed and so passes no signal on: the system then gives the process another parent. Windows does
 * not. Where scripts/run.js cannot become the service, it is the parent, sets `STOP_WITH_PARENT`, and ends with npm.
 */
function stopWithParent(stop: (reason: Readonly<Record<string, unknown>>) => void): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    stop({ ended_parent: parent });
  }, parentPollMilliseconds);
  timer.unref();
}

/** A signal that comes during the start takes effect after it. */
function reloadOnHangUp(starting: Promise<Service>): void {
  process.on("SIGHUP", async () => {
    const service = await starting.catch(() => undefined);
    await service?.reload();
  });
}
