import t from "tap";
import { ResponseReader } from "../../../bench/http/load/response-reader.ts";

const sized = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nhello";
const empty = "HTTP/1.1 304 Not Modified\r\ncontent-length:0\r\n\r\n";
const chunked =
  "HTTP/1.1 503 Busy\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n1a\r\nabcdefghijklmnopqrstuvwxyz\r\n0\r\n\r\n";

t.test("an answer is complete with its last byte, however it is cut", async (t) => {
  for (const [answer, status] of [
    [sized, 200],
    [empty, 304],
    [chunked, 503],
  ] as const) {
    for (let size = 1; size <= answer.length; size++) {
      const reader = new ResponseReader();
      // One reader takes the answers of a connection one after the other.
      for (let round = 0; round < 2; round++) {
        for (let at = 0; at < answer.length; at += size) {
          const found = reader.read(Buffer.from(answer.slice(at, at + size)));
          const expected = at + size >= answer.length ? status : undefined;
          if (found !== expected) t.fail(`pieces of ${size}, at ${at}: found ${found}, expected ${expected}`);
        }
      }
    }
  }
});

t.test("what is no such answer is refused", async (t) => {
  const read = (answer: string) => () => new ResponseReader().read(Buffer.from(answer));
  t.throws(read("HTTP/1.1 200 OK\r\nDate: today\r\n\r\n"), /neither Content-Length nor chunks/);
  t.throws(read(`${sized}!`), /1 bytes longer than its Content-Length/);
  t.throws(read("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nhello\r\n"), /expected its size/);
});
