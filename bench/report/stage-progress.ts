import { type Progress, startProgress } from "../../src/cli/progress.ts";

/** Shows a long run: a bar per stage on a terminal, otherwise one line when a stage begins. */
export interface StageProgress {
  readonly show: (stage: string, done: number, total: number) => void;
  readonly stop: () => void;
}

/** Starts with no stage. */
export function stageProgress(): StageProgress {
  let current = "";
  let bar: Progress | undefined;
  return {
    show: (stage, done, total) => {
      if (stage !== current) {
        bar?.stop();
        current = stage;
        bar = startProgress(stage, total);
        if (!process.stderr.isTTY) process.stderr.write(`${stage}\n`);
      }
      bar?.update(done);
    },
    stop: () => bar?.stop(),
  };
}
