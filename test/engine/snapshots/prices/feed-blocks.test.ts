import t from "tap";
import { BlockMemory, feedBlocks } from "../../../../src/engine/snapshots/prices/feed-blocks.ts";

t.test("lines come whole and in order however a stream joins its chunks", async (t) => {
  const lines = Array.from({ length: 300 }, (_, at) => `${at} ${"x".repeat((at * 997) % 50_000)}\n`);
  const content = Buffer.from(lines.join(""));
  for (const chunkBytes of [1000, 65_536, 200_000, content.length]) {
    const memory = new BlockMemory(1, 65_536);
    const found: string[] = [];
    async function* chunks(): AsyncGenerator<Buffer> {
      for (let at = 0; at < content.length; at += chunkBytes) yield content.subarray(at, at + chunkBytes);
    }
    const isUnfinished = await feedBlocks(chunks(), memory, async ({ start, end }) => {
      found.push(memory.bytes.toString("latin1", start, end));
      memory.release(start);
    });
    t.notOk(isUnfinished);
    t.ok(found.join("") === content.toString("latin1"), `chunks of ${chunkBytes} bytes`);
  }
});
