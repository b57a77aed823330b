import assert from "node:assert/strict";
import fc from "fast-check";
import t from "tap";
import { bytesOf } from "../../../src/contract/byte-text.ts";
import { type Instant, instantText } from "../../../src/engine/model/calendar.ts";
import { readUuid } from "../../../src/engine/model/ids.ts";
import { roundFigure } from "../../../src/engine/store/figures.ts";
import { fragmentOf, JsonWriter } from "../../../src/service/http/answer/json-writer.ts";
import { anyCharacter } from "../../support/any-character.ts";
import { runsOf } from "../../support/fixed-seed.ts";

/** One thing to write, and the text expected of it. */
interface Part {
  readonly text: string;
  readonly write: (writer: JsonWriter) => void;
}

/** Numbers of all sizes, and many around the bounds of the writer's tables. */
const figures = fc.oneof(
  fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }),
  fc.double({ min: 0, max: 2e6, noNaN: true }),
  fc.tuple(fc.nat(2_000_000_000), fc.nat(9)).map(([digits, decimals]) => digits / 10 ** decimals),
  fc
    .tuple(fc.constantFrom(0, 1e-6, 1e-3, 1, 1e3, 1e6), fc.integer({ min: -3, max: 3 }))
    .map(([bound, millionths]) => Math.max(0, bound + millionths / 1e6)),
  fc.constantFrom(0, 0.000_000_4, 0.000_000_5, 999.999_999_5, 999_999.999_999_4, 999_999.999_999_5, 1e12, 1e21),
);

const numbers = fc.oneof(figures, fc.double({ noNaN: true, noDefaultInfinity: true }), fc.constant(-0));

/** Instants in the years of four digits. */
const instants = fc.oneof(
  fc.date({
    min: new Date("0000-01-01T00:00:00.000Z"),
    max: new Date("9999-12-31T23:59:59.999Z"),
    noInvalidDate: true,
  }),
  fc.date({ min: new Date("2015-01-01"), max: new Date("2030-01-01"), noInvalidDate: true }),
);

const texts = fc.oneof(
  fc.string(),
  fc.string({ unit: "grapheme" }),
  fc.string({ unit: anyCharacter }).map((text) => JSON.stringify(text)),
  fc.constantFrom("", "\u007f", "\u00f0\u007f", "ÿ\u007fÿ\u007fÿ\u007fÿ\u007f", "x".repeat(100_000)),
);

const parts: fc.Arbitrary<Part> = fc.oneof(
  texts.map((text) => ({ text, write: (writer: JsonWriter) => writer.text(text) })),
  texts.map((text) => ({ text, write: (writer: JsonWriter) => writer.fragment(fragmentOf(text)) })),
  numbers.map((value) => ({ text: JSON.stringify(value), write: (writer: JsonWriter) => writer.number(value) })),
  figures.map((value) => ({
    text: JSON.stringify(roundFigure(value)),
    write: (writer: JsonWriter) => writer.figure(value),
  })),
  fc.uint32Array({ minLength: 8, maxLength: 8 }).map((words) => ({
    text: readUuid(words, 1),
    write: (writer: JsonWriter) => writer.uuid(words, 1),
  })),
  instants.map((date) => ({
    text: instantText(date.getTime() as Instant),
    write: (writer: JsonWriter) => writer.instant(date.getTime() as Instant),
  })),
);

t.test("what is written is the text of its parts, one behind the other", async () => {
  const writer = new JsonWriter();
  fc.assert(
    fc.property(fc.array(parts, { maxLength: 30 }), (parts) => {
      const expected = parts
        .map(({ text }) => text)
        .join("")
        .toWellFormed();
      for (const { write } of parts) write(writer);
      assert.equal(writer.length, Buffer.byteLength(expected));
      assert.equal(bytesOf(writer.take()).toString(), expected);
      assert.equal(writer.length, 0);
    }),
    { numRuns: runsOf(1000, 3000) },
  );
});

t.test("a number is as JSON writes it, and a figure as JSON writes it rounded", async () => {
  const writer = new JsonWriter();
  fc.assert(
    fc.property(figures, (value) => {
      writer.figure(value);
      assert.equal(writer.take(), JSON.stringify(roundFigure(value)));
      writer.number(value);
      assert.equal(writer.take(), JSON.stringify(value));
    }),
    { numRuns: runsOf(3000, 10_000) },
  );
});

t.test("a text longer than the writer's memory is whole, and what was cleared is not in it", async (t) => {
  const writer = new JsonWriter();
  writer.text("dropped");
  writer.clear();
  const expected: string[] = [];
  for (let at = 0; at < 30_000; at++) {
    writer.fragment(fragmentOf(`{"at":`));
    writer.number(at / 8);
    expected.push(`{"at":${at / 8}`);
  }
  t.equal(writer.take(), expected.join(""));
});
