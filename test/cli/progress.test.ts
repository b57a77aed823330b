import { PassThrough } from "node:stream";
import t from "tap";
import { startProgress } from "../../src/cli/progress.ts";

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
