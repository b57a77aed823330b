import fc from "fast-check";
import t from "tap";
import { type ByteText, bytesOf } from "../../../src/contract/byte-text.ts";
import * as s from "../../../src/contract/schema.ts";
import { type Instant, instantText } from "../../../src/engine/model/calendar.ts";
import { type ObjectSchema, optional, type Schema } from "../../../src/engine/model/json-schema.ts";
import { buildStore } from "../../../src/engine/store/build-store.ts";
import { writeList } from "../../../src/service/http/answer/json-writer.ts";
import { type FieldValue, rowWriter, withValue } from "../../../src/service/http/answer/row-writer.ts";
import { tinyDataset } from "../../support/tiny-dataset.ts";

const store = buildStore(tinyDataset());

/** Five cells; null where there is none. */
type Row = readonly [code: number, text: string | null, price: number, time: number, other: number | null];

const codeOf = () => (row: Row) => row[0];
const byCode = (name: string): FieldValue<Row> => ({
  codeOf,
  cellOf: (code) => (code === 2 ? null : `${name} “${code}”`),
});
const code = withValue<Schema, Row>(s.nullableText("Coded."), byCode("first"));
const coded = withValue<Schema, Row>(s.nullableText("Of the same code."), byCode("second"));
const missing = optional(withValue<Schema, Row>(s.text("Left out."), { ...byCode("third"), isNullable: true }));
const text = withValue<Schema, Row>(s.nullableText("Of the row."), { cellOf: ([, text]) => text, isNullable: true });
const price = withValue<Schema, Row>(s.number("A price.", "1"), { cellOf: ([, , price]) => price, isRounded: true });
const time = withValue<Schema, Row>(s.instant("A time."), { type: "timestamp", cellOf: (row) => row[3] });
const number = withValue<Schema, Row>(s.number("A number.", "1"), {
  type: "number",
  cellOf: (row) => row[4],
  isNullable: true,
});

/** The twin of all fields: an object, and JSON.stringify. */
function plainRow([code, text, price, time, other]: Row): object {
  const coded = (name: string): string | null => (code === 2 ? null : `${name} “${code}”`);
  const inner = { before: other ?? undefined, text, after: other ?? undefined };
  return {
    number: other ?? undefined,
    code: coded("first"),
    coded: coded("second"),
    missing: coded("third") ?? undefined,
    time: instantText(time as Instant),
    inner,
    object: other === null ? null : { number: other, time: instantText(time as Instant) },
    price: Math.round(price * 1e6) / 1e6,
  };
}

const schema: ObjectSchema = s.exactly({
  number: optional(number),
  code,
  coded,
  missing,
  time,
  inner: s.exactly({ before: optional(number), text, after: optional(number) }),
  object: s.nullable(s.object("Inner", "An object.", { number, time })),
  price,
});

function textOf(rows: readonly Row[], form?: Parameters<typeof rowWriter>[1]): string {
  const written = writeList(rows, rowWriter<Row>(schema, form)(store));
  return bytesOf((typeof written === "string" ? written : [...written].join("")) as ByteText).toString();
}

const row: fc.Arbitrary<Row> = fc.tuple<[number, string | null, number, number, number | null]>(
  fc.nat(4),
  fc.option(fc.string({ unit: "grapheme" })),
  fc.integer({ min: 0, max: 1e9 }).map((millionths) => millionths / 1e6),
  fc.integer({ min: 0, max: 2e12 }),
  fc.option(fc.integer()),
);

t.test("rows are what JSON.stringify makes of the same values, with fields left out and objects null", async () => {
  fc.assert(
    fc.property(fc.array(row, { maxLength: 6 }), (rows) => {
      t.equal(textOf(rows), JSON.stringify(rows.map(plainRow)));
    }),
  );
});

t.test("fields that come first lead, and without detail the required ones are there alone", async (t) => {
  const rows: Row[] = [[1, "a", 1.5, 0, 7]];
  const { code, coded, time, inner, object, price } = plainRow(rows[0] as Row) as Record<string, object>;
  const { text } = inner as { text?: string };
  t.equal(
    textOf(rows, { first: ["price", "time", "no such field"], isDetailed: false }),
    JSON.stringify([{ price, time, code, coded, inner: { text }, object }]),
  );
});

t.test("an object of which every field can be left out is refused", async (t) => {
  t.throws(() => rowWriter(s.exactly({ number: optional(number) })), /without a field that is always there/);
});
