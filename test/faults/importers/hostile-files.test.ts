/** Small files that would take gigabytes or hours: each is refused in a line that names the file and the limit. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import t, { type Test } from "tap";
import { inspectTables } from "../../../src/publishing/importers/sheet/inspect-table.ts";
import { parseTables } from "../../../src/publishing/importers/sheet/parse-tables.ts";
import { readPriceCell, splitPriceCell } from "../../../src/publishing/importers/sheet/price-cell.ts";
import { readCsvTable } from "../../../src/publishing/importers/sheet/read-csv-table.ts";
import { readTables } from "../../../src/publishing/importers/sheet/read-sheet-tables.ts";
import { readerLimits } from "../../../src/publishing/importers/sheet/reader-limits.ts";
import { cellCharactersMax, rowCharactersMax, rowsMax } from "../../../src/publishing/importers/sheet/sheet-table.ts";
import { runCommand } from "../../cli/run-command.ts";
import { afterBytes, hostileWorkbooks } from "../../support/hostile-workbooks.ts";
import { processorMilliseconds } from "../../support/processor-time.ts";
import { workbookOf } from "../../support/zip-archive.ts";

/** Pieces of markup in a workbook: a parser makes some 500 MB of the smallest of them. */
const pieces = 2_000_000;

/** Less than the command allows, so that a workbook of fewer pieces exceeds it. Node itself takes 60 MiB. */
const smallLimits = { ...readerLimits, mebibytes: 120 };
const fewPieces = 600_000;

/** The guard looks every 10 ms, on a busy machine less often. */
const overshootMebibytes = 60;

/** The most memory that processes which this one started had while work was done. Without /proc: NaN. */
async function memoryOfChildren(work: () => Promise<void>): Promise<number> {
  let peak = Number.NaN;
  const timer = setInterval(() => {
    for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
      const status = statusOf(pid);
      if (!new RegExp(`^PPid:\\s+${process.pid}$`, "m").test(status)) continue;
      const [, kibibytes] = /^VmHWM:\s+(\d+) kB$/m.exec(status) ?? [];
      peak = Math.max(Number.isNaN(peak) ? 0 : peak, Number(kibibytes ?? 0) / 1024);
    }
  }, 20);
  await work().finally(() => clearInterval(timer));
  return peak;
}

function statusOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/status`, "latin1");
  } catch {
    return "";
  }
}

/** @returns The message. */
async function refusalOf(t: Test, file: string, bytes: Buffer, limits = readerLimits): Promise<string> {
  const path = join(t.testdir(), file);
  writeFileSync(path, bytes);
  const error = await readTables(path, {}, limits).catch((error: unknown) => error);
  t.match(error, { name: "ImportRefusedError", message: new RegExp(`^${file}.*: .+`) });
  return (error as Error).message;
}

const tooMuchMemory = `takes too much memory to read, expected at most ${smallLimits.mebibytes} MiB`;

const exhausting = [
  "empty shared strings",
  "one byte before the markup of its shared strings",
  "shared strings under the name of a picture",
  "two entries of one name",
  "an entry that is said to be empty",
  "an entry whose sizes stand in its own header alone",
  "shared strings whose first attribute holds a tag",
  "comments without end",
];

for (const what of exhausting) {
  t.test(`a workbook of little size with ${what} takes no more memory than it may`, async (t) => {
    const bytes = hostileWorkbooks[what]?.(fewPieces) as Buffer;
    t.ok(bytes.length < fewPieces / 4);
    const peak = await memoryOfChildren(async () => {
      t.match(await refusalOf(t, "prices.xlsx", bytes, smallLimits), tooMuchMemory);
    });
    if (process.platform === "linux") t.ok(peak < smallLimits.mebibytes + overshootMebibytes, `${peak} MiB`);
  });
}

t.test("bytes before the archive change nothing", async (t) => {
  const bytes = hostileWorkbooks["empty shared strings"]?.(fewPieces) as Buffer;
  const before = Buffer.from("PK\x03\x04", "latin1");
  t.match(await refusalOf(t, "prices.xlsx", afterBytes(bytes, before, true), smallLimits), tooMuchMemory);
  t.match(await refusalOf(t, "prices.xlsx", afterBytes(bytes, Buffer.from("x"), true)), "found a NUL character");
});

t.test("a workbook that takes too long is refused, however little memory it takes", async (t) => {
  const bytes = hostileWorkbooks["one link many times"]?.(pieces) as Buffer;
  const message = await refusalOf(t, "prices.xlsx", bytes, { ...readerLimits, seconds: 1 });
  t.match(message, "takes too much time to read, expected at most 1 s of processor time");
});

t.test("a full heap is a refusal as well, and nothing that V8 prints", async (t) => {
  const bytes = hostileWorkbooks["empty cells"]?.(pieces) as Buffer;
  const message = await refusalOf(t, "prices.xlsx", bytes, { ...readerLimits, heapMebibytes: 8 });
  t.match(message, "takes too much memory to read");
});

t.test("the command refuses in one line, with or without --init, and leaves nothing behind", async (t) => {
  const data = join(import.meta.dirname, "../../../data");
  const limit = `expected at most ${readerLimits.mebibytes} MiB`;
  const tooMuch = new RegExp(`^prices\\.xlsx: takes too much memory to read, ${limit}[^\\n]*\\n$`);
  const columns = { date: "Date", market: "Market", product: "Product", price: "Price", unit: "Unit" };
  const mapping = JSON.stringify({ source: "Kitui", columns, values: { currency: "KES" } });
  const cwd = t.testdir({ "mapping.json": mapping });
  writeFileSync(join(cwd, "prices.xlsx"), hostileWorkbooks["empty shared strings"]?.(pieces) as Buffer);
  const peak = await memoryOfChildren(async () => {
    for (const args of [
      ["--mapping", "new.json", "--init"],
      ["--mapping", "mapping.json", "--out", "out"],
    ]) {
      const { code, stderr } = await runCommand("import-csv", ["prices.xlsx", ...args], cwd, { DATA_DIR: data });
      t.equal(code, 1);
      t.match(stderr, tooMuch);
    }
  });
  if (process.platform === "linux") t.ok(peak < readerLimits.mebibytes + overshootMebibytes, `${peak} MiB`);
  t.strictSame(readdirSync(cwd).sort(), ["mapping.json", "prices.xlsx"]);
});

const long = "x".repeat(100_000);
const inlineCell = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`;

const texts: Readonly<Record<string, readonly [bytes: Buffer, message: RegExp]>> = {
  "a workbook with a cell that is too long": [
    workbookOf(`<row>${inlineCell("x".repeat(cellCharactersMax + 1))}</row>`),
    /: found a cell of more than 131072 characters/,
  ],
  "a workbook with a row that is too long": [
    workbookOf(`<row>${inlineCell(long).repeat(11)}</row>`),
    /: found a row of more than 1048576 characters/,
  ],
  "a workbook with an error that is too long": [
    workbookOf(`<row><c t="e"><v>${"x".repeat(cellCharactersMax + 1)}</v></c></row>`),
    /: found a cell of more than 131072 characters/,
  ],
  "a CSV file with a cell that is too long": [
    Buffer.from(`a,b\n${"x".repeat(cellCharactersMax + 1)},1\n`),
    /: found a cell of more than 131072 characters/,
  ],
  "a CSV file with a row that is too long": [
    Buffer.from(`a,b\n${`${long},`.repeat(11)}\n`),
    /:2: found a row that is too long/,
  ],
  "a CSV file with a quote that is never closed": [
    Buffer.from(`a,b\n"${"x\n".repeat(rowCharactersMax)}`),
    /:2: found a row that is too long, or has a quote inside a cell or one that does not close/,
  ],
};

for (const [what, [bytes, message]] of Object.entries(texts)) {
  t.test(`${what} is refused`, async (t) => {
    const path = join(t.testdir(), "prices");
    writeFileSync(path, bytes);
    await t.rejects(parseTables(path, {}), { name: "ImportRefusedError", message });
  });
}

t.test("more rows than a table may have are refused", async (t) => {
  const path = join(t.testdir(), "prices");
  writeFileSync(path, "a\n".repeat(rowsMax + 1));
  await t.rejects(parseTables(path, {}), { message: /found more than 500000 rows/ });
});

t.test("commas without a line end are refused", async (t) => {
  t.match(await refusalOf(t, "prices.csv", Buffer.alloc(10_000_000, ","), smallLimits), tooMuchMemory);
});

t.test("a long text in the column of prices takes no time", async (t) => {
  const style = { decimal: ".", thousands: "," } as const;
  for (const text of [`1${" ".repeat(100_000)}x`, "1 ".repeat(50_000)]) {
    const begun = processorMilliseconds();
    t.strictSame(splitPriceCell(text), { amount: text, unit: null });
    t.match(readPriceCell(text, style), { kind: "value", wanted: /^a number above 0/ });
    t.ok(processorMilliseconds() - begun < 1000);
  }
});

t.test("an inspection takes time in proportion to the length of texts in a title, a heading or any cell", (t) => {
  const length = 100_000;
  for (const piece of ["a", "1", "1.", " "]) {
    const long = `1${piece.repeat(length / piece.length)}a1`;
    const row = Array.from({ length: 7 }, () => long).join(",");
    const table = (first: string, heading: string): string =>
      `${first}\ndate,market,product,price,unit,currency,${heading}\n${row}\n2026-01-05,Kitale,Maize,50,kg,KES,\n`;
    const begun = processorMilliseconds();
    for (const text of [table(`prices ${long}`, "notes"), table("prices", `price ${long}`)]) {
      const { mapping } = inspectTables([readCsvTable("prices.csv", Buffer.from(text), {})], "prices.csv", "Test");
      t.match(mapping.columns, { date: "date", product: "product" });
    }
    // About 1 s; where it grows with the square of the length, tens of seconds.
    t.ok(processorMilliseconds() - begun < 8000, JSON.stringify(piece));
  }
  t.end();
});

t.test("a message is one line of little length, whatever the file says", async (t) => {
  const sheets = `<sheets><sheet name="a&#10;${"b".repeat(100_000)}" sheetId="1" r:id="rId9"/></sheets>`;
  const bytes = workbookOf("", [{ name: "xl/workbook.xml", content: `<workbook>${sheets}</workbook>` }]);
  const message = await refusalOf(t, "prices.xlsx", bytes);
  t.match(message, /a damaged one .*"a\\nbb/);
  t.ok(message.length < 2100 && !message.includes("\n"));
});

t.test("what is below the limits is read", async (t) => {
  const { rows } = readCsvTable("prices.csv", Buffer.from(`a,b\n${`${"x".repeat(cellCharactersMax)},1\n`}`), {});
  t.equal([...rows].length, 2);
});
