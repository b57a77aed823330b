import assert from "node:assert/strict";
import fc from "fast-check";
import t from "tap";
import { instantText } from "../../../../src/engine/model/calendar.ts";
import type { Cell } from "../../../../src/publishing/importers/sheet/cells.ts";
import { DateReader, isDateFormat } from "../../../../src/publishing/importers/sheet/date-cell.ts";
import { unitKey } from "../../../../src/publishing/importers/sheet/known-names.ts";
import { identityKey, nameKey } from "../../../../src/publishing/importers/sheet/name-key.ts";
import {
  decimals,
  type NumberStyle,
  readNumber,
  readPriceCell,
  splitPriceCell,
  thousands,
} from "../../../../src/publishing/importers/sheet/price-cell.ts";
import type { SerialEpoch } from "../../../../src/publishing/importers/sheet/sheet-table.ts";

const styles: readonly NumberStyle[] = decimals.flatMap((decimal) =>
  thousands.filter((group) => group !== decimal).map((group) => ({ decimal, thousands: group })),
);

t.test("a number written in a style is read back, grouped or not", async () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...styles),
      fc.integer({ min: 0, max: 1e12 }),
      fc.integer({ min: 0, max: 999 }),
      fc.boolean(),
      fc.constantFrom(" ", "\u00a0", "\u202f"),
      (style, whole, fraction, isGrouped, space) => {
        const grouped = String(whole).replace(/\B(?=(?:\d{3})+$)/g, style.thousands === " " ? space : style.thousands);
        const digits = isGrouped ? grouped : String(whole);
        const text = fraction === 0 ? digits : `${digits}${style.decimal}${fraction}`;
        const expected = Number(fraction === 0 ? whole : `${whole}.${fraction}`);
        assert.equal(readNumber(text, { ...style, three_decimals: true }), expected);
        assert.equal(readNumber(text, style), fraction < 100 ? expected : undefined);
      },
    ),
  );
});

t.test("text that is no number in the style is none", async (t) => {
  const style = { decimal: ".", thousands: "," } as const;
  const cut = ["1,25", "1,2500", ",125", "1.2.3", "1,250,", "1 250", ".5", "5."];
  for (const text of [...cut, "", "1e3", "0x10", "+5", "5 kg", "١٢", "--5"]) {
    t.equal(readNumber(text, style), undefined, text);
  }
});

t.test("a group of three digits is no decimals, wherever it stands, unless the style means it", async (t) => {
  const point = { decimal: ".", thousands: "," } as const;
  const comma = { decimal: ",", thousands: " " } as const;
  for (const [text, style, price] of [
    ["1.300", point, 1.3],
    ["0.125", point, 0.125],
    ["1,300.500", point, 1300.5],
    ["KSh 9.500/=", point, 9.5],
    ["1,300", comma, 1.3],
    ["4 250,125", comma, 4250.125],
  ] as const) {
    t.match(readPriceCell(text, style), { found: JSON.stringify(text), wanted: /"three_decimals"/ }, text);
    t.match(readPriceCell(text, { ...style, three_decimals: true }), { price }, text);
  }
  t.match(readPriceCell("1.2345", point), { price: 1.2345 });
  t.match(readPriceCell(1.125, point), { price: 1.125 }, "a number of a workbook has no style");
});

t.test("numbers that are grouped in no style, and ranges, are refused; all spaces and apostrophes group", async (t) => {
  const point = { decimal: ".", thousands: "," } as const;
  const grouped = ["1,23,456", "12,34", "1,2345", "12,34,5", "0,125", "012,500", "1.300,50", "1\n200"];
  for (const text of [...grouped, "1,300 - 1,400"])
    t.match(readPriceCell(text, point), { wanted: /^a number above 0/ }, text);
  t.match(readPriceCell("1\n200", { decimal: ".", thousands: " " }), { wanted: /^a number above 0/ }, "two lines");
  t.strictSame(splitPriceCell("100/120"), { amount: "100/120", unit: null });
  for (const space of [" ", "\u00a0", "\u2009", "\u202f"])
    t.match(readPriceCell(`9${space}500`, { decimal: ".", thousands: " " }), { price: 9500 });
  for (const sign of ["'", "’"])
    t.match(readPriceCell(`9${sign}500`, { decimal: ".", thousands: "'" }), { price: 9500 });
});

t.test("a price is above 0, at most 1e12, and in a cell of its own", async (t) => {
  const style = { decimal: ",", thousands: "." } as const;
  const read = (cell: Cell) => readPriceCell(cell, style);
  t.strictSame(read("1.250,50"), { price: 1250.5, currencies: [] });
  t.match(read("KSh 1.250/="), { price: 1250, currencies: [{ sign: "KSh", codes: ["KES"] }, { sign: "/=" }] });
  t.strictSame(read(33.3), { price: 33.3, currencies: [] });
  const unusable = { unusable: "the error #REF!" };
  for (const cell of [0, -1, 1e12 + 1, Number.POSITIVE_INFINITY, "0", true, { clock: 0 }, unusable]) {
    t.match(read(cell), { wanted: /number above 0/ }, JSON.stringify(cell));
  }
  t.match(read(unusable), { found: "the error #REF!" });
  t.match(read({ merged: 5 }), { found: "merged with the cell above it" });
});

function readDate(cell: Cell, formats: readonly string[], epoch: SerialEpoch = 1900): string | undefined {
  const read = new DateReader(formats, epoch).read(cell);
  return typeof read === "number" ? instantText(read) : undefined;
}

t.test("dates are read in the forms given, in their order, and are Kenyan", async (t) => {
  const cases: readonly (readonly [Cell, string, string | undefined])[] = [
    ["2026-05-02", "yyyy-MM-dd", "2026-05-02T06:00:00.000Z"],
    ["2/5/2026", "dd/MM/yyyy", "2026-05-02T06:00:00.000Z"],
    ["2/5/2026", "MM/dd/yyyy", "2026-02-05T06:00:00.000Z"],
    ["2 may 2026", "d MMM yyyy", "2026-05-02T06:00:00.000Z"],
    ["September 9, 2026", "MMMM d, yyyy", "2026-09-09T06:00:00.000Z"],
    ["4 Sept 2026", "d MMM yyyy", "2026-09-04T06:00:00.000Z"],
    ["2 Mei 2026", "d MMM yyyy", "2026-05-02T06:00:00.000Z"],
    ["Monday, 4th May 2026", "d MMMM yyyy", "2026-05-04T06:00:00.000Z"],
    ["Jumanne 5 Mei 2026", "d MMM yyyy", "2026-05-05T06:00:00.000Z"],
    ["ALHAMISI, 7/5/2026", "dd/MM/yyyy", "2026-05-07T06:00:00.000Z"],
    ["Sun. May 3rd, 2026", "MMM d, yyyy", "2026-05-03T06:00:00.000Z"],
    ["Weds 2026-05-06", "yyyy-MM-dd", undefined],
    ["Tuesday, 4th May 2026", "d MMMM yyyy", undefined],
    ["Jumapili 4/5/2026", "dd/MM/yyyy", undefined],
    ["4xth May 2026", "d MMMM yyyy", undefined],
    ["2 DESEMBA 2026", "d MMMM yyyy", "2026-12-02T06:00:00.000Z"],
    ["2 J 2026", "d MMM yyyy", undefined],
    ["2 Mai 2026", "d MMM yyyy", undefined],
    ["02.05.26", "dd.MM.yy", "2026-05-02T06:00:00.000Z"],
    ["02.05.49", "dd.MM.yy", "2049-05-02T06:00:00.000Z"],
    ["02.05.50", "dd.MM.yy", "1950-05-02T06:00:00.000Z"],
    ["02/05/2026 14:30", "dd/MM/yyyy HH:mm", "2026-05-02T11:30:00.000Z"],
    ["02/05/2026 00:00", "dd/MM/yyyy HH:mm", "2026-05-02T06:00:00.000Z"],
    ["2026-05-02T00:30:00+01:00", "yyyy-MM-dd'T'HH:mm:ssXXX", "2026-05-01T23:30:00.000Z"],
    [20260502, "yyyyMMdd", "2026-05-02T06:00:00.000Z"],
    ["Jan-26", "MMM-yy", "2026-01-01T06:00:00.000Z"],
    ["mei-26", "MMM-yy", "2026-05-01T06:00:00.000Z"],
    ["Jan-5", "MMM-yy", undefined],
    ["05/6", "MM/yy", undefined],
    ["05/06", "MM/yy", "2006-05-01T06:00:00.000Z"],
    ["6/05/06", "yy/MM/dd", undefined],
    ["01/02/6", "dd/MM/yy", undefined],
    ["5-Jan-6", "d-MMM-yy", undefined],
    ["01/02/6 14:30", "dd/MM/yy HH:mm", undefined],
    ["20261", "yyyyMM", undefined],
    [202610, "yyyyMM", "2026-10-01T06:00:00.000Z"],
    ["2026105", "yyyyMMdd", undefined],
    ["11126", "dMMyy", undefined],
    [2026.1, "yyyy.MM", undefined],
    ["2026,1", "yyyy,M", undefined],
    ["2026.10", "yyyy.MM", "2026-10-01T06:00:00.000Z"],
    [1.2026, "MM.yyyy", "2026-01-01T06:00:00.000Z"],
    ["2026.5.2", "yyyy.MM.dd", "2026-05-02T06:00:00.000Z"],
    ["May 2026", "MMMM yyyy", "2026-05-01T06:00:00.000Z"],
    ["2026-02", "yyyy-MM", "2026-02-01T06:00:00.000Z"],
    ["2/2026", "MM/yyyy", "2026-02-01T06:00:00.000Z"],
    ["13/2026", "MM/yyyy", undefined],
    ["02/05/2026", "MM/yyyy", undefined],
    ["02/05/26", "dd/MM/yyyy", undefined],
    ["31/04/2026", "dd/MM/yyyy", undefined],
    ["02/05/2026 x", "dd/MM/yyyy", undefined],
    [46144, "serial", "2026-05-02T06:00:00.000Z"],
    ["46144.604166666664", "serial", "2026-05-02T11:30:00.000Z"],
    ["5/2/2026 2:05:09 PM", "MM/dd/yyyy h:mm:ss a", "2026-05-02T11:05:09.000Z"],
    ["13.5.2026 9:05 a.m.", "dd.MM.yyyy h:mm a", "2026-05-13T06:05:00.000Z"],
    ["13-05-2026 11:59PM", "dd-MM-yyyy h:mma", "2026-05-13T20:59:00.000Z"],
    ["5/2/2026 12:05 AM", "MM/dd/yyyy h:mm a", "2026-05-01T21:05:00.000Z"],
    ["5/2/2026 13:05 PM", "MM/dd/yyyy h:mm a", undefined],
    ["2026-05-02T21:30:00Z", "yyyy-MM-dd'T'HH:mm:ssXXX", "2026-05-02T21:30:00.000Z"],
    ["2026-05-02T23:59:59+0300", "yyyy-MM-dd'T'HH:mm:ssXXX", "2026-05-02T20:59:59.000Z"],
    ["2026-05-02T23:59+03", "yyyy-MM-dd'T'HH:mmX", "2026-05-02T20:59:00.000Z"],
    ["2026-05-02T08:11:02.5+03:00", "yyyy-MM-dd'T'HH:mm:ssXXX", "2026-05-02T05:11:02.500Z"],
    ["2026-05-02T08:11:02.123456Z", "yyyy-MM-dd'T'HH:mm:ss.SSSXXX", "2026-05-02T08:11:02.123Z"],
    ["02/05/2026 14:30:15,250", "dd/MM/yyyy HH:mm:ss", "2026-05-02T11:30:15.250Z"],
    ["02/05/2026 14:30.5", "dd/MM/yyyy HH:mm", undefined],
    ["29/02/2025", "dd/MM/yyyy", undefined],
    ["29/02/2024", "dd/MM/yyyy", "2024-02-29T06:00:00.000Z"],
    ["00/01/2026", "dd/MM/yyyy", undefined],
    ["31/12/1949", "dd/MM/yyyy", undefined],
    ["02/05/2206", "dd/MM/yyyy", undefined],
    [{ clock: Date.UTC(2206, 4, 2) }, "yyyy-MM-dd", undefined],
    [60, "serial", undefined],
    [1900, "serial", undefined],
    [2024, "serial", undefined],
    ["2199", "serial", undefined],
    [2024.5, "serial", undefined],
    [18_264, "serial", "1950-01-01T06:00:00.000Z"],
    [46144, "yyyy-MM-dd", undefined],
    [{ clock: Date.UTC(2026, 4, 2) }, "yyyy-MM-dd", "2026-05-02T06:00:00.000Z"],
    [{ clock: Date.UTC(2026, 4, 2, 14, 30) }, "yyyy-MM-dd", "2026-05-02T11:30:00.000Z"],
    [{ merged: { clock: Date.UTC(2026, 4, 2) } }, "yyyy-MM-dd", "2026-05-02T06:00:00.000Z"],
    [{ unusable: "the error #REF!" }, "yyyy-MM-dd", undefined],
    [true, "yyyy-MM-dd", undefined],
  ];
  for (const [cell, format, expected] of cases)
    t.equal(readDate(cell, [format]), expected, `${JSON.stringify(cell)} ${format}`);
  t.equal(readDate("05/13/2026", ["dd/MM/yyyy", "MM/dd/yyyy"]), "2026-05-13T06:00:00.000Z");
  t.equal(readDate("44682", ["serial"], 1904), "2026-05-02T06:00:00.000Z");
});

t.test("with both orders of day and month among the forms, a date that is right in both is refused", async (t) => {
  const read = (text: string, ...formats: string[]) => new DateReader(formats, 1900).read(text);
  const cases: readonly (readonly [text: string, ...formats: string[]])[] = [
    ["5/2/2026", "dd/MM/yyyy", "MM/dd/yyyy"],
    ["05.02.2026", "dd.MM.yyyy", "yyyy-MM-dd", "MM/dd/yyyy"],
    ["05-02-26", "MM/dd/yyyy", "dd-MM-yy"],
    ["05/02/2026 14:30", "MM/dd/yyyy", "dd/MM/yyyy HH:mm"],
    ["5/2/2026 2:05 PM", "MM/dd/yyyy h:mm a", "dd/MM/yyyy"],
    ["2026-05-02", "yyyy-dd-MM", "yyyy-MM-dd"],
  ];
  for (const [text, ...formats] of cases) {
    const refused = read(text, ...formats);
    t.match(refused, { found: /, which is 2026-0[25]-0[25] or 2026-0[25]-0[25]$/, wanted: /"date_formats"/ }, text);
  }
  t.type(read("5/13/2026", "dd/MM/yyyy", "MM/dd/yyyy"), "number");
  t.type(read("14/05/2026", "MM/dd/yyyy", "dd/MM/yyyy"), "number");
  t.type(read("5/5/2026", "dd/MM/yyyy", "MM/dd/yyyy"), "number", "the same day in both orders");
  t.type(read("5/2/2026", "dd/MM/yyyy", "yyyy-MM-dd", "d MMM yyyy"), "number", "one order");
  t.type(read("5/2/2026", "dd/MM/yyyy", "MM/yyyy"), "number", "a month has no order");
});

t.test("dates of which a program with the month first may have exchanged day and month are doubted", async (t) => {
  const doubts = (...dates: Cell[]): boolean => {
    const reader = new DateReader(["dd/MM/yyyy"], 1900);
    for (const date of dates) reader.read(date);
    return reader.exchanged !== undefined;
  };
  const date = (text: string): Cell => ({ clock: Date.parse(`${text}T00:00:00Z`) });
  t.ok(doubts(date("2026-05-06"), "13/06/2026", date("2026-12-06")));
  t.notOk(doubts(date("2026-05-13"), "13/06/2026", date("2026-12-06")), "one of the dates has a greater day");
  t.notOk(doubts(date("2026-05-06"), "12/06/2026"), "the text would have become a date");
  t.notOk(doubts("05/06/2026", "13/06/2026"), "there are texts alone");
});

t.test("a refused date says whether its year is out of range, or is all that there is", async (t) => {
  const wantedOf = (cell: Cell, format: string) => new DateReader([format], 1900).read(cell);
  t.match(wantedOf("03/05/2206", "dd/MM/yyyy"), { found: '"03/05/2206"', wanted: "a year from 1950 to 2099" });
  t.match(wantedOf(2024, "serial"), { wanted: "a date of the form serial; a year alone is no day" });
  t.match(wantedOf("2024", "yyyy-MM-dd"), { wanted: /a year alone is no day$/ });
  t.match(wantedOf("31/02/2026", "dd/MM/yyyy"), {
    found: '"31/02/2026"',
    wanted: /^a date of the form dd\/MM\/yyyy \("date_formats" in the mapping\)$/,
  });
});

t.test("a form of dates names year and month, mostly the day, and nothing that is not read strictly", async (t) => {
  for (const format of [
    ...["yyyy-MM-dd", "d MMMM yy", "dd/MM/yyyy HH:mm:ss", "yyyyMMdd", "serial", "d/M/yy h:mm a"],
    ...["MM-dd-yyyy hh:mm:ss a", "yyyy-MM-dd'T'HH:mm:ss.SSSX", "yyyy-MM-dd HH:mmXX"],
    ...["MMM-yy", "MMMM yyyy", "yyyy-MM", "MM/yyyy"],
  ]) {
    t.ok(isDateFormat(format), format);
  }
  for (const format of [
    ...["", "yyyy", "dd/yyyy", "dd/MM", "MM/yyyy HH:mm", "DD/MM/YYYY", "yyyy-MM-dd HH", "yyyy-MM-dd hh:mm"],
    ...["yyyy-MM-dd HH:mm a", "yyyy-MM-ddXXX", "yyyy-MM-dd ss", "EEEE d MMM yyyy", "d 'of' MMM yyyy"],
    ...["yyyy yy-MM", "yyyy MM MMM", "d dd/MM/yyyy", "dd/MM/yyyy HH:mm mm"],
  ]) {
    t.notOk(isDateFormat(format), format);
  }
});

t.test("names are equal without case, accents and punctuation; units keep their decimal point", async (t) => {
  t.equal(nameKey("Murang’a (TOWN)"), nameKey("muranga town"));
  t.equal(nameKey("Café"), "cafe");
  for (const name of ["Murangʼa", "murangʻa\u200b", "ＭＵＲＡＮＧ＇Ａ", "MURANG`A"])
    t.equal(nameKey(name), "muranga", name);
  t.not(nameKey("½ kg"), nameKey("12 kg"), "a fraction");
  t.not(unitKey("½ kg"), unitKey("12 kg"), "a fraction");
  t.equal(unitKey("９０ ｋｇ"), "90 kg");
  t.not(unitKey("m³"), unitKey("m"));
  t.equal(identityKey("Murangʼa"), "murangʼa", "identifiers stay as they were made");
  t.equal(unitKey("90-KG Bag"), unitKey("90 kg bag"));
  t.equal(unitKey("1,5 kg."), unitKey("1.5kg"));
  t.not(unitKey("1.5 kg"), unitKey("15 kg"));
  t.not(unitKey("0.5 l"), unitKey("05 l"));
});
