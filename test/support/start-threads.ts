/** The service inside the test's process, with its threads, so that a test can get hold of what a client cannot. */

import { join } from "node:path";
import type { Worker } from "node:worker_threads";
import { pino } from "pino";
import type { Test } from "tap";
import type { FirstKeys } from "../../src/service/auth/keys-file.ts";
import { type Service, type ServiceOptions, startService } from "../../src/service/serve/start-service.ts";
import { serviceParts } from "../../src/service-parts.ts";
import { compileCache } from "./compile-cache.ts";
import type { LogLine } from "./start-process.ts";

// Threads take it from here; without it every one compiles the whole service.
process.env["NODE_COMPILE_CACHE"] = compileCache;

export interface PreparedService {
  readonly options: ServiceOptions;
  /** What the supervisor logs; what threads log is lost. */
  readonly log: LogLine[];
  readonly printed: string[];
  readonly shown: { readonly keys: FirstKeys; readonly baseUrl: string }[];
  /** Every server thread that was started, in order. */
  readonly workers: Worker[];
}

/** Options for a service over a folder made by `folderWithData`, which keep what the service logs. */
export function prepareService(folder: string, overrides: Partial<ServiceOptions> = {}): PreparedService {
  const log: LogLine[] = [];
  const printed: string[] = [];
  const shown: PreparedService["shown"] = [];
  const workers: Worker[] = [];
  const options = {
    parts: serviceParts,
    host: "127.0.0.1",
    port: 0,
    adminHost: "127.0.0.1",
    adminPort: 0,
    adminNames: [],
    dataDirectory: join(folder, "data"),
    keysFile: join(folder, "keys.json"),
    showFirstKeys: (keys: FirstKeys, baseUrl: string) => shown.push({ keys, baseUrl }),
    issueKeyCommands: ["issue a public key", "issue a secret key"],
    threadCount: 1,
    answerCacheBytes: 2 ** 20,
    exportAccess: "secret" as const,
    log: pino({ level: "trace" }, { write: (line: string) => log.push(JSON.parse(line)) }),
    logForm: {
      level: "silent",
      isForPerson: false,
      descriptor: 2,
      droppedLines: new BigUint64Array(new SharedArrayBuffer(8)),
    },
    print: (text: string) => printed.push(text),
    onThread: (worker: Worker) => workers.push(worker),
    ...overrides,
  };
  return { options, log, printed, shown, workers };
}

/** Starts a prepared service; it ends with the test. */
export async function startPrepared(t: Test, { options }: PreparedService): Promise<Service> {
  const service = await startService(options);
  t.teardown(() => service.stop());
  return service;
}
