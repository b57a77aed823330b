import { PassThrough } from "node:stream";
import t from "tap";
import { type Progress, startProgress, withProgress } from "../../src/cli/progress.ts";

/** A place to write to that says whether it is a terminal. */
function writtenTo(isTTY: boolean): { readonly stream: NodeJS.WriteStream; readonly text: () => string } {
  const stream = new PassThrough({ encoding: "utf8" });
  const terminal = Object.assign(stream, { isTTY, columns: 80 }) as unknown as NodeJS.WriteStream;
  return { stream: terminal, text: () => (stream.read() as string | null) ?? "" };
}

t.test("on a terminal a bar goes on and is cleared away", async (t) => {
  const { stream, text } = writtenTo(true);
  const bar = startProgress("reading", 200, stream);
  t.match(text(), /reading .* 0 %/);
  bar.update(200, 400);
  bar.stop();
  t.match(text(), /reading .* 50 %/, "of what there is to do in the meantime");
});

t.test("elsewhere nothing is written", async (t) => {
  const { stream, text } = writtenTo(false);
  const bar = startProgress("reading", 2, stream);
  bar.update(1);
  bar.stop();
  t.equal(text(), "");
});

/** Writes down what is asked of bars. */
function barsSeen(): { readonly seen: string[]; readonly start: (label: string, total: number) => Progress } {
  const seen: string[] = [];
  return {
    seen,
    start(label, total) {
      seen.push(`${label} ${total}`);
      return {
        update: (done, all) => seen.push(`${done} of ${all}`),
        stop: () => seen.push("stop"),
      };
    },
  };
}

t.test("a bar for each reading: it begins with the first bytes and goes with the last", async (t) => {
  const { seen, start } = barsSeen();
  const answer = await withProgress(
    "reading",
    true,
    async (onBytes) => {
      onBytes?.(1, 4);
      onBytes?.(2, 6);
      onBytes?.(6, 6);
      onBytes?.(8, 9);
      return "answer";
    },
    start,
  );
  t.equal(answer, "answer");
  t.same(seen, ["reading 4", "1 of 4", "2 of 6", "6 of 6", "stop", "reading 9", "8 of 9", "stop"]);
});

t.test("a bar goes when the work fails", async (t) => {
  const { seen, start } = barsSeen();
  const work = withProgress(
    "reading",
    true,
    async (onBytes) => {
      onBytes?.(1, 2);
      throw new Error("as it happens");
    },
    start,
  );
  await t.rejects(work, { message: "as it happens" });
  t.same(seen, ["reading 2", "1 of 2", "stop"]);
});

t.test("nothing is shown where none is wanted", async (t) => {
  const { seen, start } = barsSeen();
  t.equal(await withProgress("reading", false, async (onBytes) => onBytes, start), undefined);
  t.same(seen, []);
});
