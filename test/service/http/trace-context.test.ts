import fc from "fast-check";
import t from "tap";
import { parseTraceparent } from "../../../src/service/http/request/read-request.ts";

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
const parentId = "00f067aa0ba902b7";
const good = `00-${traceId}-${parentId}-01`;

t.test("the ids of a well-formed header are taken", async (t) => {
  const ids = { trace_id: traceId, parent_id: parentId };
  t.strictSame(parseTraceparent(good), { ...ids, trace_flags: "01" });
  t.strictSame(parseTraceparent(`00-${traceId}-${parentId}-ff`), { ...ids, trace_flags: "ff" }, "any flags");
  t.strictSame(parseTraceparent(`cc-${traceId}-${parentId}-00`), { ...ids, trace_flags: "00" }, "a later version");
  t.strictSame(parseTraceparent(`cc-${traceId}-${parentId}-00-what the future brings`), { ...ids, trace_flags: "00" });
});

t.test("a malformed header is ignored", async (t) => {
  for (const header of [
    undefined,
    "",
    "00",
    `ff-${traceId}-${parentId}-01`,
    `0-${traceId}-${parentId}-01`,
    `00-${"0".repeat(32)}-${parentId}-01`,
    `00-${traceId}-${"0".repeat(16)}-01`,
    `00-${traceId.toUpperCase()}-${parentId}-01`,
    `00-${traceId}-${parentId.toUpperCase()}-01`,
    `00-${traceId.slice(1)}-${parentId}-01`,
    `00-${traceId}0-${parentId}-01`,
    `00-${traceId}-${parentId}-1`,
    `00-${traceId}-${parentId}-0g`,
    `${good}-more`,
    `${good}-`,
    `${good}0`,
    `${good}\n`,
    `cc-${traceId}-${parentId}-01.more`,
    `00_${traceId}-${parentId}-01`,
    ` ${good}`,
    `${good}, ${good}`,
  ]) {
    t.equal(parseTraceparent(header), undefined, String(header));
  }
});

/** The slow and obvious way: field by field, as the standard lists them. */
function parseByField(header: string): object | undefined {
  const isHex = (text: string | undefined, length: number): text is string =>
    text?.length === length && [...text].every((digit) => "0123456789abcdef".includes(digit));
  const [version, trace, parent, flags, ...rest] = header.split("-");
  if (!isHex(version, 2) || version === "ff" || (version === "00" && rest.length > 0)) return undefined;
  if (!isHex(trace, 32) || Number(`0x${trace}`) === 0) return undefined;
  if (!isHex(parent, 16) || Number(`0x${parent}`) === 0) return undefined;
  return isHex(flags, 2) ? { trace_id: trace, parent_id: parent, trace_flags: flags } : undefined;
}

t.test("any header is read as by the fields of the standard", async (t) => {
  const hex = (length: number) => fc.string({ unit: fc.constantFrom(..."0a9f"), minLength: length, maxLength: length });
  const field = (length: number) =>
    fc.oneof({ weight: 8, arbitrary: hex(length) }, fc.constant("0".repeat(length)), fc.string({ maxLength: length }));
  const version = fc.oneof(fc.constant("00"), fc.constant("ff"), field(2));
  const header = fc
    .tuple(version, field(32), field(16), field(2), fc.constantFrom("", "", "", "-", "-x", "0"))
    .map(([first, trace, parent, flags, rest]) => `${first}-${trace}-${parent}-${flags}${rest}`);
  fc.assert(
    fc.property(header, (text) => {
      t.strictSame(parseTraceparent(text), parseByField(text));
    }),
  );
});
