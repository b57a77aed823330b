import { setTimeout as delay } from "node:timers/promises";

const pollMilliseconds = 250;

export interface AdminTimes {
  readonly asked: number;
  /** Answers other than 200, and failures. */
  readonly failed: number;
  readonly longestMilliseconds: number;
}

/** Asks `/live` and `/metrics` on and on. @returns Stops, with what was seen. */
export function watchAdmin(adminUrl: string): () => Promise<AdminTimes> {
  const stop = new AbortController();
  let asked = 0;
  let failed = 0;
  let longestMilliseconds = 0;
  const watching = watch();
  return async () => {
    stop.abort();
    await watching;
    return { asked, failed, longestMilliseconds };
  };

  async function watch(): Promise<void> {
    while (!stop.signal.aborted) {
      for (const path of ["/live", "/metrics"]) {
        const started = performance.now();
        const status = await statusOf(adminUrl + path);
        asked++;
        if (status !== 200) failed++;
        longestMilliseconds = Math.max(longestMilliseconds, performance.now() - started);
      }
      await delay(pollMilliseconds, undefined, { signal: stop.signal }).catch(() => undefined);
    }
  }
}

async function statusOf(url: string): Promise<number | undefined> {
  try {
    const response = await fetch(url);
    await response.arrayBuffer();
    return response.status;
  } catch {
    return undefined;
  }
}
