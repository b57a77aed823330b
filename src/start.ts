/** Starts the service from the environment, and ends it in good order. */
import { KeysFileError } from "./auth/keys-file-error.ts";
import { firstKeysText } from "./cli/first-keys-text.ts";
import { ConfigError, readConfig } from "./config.ts";
import { SnapshotUnavailableError } from "./dataset/load-current-dataset.ts";
import { ListenError } from "./serve/listen.ts";
import { createLog } from "./serve/log.ts";
import { type Service, type ServiceOptions, startService } from "./serve/start-service.ts";

const foreseen = [ConfigError, KeysFileError, SnapshotUnavailableError, ListenError];

/** Starts; when this returns, the service answers. A start that fails ends the process, with one line if it was foreseen. */
export async function start(): Promise<void> {
  try {
    const config = readConfig(process.env);
    const log = await createLog(config.logLevel, config.isProduction);
    const print = (text: string): unknown => process.stdout.write(text);
    // Where nobody looks, a key on stdout would end up in some log.
    const isSeen = config.isDefaultKeysFile || process.stdout.isTTY;
    const starting = startService({
      ...config,
      log,
      print,
      showFirstKeys: isSeen ? (keys, baseUrl) => print(firstKeysText(keys, config.keysFile, baseUrl)) : undefined,
    });
    stopOnSignals(starting, log);
    await starting;
  } catch (error) {
    const isForeseen = foreseen.some((kind) => error instanceof kind);
    process.stderr.write(`${isForeseen ? (error as Error).message : (error as Error).stack}\n`);
    process.exit(1);
  }
}

/** A signal that comes again changes nothing: npm passes on what the process has had from the terminal already. */
function stopOnSignals(starting: Promise<Service>, log: ServiceOptions["log"]): void {
  let isStopping = false;
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.on(signal, async () => {
      if (isStopping) return;
      isStopping = true;
      log.info({ signal }, "stopping");
      // A start that fails is told, and ends the process, where it is waited for.
      const service = await starting.catch(() => undefined);
      if (service === undefined) return;
      await service.stop();
      log.info("stopped");
      process.exit(0);
    });
  }
}
