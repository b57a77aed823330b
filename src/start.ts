/** Starts the service from the environment, and ends it in good order. */
import { KeysFileError } from "./auth/keys-file-error.ts";
import { firstKeysText } from "./cli/first-keys-text.ts";
import { issueKeyCommands } from "./cli/key-use.ts";
import { ConfigError, readConfig } from "./config.ts";
import { ListenError } from "./serve/listen.ts";
import { LoadFailedError } from "./serve/load-failed-error.ts";
import { logForm, openLog } from "./serve/log.ts";
import { type Service, type ServiceOptions, startService } from "./serve/start-service.ts";

const foreseen = [ConfigError, KeysFileError, LoadFailedError, ListenError];

/** Starts; when this returns, the service answers. A start that fails ends the process, with one line if it was foreseen. */
export async function start(): Promise<void> {
  try {
    const config = readConfig(process.env);
    const form = logForm(config.logLevel, config.isProduction);
    const log = await openLog(form);
    const print = (text: string): unknown => process.stdout.write(text);
    // Where stdout is no terminal, it is a journal, a container's log or a file, and a key would stay there.
    const isSeen = process.stdout.isTTY;
    const starting = startService({
      ...config,
      log,
      logForm: form,
      print,
      showFirstKeys: isSeen ? (keys, baseUrl) => print(firstKeysText(keys, config.keysFile, baseUrl)) : undefined,
      issueKeyCommands: issueKeyCommands(config.keysFile),
    });
    stopOnSignals(starting, log);
    reloadOnHangUp(starting);
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
  let service: Service | undefined;
  starting.then(
    (started) => {
      service = started;
    },
    // Told where the start is waited for.
    () => undefined,
  );
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.on(signal, async () => {
      if (isStopping) return;
      isStopping = true;
      log.info({ signal }, "stopping");
      // A service that is still starting has taken on nothing that it would have to end.
      await service?.stop();
      log.info("stopped");
      process.exit(0);
    });
  }
}

/** A signal that comes during the start is obeyed after it. */
function reloadOnHangUp(starting: Promise<Service>): void {
  process.on("SIGHUP", async () => {
    const service = await starting.catch(() => undefined);
    await service?.reload();
  });
}
